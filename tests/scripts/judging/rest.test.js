import assert from "node:assert/strict";
import { test } from "node:test";
import { one, open } from "../page.js";

/** @param {number} documents @param {number} minutes what the organiser set */
async function begun(documents, minutes) {
  open("<dialog id=rest><p id=rest-done></p></dialog><dialog id=other></dialog>");
  const { Rest } = await import("#static/judging/rest.js");
  const own = {};
  const seen = { back: 0 };
  const preferences = /** @type {any} */ ({ get: (name) => own[name] ?? null });
  const rest = new Rest("ben", { documents, minutes }, preferences, () => seen.back++);
  const judged = (seconds) => {
    rest.judged(seconds);
    return one("#rest").open;
  };
  return { rest, own, seen, judged };
}

const said = () => one("#rest-done").textContent;

test("a break is offered after so many documents, and they are counted again from it", async () => {
  const { rest, seen, judged } = await begun(2, 0);
  assert.deepEqual([judged(40), judged(80)], [false, true]);
  assert.match(said(), /2 documents in 2 minutes/);
  one("#rest").close();
  assert.deepEqual([seen.back, rest.stretch()], [1, { documents: 0, seconds: 0, at: 0 }]);
  assert.equal(judged(1), false);
});

test("a break is offered after so many minutes that were active", async () => {
  const { rest, judged } = await begun(0, 1);
  assert.deepEqual([judged(59.9), judged(0.1)], [false, true]);
  assert.match(said(), /2 documents in 1 minute /);
  rest.dialog.close();
  rest.offer({ documents: 1, seconds: 29, at: 0 });
  assert.match(said(), /1 document since/);
});

test("the assessor's own numbers count before the organiser's, and 0 is never", async () => {
  const { rest, own } = await begun(5, 5);
  const due = (numbers, documents, seconds) => {
    for (const name of Object.keys(own)) delete own[name];
    Object.assign(own, numbers);
    return rest.isDue({ documents, seconds, at: 0 });
  };
  assert.deepEqual([due({}, 5, 10), due({ break_documents: 6 }, 5, 10)], [true, false]);
  assert.deepEqual([due({}, 1, 300), due({ break_minutes: 6 }, 1, 300)], [true, false]);
  assert.equal(due({ break_documents: 0, break_minutes: 0 }, 999, 99_999), false);
  assert.equal(due({ break_documents: 1, break_minutes: 0 }, 1, 0), true);
});

test("ten minutes without a judgment are a break, and what is no stretch is none", async () => {
  const { rest } = await begun(9, 0);
  const counted = (stretch) => {
    rest.storage.put("stretch", stretch);
    return rest.stretch().documents;
  };
  const ago = (time) => ({ documents: 3, seconds: 7, at: Date.now() - time });
  assert.deepEqual([counted(ago(599_999)), counted(ago(600_000))], [3, 0]);
  for (const wrong of [null, { documents: 3, at: Date.now() }, { seconds: 3, at: Date.now() }]) assert.equal(counted(wrong), 0);
});

test("no break is offered over another dialogue", async () => {
  const { judged } = await begun(1, 0);
  one("#other").showModal();
  assert.equal(judged(1), false);
});
