import assert from "node:assert/strict";
import { test } from "node:test";
import { one, open, settled } from "../page.js";

test("a ring is shown where Tab has led into a document, and nowhere else", async () => {
  open("<div id=stage><iframe srcdoc='<p>Text</p>'></iframe></div><input id=field>");
  await settled();
  const { FocusRing } = await import("#static/judging/focus_ring.js");
  const stage = one("#stage");
  const view = one("iframe").contentWindow;
  new FocusRing(stage).watch(view);
  const key = (place, name) => place.dispatchEvent(new KeyboardEvent("keydown", { key: name }));
  const enter = (place) => place.dispatchEvent(new Event("focusin", { bubbles: true }));
  const deeds = {
    tab: () => key(document, "Tab"),
    letter: () => key(view.document, "x"),
    mouse: () => view.document.dispatchEvent(new Event("pointerdown")),
    focus: () => view.dispatchEvent(new Event("focus")),
    blur: () => view.dispatchEvent(new Event("blur")),
    stage: () => enter(stage),
    field: () => enter(one("#field")),
  };
  const isShownAfter = (...names) => {
    for (const name of names) deeds[name]();
    return stage.hasAttribute("data-tabbed");
  };
  assert.equal(isShownAfter("focus"), false);
  assert.equal(isShownAfter("tab"), false);
  assert.equal(isShownAfter("focus"), true);
  assert.equal(isShownAfter("blur"), false);
  assert.equal(isShownAfter("tab", "mouse", "focus"), false);
  assert.equal(isShownAfter("tab", "letter", "focus"), false);
  assert.equal(isShownAfter("tab", "stage"), false);
  stage.tabIndex = 0;
  assert.equal(isShownAfter("tab", "stage"), true);
  assert.equal(isShownAfter("field"), false);
  assert.equal(isShownAfter("mouse", "stage"), false);
});
