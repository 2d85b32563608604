import assert from "node:assert/strict";
import { test } from "node:test";
import { each, one, open } from "./page.js";

/** A list of five rows, and a form that is no list. @param {number | null} ticked by the browser already */
async function begun(ticked = null) {
  const row = (at) => `<label class=tick><input type=checkbox data-tick name=row value=${at} ${at === ticked && "checked"}>${at}</label>`;
  open(`<form><label hidden><input type=checkbox data-tick-page>Page</label><p data-ticked></p>${[0, 1, 2, 3, 4].map(row).join("")}
    <input type=checkbox name=every></form><form><input data-tick type=checkbox></form>`);
  await import("#static/lists.js");
}

const ticked = () => each("[name=row]", ({ checked, value }) => (checked ? value : "")).join("");
const page = () => one("[data-tick-page]");
const every = () => one("[name=every]");

/** Which rows are ticked, the words, and whether the box of the page is ticked, or neither. */
const state = () => [ticked(), one("[data-ticked]").textContent, page().checked, page().indeterminate];

/** @param {number} at */
function click(at, shiftKey = false) {
  one(`[name=row][value='${at}']`).dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, shiftKey }));
}

test("what is ticked is counted, and the box of the page is that of all rows", async () => {
  await begun();
  assert.deepEqual([one("label:first-child").hidden, state()], [false, ["", "", false, false]]);
  click(1);
  assert.deepEqual(state(), ["1", "1 row selected", false, true]);
  page().click();
  assert.deepEqual(state(), ["01234", "5 rows selected", true, false]);
  click(3);
  assert.deepEqual(state(), ["0124", "4 rows selected", false, true]);
  page().click();
  page().click();
  assert.deepEqual(state(), ["", "", false, false]);
});

test("what the browser has ticked already is counted", async () => {
  await begun(2);
  assert.deepEqual(state(), ["2", "1 row selected", false, true]);
});

for (const [first, last, between] of /** @type {[number, number, string][]} */ ([
  [1, 3, "123"],
  [3, 1, "123"],
  [0, 2, "012"],
])) {
  test(`Shift ticks the range from row ${first} to row ${last}`, async () => {
    await begun();
    click(first);
    click(last, true);
    assert.equal(ticked(), between);
    click(4);
    assert.equal(ticked(), `${between}4`, "without Shift only the row itself");
  });
}

test("the words of a row take Shift too, and a range can be cleared", async () => {
  await begun();
  page().click();
  click(1);
  const label = document.querySelectorAll(".tick")[3];
  const press = new MouseEvent("mousedown", { bubbles: true, cancelable: true, shiftKey: true });
  assert.equal(label.dispatchEvent(press), false, "no words are selected");
  label.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, shiftKey: true }));
  assert.equal(ticked(), "04");
  click(0);
  assert.equal(ticked(), "4");
});

test("all of all pages is one tick, which a row that is cleared takes back", async () => {
  await begun();
  every().click();
  assert.deepEqual(state(), ["01234", "", true, false]);
  click(2);
  assert.deepEqual([every().checked, state()], [false, ["0134", "4 rows selected", false, true]]);
  every().click();
  page().click();
  assert.deepEqual([every().checked, state()], [false, ["", "", false, false]]);
  every().click();
  every().click();
  assert.equal(ticked(), "");
});
