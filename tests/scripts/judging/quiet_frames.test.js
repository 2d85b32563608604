import assert from "node:assert/strict";
import { test } from "node:test";
import { give, one, open, pass, press, settled } from "../page.js";

/** A stage with a document; where listeners in it are not run, `isHeard` is false, as in WebKit. */
async function begun(isHeard = true) {
  open("<input id=field><div id=stage tabindex=-1><iframe class=current srcdoc='<p>One two three.\nFour five six.</p>'></iframe></div>");
  await settled();
  const view = one("iframe").contentWindow;
  if (!isHeard) view.dispatchEvent = () => true;
  const seen = { entered: 0, modified: [] };
  view.focus = () => seen.entered++;
  view.getSelection().modify = (...how) => seen.modified.push(how);
  give("scrollHeight", 5_000, view.document.documentElement);
  give("innerHeight", 400, view);
  view.scrollBy = ({ top }) => view.scrollTo(0, Math.min(4_600, Math.max(0, view.scrollY + top)));
  return {
    view,
    seen,
    stage: one("#stage"),
    ...(await import("#static/judging/quiet_frames.js")),
    ...(await import("#static/judging/focus.js")),
    select(from, to) {
      const text = view.document.querySelector("p").firstChild;
      view.getSelection().setBaseAndExtent(text, from, text, to);
    },
  };
}

for (const isHeard of [true, false]) {
  test(`the focus is ${isHeard ? "" : "not "}led into a document that ${isHeard ? "hears" : "does not hear"} keys`, async () => {
    const { hears, enter, view, seen } = await begun(isHeard);
    assert.deepEqual([hears(view), hears(view)], [isHeard, isHeard]);
    enter(view);
    assert.equal(seen.entered, Number(isHeard));
  });
}

test("the place of the documents takes the focus back from them alone", async () => {
  const { keepFocus, stage } = await begun();
  keepFocus(stage);
  assert.equal(stage.tabIndex, 0);
  for (const [focused, id] of [
    ["iframe", "stage"],
    ["#field", "field"],
  ]) {
    one(focused).focus();
    dispatchEvent(new Event("blur"));
    await pass(10);
    assert.equal(document.activeElement?.id, id);
  }
});

test("what is selected in the document is copied from its place", async () => {
  const { keepFocus, stage, select } = await begun();
  keepFocus(stage);
  const copied = () => {
    const clipboardData = new DataTransfer();
    const isLeft = document.dispatchEvent(new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true }));
    return [clipboardData.getData("text/plain"), isLeft];
  };
  stage.focus();
  assert.deepEqual(copied(), ["", true]);
  select(4, 7);
  assert.deepEqual(copied(), ["two", false]);
  one("#field").focus();
  assert.deepEqual(copied(), ["", true]);
});

test("scrolling, selecting and unfolding are seen from the page", async () => {
  const { watchFor, view, select } = await begun();
  const state = { inside: view, signs: 0 };
  watchFor(
    () => state.inside,
    () => state.signs++,
  );
  const signsAfter = async (change = () => {}, milliseconds = 110) => {
    const before = state.signs;
    change();
    await pass(milliseconds);
    return state.signs - before;
  };
  assert.equal(await signsAfter(), 0);
  assert.equal(await signsAfter(() => view.scrollTo(0, 100)), 1);
  assert.equal(await signsAfter(), 0);
  assert.equal(await signsAfter(() => select(0, 3)), 1);
  assert.equal(await signsAfter(() => select(0, 7)), 1);
  assert.equal(await signsAfter(() => view.document.body.insertAdjacentHTML("beforeend", "<details open></details>")), 1);
  const leave = () => {
    state.inside = null;
    view.scrollTo(0, 0);
  };
  assert.equal(await signsAfter(leave), 0);
  assert.equal(await signsAfter(() => (state.inside = view)), 1);
  assert.equal(await signsAfter(undefined, 2_000), 0);
});

test("keys on the place of the documents scroll them as they do inside", async () => {
  const { enterFrom, stage, view, seen } = await begun();
  enterFrom(stage, () => view);
  stage.focus();
  const at = (key, more = {}) => (press(key, more) ? null : view.scrollY);
  assert.deepEqual(
    ["ArrowDown", "ArrowDown", "PageDown", " ", "ArrowUp", "PageUp"].map((key) => at(key)),
    [40, 80, 430, 780, 740, 390],
  );
  assert.deepEqual([at(" ", { shiftKey: true }), at("End"), at("Home"), seen.entered], [40, 4_600, 0, 9]);
  assert.deepEqual([at("ArrowDown", { altKey: true }), at("ArrowDown", { ctrlKey: true }), at("x")], [null, null, null]);
});

test("all of a document is selected from its place", async () => {
  const { enterFrom, stage, view } = await begun();
  enterFrom(stage, () => view);
  stage.focus();
  const selected = () => String(view.getSelection()).replace(/\s+/g, " ");
  assert.deepEqual([press("a"), press("a", { ctrlKey: true, shiftKey: true }), selected()], [true, true, ""]);
  assert.deepEqual([press("A", { metaKey: true }), selected()], [false, "One two three. Four five six."]);
});

test("a selection grows by characters, words and lines where keys do not reach the document", async () => {
  const { enterFrom, stage, view, select, seen } = await begun(false);
  enterFrom(stage, () => view);
  stage.focus();
  select(0, 3);
  press("ArrowRight");
  assert.deepEqual(seen.modified, []);
  assert.equal(press("ArrowRight", { shiftKey: true }), false);
  press("ArrowRight", { shiftKey: true, ctrlKey: true });
  press("ArrowLeft", { shiftKey: true, altKey: true });
  press("ArrowDown", { shiftKey: true, ctrlKey: true });
  const grown = [
    ["right", "character"],
    ["right", "word"],
    ["left", "word"],
    ["forward", "line"],
  ];
  assert.deepEqual(
    seen.modified,
    grown.map((how) => ["extend", ...how]),
  );
  press("ArrowDown", { shiftKey: true, metaKey: true });
  select(8, 8);
  press("ArrowRight", { shiftKey: true });
  assert.equal(seen.modified.length, 4);
});

test("a press elsewhere, or one that was taken, does nothing to a document", async () => {
  const { enterFrom, stage, view } = await begun();
  const state = { inside: view };
  enterFrom(stage, () => state.inside);
  one("#field").focus();
  assert.equal(press("End"), true);
  stage.focus();
  state.inside = null;
  assert.equal(press("End"), true);
  state.inside = view;
  stage.addEventListener("keydown", (event) => event.preventDefault());
  press("End");
  assert.equal(view.scrollY, 0);
});
