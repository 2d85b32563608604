import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { inWords } from "#static/judging/pace.js";
import { hide, open } from "../page.js";

async function begun() {
  open();
  const { Pace } = await import("#static/judging/pace.js");
  return new Pace("small");
}

test("active seconds are counted up to a minute without a sign of life", async () => {
  const pace = await begun();
  const after = (milliseconds) => {
    mock.timers.tick(milliseconds);
    return pace.seconds();
  };
  assert.equal(after(1_260), 1.3);
  mock.timers.tick(200_000);
  dispatchEvent(new Event("keydown"));
  assert.equal(after(60_000), 121.3);
  mock.timers.tick(5_000);
  pace.start();
  assert.equal(after(2_000), 2);
  mock.timers.tick(3_000);
  hide(true);
  mock.timers.tick(9_000);
  hide(false);
  assert.equal(pace.seconds(), 5);
});

test("the time left is the median pace times the open documents", async () => {
  const pace = await begun();
  const left = (open, ...seconds) => {
    localStorage.clear();
    for (const each of seconds) pace.remember(each);
    return pace.timeLeft(open);
  };
  assert.equal(left(10, 60, 60), "", "two are too few");
  assert.equal(left(0, 60, 60, 60), "");
  assert.equal(left(4, 600, 60, 120), "about 8 min left");
  assert.equal(left(2, 600, 60, 120, 180), "about 5 min left");
  left(1, ...Array(40).keys());
  assert.deepEqual(pace.remembered(), [...Array(40).keys()].slice(10));
});

test("what is stored in place of seconds is passed over", async () => {
  const pace = await begun();
  for (const [stored, remembered] of [
    ['[1, "x", null, 2]', [1, 2]],
    ["7", []],
  ]) {
    localStorage.setItem("workbench:pace:small:seconds", String(stored));
    assert.deepEqual(pace.remembered(), remembered);
  }
});

test("a time is reported as exactly as it is known", () => {
  const times = {
    0: "1 min",
    1: "1 min",
    59: "59 min",
    60: "1 h",
    64: "1 h",
    65: "1 h 10",
    294: "4 h 50",
    295: "5 h",
    329: "5 h",
    330: "6 h",
    600: "10 h",
  };
  for (const [minutes, words] of Object.entries(times)) assert.equal(inWords(60 * Number(minutes)), `about ${words} left`);
});
