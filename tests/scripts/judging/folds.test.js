import assert from "node:assert/strict";
import { test } from "node:test";
import { each, one, open } from "../page.js";

const TWO_FOLDS = "<details class=fold open><p id=p>One</p></details><details class=fold><p id=q>Two</p></details><b id=folds></b>";

async function begun(html = TWO_FOLDS) {
  open(html);
  const script = await import("#static/judging/folds.js");
  const told = [];
  const folds = new script.Folds("small", /** @type {any} */ ({ inside: document }), (why) => told.push(why));
  const all = () => folds.all().map((fold) => fold.open);
  const set = (...states) => folds.all().forEach((fold, at) => (fold.open = states[at]));
  const leave = (id, ...states) => {
    folds.open(id);
    set(...states);
    folds.leave();
  };
  return { ...script, told, folds, all, set, leave };
}

test("folds are found again as they were left", async () => {
  const { folds, all, set, leave } = await begun();
  leave("d1", false, true);
  set(true, false);
  folds.open("d2");
  assert.deepEqual([all(), one("#folds").hidden], [[true, false], false]);
  folds.leave();
  folds.open("d1");
  assert.deepEqual(all(), [false, true]);
});

test("folds of a document that has other ones now stay as they are", async () => {
  const { folds, all, told } = await begun();
  sessionStorage.setItem("workbench:folds:small:d1", "[false]");
  folds.open("d1");
  assert.deepEqual(all(), [true, false]);
  sessionStorage.setItem("workbench:folds:small:d1", "{");
  folds.open("d1");
  assert.deepEqual(all(), [true, false]);
  for (const fold of folds.all()) fold.remove();
  folds.open("d3");
  folds.leave();
  assert.equal(one("#folds").hidden, true);
  folds.toggle();
  assert.deepEqual(told, ["No folded parts"]);
});

test("a key opens all folds, and closes them once all are open", async () => {
  const { folds, all, told, isFolded, unfold } = await begun();
  assert.deepEqual(each("p", isFolded), [false, true]);
  folds.toggle();
  assert.deepEqual(all(), [true, true]);
  folds.toggle();
  assert.deepEqual(all(), [false, false]);
  unfold(one("#q"));
  unfold(null);
  assert.deepEqual(all(), [false, true]);
  folds.all()[0].remove();
  folds.toggle();
  assert.deepEqual(told, ["2 folded parts opened", "2 folded parts closed", "1 folded part closed"]);
});

test("images of pages are asked for once their fold is open", async () => {
  const pages = (page) => `<details class='fold pages'><img data-src='data:,${page}'></details>`;
  const { folds, set } = await begun(`${pages(1)}${pages(2)}<details class=fold><p>Three</p></details><b id=folds></b>`);
  const asked = () => each("img", (image) => image.getAttribute("src"));
  folds.look();
  assert.deepEqual(asked(), [null, null]);
  folds.watch(document);
  set(true, false, true);
  folds.all()[0].dispatchEvent(new Event("toggle")); // as by the mouse
  assert.deepEqual(asked(), ["data:,1", null]);
  folds.toggle();
  assert.deepEqual(asked(), ["data:,1", "data:,2"]);
});
