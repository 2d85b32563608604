import assert from "node:assert/strict";
import { test } from "node:test";
import { give, one, open } from "../page.js";

const HTML = `<div id=a></div><div id=b></div><div id=c></div><div id=d></div><dialog id=tour><p data-about="#a">A</p><p data-about="#gone">Gone</p>
  <p data-about="#b">B</p><p data-about="#c">C</p><p data-about="#d">D</p><i id=tour-place></i><button id=tour-back>Back</button>
  <button id=tour-next></button><button id=tour-leave>Leave</button></dialog>`;

/** Puts a part of the page somewhere, 100 pixels wide. @param {string} id @param {number} left @param {number} top */
function put(id, left, top, height = 50) {
  one(`#${id}`).getBoundingClientRect = () => ({ left, right: left + 100, top, bottom: top + height });
}

/** A window of 800 by 600 pixels. */
async function begun() {
  open(HTML);
  give("innerWidth", 800);
  give("innerHeight", 600);
  put("a", 5, 30);
  put("b", 600, 400);
  put("c", 5, 400);
  put("d", 700, 550);
  give("offsetWidth", 200, one("#tour"));
  give("offsetHeight", 80, one("#tour"));
  const { Tour } = await import("#static/judging/tour.js");
  const seen = { labelled: 0 };
  const tour = new Tour(/** @type {any} */ ({ labelPage: () => seen.labelled++ }));
  tour.start();
  const shown = () =>
    tour.steps
      .filter(({ hidden }) => !hidden)
      .map(({ textContent }) => textContent)
      .join();
  const place = () => [tour.dialog.style.left, tour.dialog.style.top].map(parseFloat);
  return { tour, seen, shown, place };
}

const click = (name) => one(`#tour-${name}`).click();

test("the tour leads from part to part that is on the page, and ends", async () => {
  const { tour, seen, shown } = await begun();
  assert.deepEqual([seen.labelled, document.activeElement?.id, one("#tour-back").hidden], [1, "tour-next", true]);
  const steps = [];
  for (let step = 0; step < 4; step++) {
    steps.push([shown(), one(".toured").id, one("#tour-place").textContent, one("#tour-leave").hidden]);
    click("next");
  }
  assert.deepEqual(steps, [
    ["A", "a", "1 of 4", false],
    ["B", "b", "2 of 4", false],
    ["C", "c", "3 of 4", false],
    ["D", "d", "4 of 4", true],
  ]);
  assert.deepEqual([tour.dialog.open, document.querySelector(".toured")], [false, null]);
  tour.start();
  click("next");
  assert.deepEqual([shown(), one("#tour-back").hidden], ["B", false]);
  click("back");
  assert.equal(shown(), "A");
});

test("its words are beside, below or above the part, within the window", async () => {
  const { tour, place } = await begun();
  const places = [0, 1, 2, 3].map((at) => {
    tour.show(at);
    return place();
  });
  assert.deepEqual(places, [
    [16, 96],
    [384, 400],
    [16, 304],
    [484, 504],
  ]);
  const at = (left, top, height = 50) => {
    put("a", left, top, height);
    tour.show(0);
    return place();
  };
  assert.deepEqual(
    [at(232, 30), at(231, 30)],
    [
      [16, 30],
      [231, 96],
    ],
  );
  assert.deepEqual(
    [at(100, 299), at(100, 300), at(100, 30, 500)],
    [
      [100, 365],
      [100, 204],
      [100, 504],
    ],
  );
});

test("on a page from right to left its words are right of the part", async () => {
  const { tour, place } = await begun();
  document.documentElement.dir = "rtl";
  const at = (left) => {
    put("a", left, 30);
    tour.show(0);
    return place();
  };
  assert.deepEqual(
    [at(468), at(469)],
    [
      [584, 30],
      [369, 96],
    ],
  );
});
