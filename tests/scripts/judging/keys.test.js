import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { namesOf } from "#static/judging/keys.js";
import { one, open, press } from "../page.js";

const FIELDS = `<textarea id=note></textarea><input id=find><p id=free contenteditable tabindex=0>text</p><select id=choice></select>
  <input id=stay type=checkbox><button id=button>A</button><pre id=code tabindex=0></pre><div id=formula class=formula tabindex=0></div><p id=words tabindex=0>b</p>`;

/** What is done by a press where the focus is, on a page on which a, 2, n, Enter and two arrows do something. @param {string} id of what has the focus */
async function done(id, key, more = {}, { isUnderDialog = false, isVisible = true, width = 100 } = {}) {
  open(FIELDS);
  const { keyListener } = await import("#static/judging/keys.js");
  mock.method(Element.prototype, "checkVisibility", () => isVisible);
  for (const each of document.querySelectorAll("pre, .formula, p")) {
    Object.defineProperties(each, { scrollWidth: { value: width }, clientWidth: { value: 100 } });
  }
  const { querySelector } = document;
  document.querySelector = (selector) =>
    selector === ":modal" ? (isUnderDialog ? document.body : null) : querySelector.call(document, selector);
  const names = [];
  addEventListener(
    "keydown",
    keyListener((name) => (["a", "2", "n", "Enter", "ArrowRight", "ArrowUp"].includes(name) ? () => names.push(name) : undefined)),
  );
  if (id) one(`#${id}`).focus();
  const isLeft = press(key, more);
  return [...names, isLeft ? "left" : "taken"].join(" ");
}

test("a key that does something is taken from the browser, and done once while it is held", async () => {
  assert.deepEqual([await done("", "a"), await done("", "2", { repeat: true }), await done("", "c")], ["a taken", "taken", "left"]);
  assert.deepEqual([await done("", "Enter"), await done("", "N", { shiftKey: true })], ["Enter taken", "n taken"]);
  assert.deepEqual([await done("stay", "2"), await done("button", "2")], ["2 taken", "2 taken"]);
});

test("a press that is meant for something else does nothing", async () => {
  for (const field of ["note", "find", "free", "choice"]) assert.equal(await done(field, "2"), "left", field);
  assert.equal(await done("button", "Enter"), "left");
  assert.equal(await done("", "2", {}, { isUnderDialog: true }), "left", "a dialog is open");
  for (const more of ["ctrlKey", "altKey", "metaKey", "isComposing"]) assert.equal(await done("", "2", { [more]: true }), "left", more);
  assert.equal(await done("", "2", { keyCode: 229 }), "left", "an input method takes it");
});

for (const [keyboard, presses] of Object.entries({
  any: ["2 Digit2: 2", "x KeyX: x", "? Slash shift: ?", "+ Equal shift: +", "Enter Enter: Enter", "Backspace Backspace: Backspace"],
  "Caps Lock": ["X KeyX: x", "n KeyN shift: n"],
  "a large letter": ["N KeyN shift: N n"],
  AZERTY: ["é Digit2: 2 é", "- Digit6: 6 -", "2 Digit2 shift: 2", "a KeyQ: a"],
  German: ["/ Digit7 shift: /"],
  Russian: ["ч KeyX: ч x", "ж Semicolon: ж"],
  Arabic: ["٢ Digit2: 2 ٢"],
  "the number pad": ["2 Numpad2: 2", "ArrowDown Numpad2: ArrowDown"],
  "an input method": ["Process Digit2: Process", "Dead KeyX: Dead"],
})) {
  test(`a press means its digit, letter or sign: ${keyboard}`, () => {
    for (const each of presses) {
      const [[key, code, shift], names] = each.split(": ").map((part) => part.split(" "));
      assert.deepEqual(namesOf(/** @type {KeyboardEvent} */ ({ key, code, shiftKey: shift !== undefined })), names, each);
    }
  });
}

test("a field that is not seen takes no typing", async () => {
  assert.equal(await done("note", "2", {}, { isVisible: false }), "2 taken");
});

test("an arrow scrolls code or a formula that is wider than its place", async () => {
  for (const [id, width, key, what] of /** @type {[string, number, string, string][]} */ ([
    ["code", 101, "ArrowRight", "left"],
    ["formula", 101, "ArrowRight", "left"],
    ["code", 100, "ArrowRight", "ArrowRight taken"],
    ["code", 101, "ArrowUp", "ArrowUp taken"],
    ["words", 101, "ArrowRight", "ArrowRight taken"],
  ])) {
    assert.equal(await done(id, key, {}, { width }), what, `${id} ${width} ${key}`);
  }
  assert.equal(await done("words", "ArrowUp", { shiftKey: true }), "left", "with Shift it selects");
});

test("a press on no element counts", async () => {
  open();
  const { keyListener } = await import("#static/judging/keys.js");
  const names = [];
  document.addEventListener(
    "keydown",
    keyListener((name) => () => names.push(name)),
  );
  for (const key of ["a", "ArrowLeft", "Enter"]) document.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
  assert.deepEqual(names, ["a", "ArrowLeft", "Enter"]);
});

test("the focus stays where one types, or where a dialog is open", async () => {
  open(FIELDS);
  const { isBusy } = await import("#static/judging/keys.js");
  const state = { isVisible: true, isUnderDialog: false };
  mock.method(Element.prototype, "checkVisibility", () => state.isVisible);
  const { querySelector } = document;
  document.querySelector = (selector) =>
    selector === ":modal" ? (state.isUnderDialog ? document.body : null) : querySelector.call(document, selector);
  const busy = (id) => {
    one(`#${id}`).focus();
    return isBusy();
  };
  assert.deepEqual(["note", "find", "choice", "free", "stay", "button"].map(busy), [true, true, true, true, false, false]);
  state.isUnderDialog = true;
  assert.equal(busy("button"), true);
  Object.assign(state, { isVisible: false, isUnderDialog: false });
  assert.equal(busy("note"), false);
});
