import assert from "node:assert/strict";
import { test } from "node:test";
import { each, one, open, settled } from "../page.js";

const HTML = `<button id=postpone>Postpone <kbd data-key-of=later>l</kbd></button><button id=back><kbd data-key-of=back></kbd></button>
  <button id=mark aria-keyshortcuts=m><kbd data-key-of=mark>m</kbd></button><kbd id=plain data-key-of=next></kbd>
  <dialog id=keys><div id=keyboard>old</div><input id=field></dialog>`;
const ACTIONS = [
  { name: "relevant", keys: ["1"], label: "Relevant", group: "Grades", fixed: true },
  { name: "later", keys: ["l"], label: "Postpone", group: "Documents", fixed: false },
  { name: "spam", keys: ["s"], label: "Spam", group: "Grades", fixed: false },
  { name: "next", keys: ["j", "ArrowRight", "ArrowDown"], label: "Next", group: "Documents", fixed: false },
  { name: "back", keys: ["N"], label: "Back", group: "Documents", fixed: false },
  { name: "mark", keys: [], label: "Mark", group: "Documents", fixed: false },
];

/** The dialog in which keys are changed. @param {any[]} actions */
async function begun(actions = ACTIONS) {
  open(HTML);
  const { Keyboard, keyMap } = await import("#static/judging/keyboard.js");
  const state = { own: {}, refused: "", listen: (_) => {} };
  const preferences = {
    get: (name) => (name === "keys" ? state.own : null),
    listen: (listener) => (state.listen = listener),
    async set(name, keys) {
      state.own = keys;
      state.listen(name);
      return state.refused;
    },
  };
  const keyboard = new Keyboard(one("#keyboard"), actions, /** @type {any} */ (preferences));
  one("#keys").showModal();
  return {
    state,
    keyboard,
    map: (own) => Object.fromEntries(keyMap(actions, own)),
    said: () => keyboard.status.textContent,
    ask: (name) => keyboard.ask(/** @type {any} */ (actions.find((action) => action.name === name))),
    /** Which action still waits for a key after this press, what is said, and whether the press was taken from the page. @param {string} key */
    press(key, more = {}, target = one("#field")) {
      let isHeard = false;
      const hear = () => (isHeard = true);
      target.addEventListener("keydown", hear);
      const isLeft = target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
      target.removeEventListener("keydown", hear);
      assert.equal(isHeard, isLeft);
      return [keyboard.changing?.name, keyboard.status.textContent, !isLeft];
    },
  };
}

const parts = (part) => [...part.children].map(({ textContent }) => textContent).join(" ") || part.textContent;
const rows = () => each(".keyboard-row", (row) => [...row.children].map(parts).join("|"));
const focused = () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent;

/** @param {string} name of a button */
function click(name) {
  const [button] = [...document.querySelectorAll("dialog button")].filter((each) =>
    [each.textContent, each.getAttribute("aria-label")].includes(name),
  );
  /** @type {HTMLElement} */ (button).click();
}

test("a first key can be another one, and further keys are those that no action has", async () => {
  const { map } = await begun();
  assert.deepEqual(map({}), { 1: "relevant", l: "later", s: "spam", j: "next", N: "back", ArrowRight: "next", ArrowDown: "next" });
  const changed = { 1: "relevant", ArrowRight: "later", x: "next", N: "back", ArrowDown: "next" };
  assert.deepEqual(map({ next: "x", later: "ArrowRight", spam: "" }), changed);
});

test("keys are listed by group, with what can be changed", async () => {
  const { keyboard, said } = await begun();
  assert.deepEqual(rows(), [
    "1|Relevant|",
    "s|Spam|Change",
    "l|Postpone|Change",
    "j → ↓|Next|Change",
    "Shift N|Back|Change",
    "|Mark|Change",
  ]);
  assert.deepEqual(
    each("section", (group) => [group.getAttribute("aria-label"), group.firstChild.textContent]),
    [
      ["Grades", "Grades"],
      ["Documents", "Documents"],
    ],
  );
  assert.deepEqual(each(".keyboard-row button", focusedName).slice(0, 2), ["Change the key of: Spam", "Change the key of: Postpone"]);
  assert.deepEqual([said(), keyboard.usual.hidden, keyboard.status.getAttribute("role")], ["", true, "status"]);
  assert.deepEqual([...keyboard.place.childNodes], [keyboard.status, keyboard.list, keyboard.usual]);
});

const focusedName = (button) => button.getAttribute("aria-label");

test("an action that the page does not have is not listed, and keeps its key", async () => {
  const { state, keyboard, ask, press } = await begun(ACTIONS.map((action) => ({ ...action, unlisted: action.name === "spam" })));
  assert.equal(rows().length, ACTIONS.length - 1);
  assert.equal(keyboard.map.get("s"), "spam");
  ask("back");
  assert.equal(press("s")[1], "s is the key of “Spam”. Swap, or press another key.");
  click("Swap");
  assert.deepEqual([state.own, focused()], [{ back: "s", spam: "N" }, "Change the key of: Back"]);
});

test("the page shows the first key, and screen readers are given all", async () => {
  const { state, keyboard } = await begun();
  const shown = () =>
    ["later", "back", "mark", "next"].map((name) => {
      const sign = one(`[data-key-of=${name}]`);
      return [sign.textContent, sign.hidden, sign.closest("button")?.getAttribute("aria-keyshortcuts") ?? ""];
    });
  assert.deepEqual(shown(), [
    ["l", false, "l"],
    ["Shift N", false, "Shift+N"],
    ["", true, ""],
    ["j", false, ""],
  ]);
  state.own = { later: "ArrowUp", back: "", mark: "b", next: "ArrowRight" };
  state.listen("size");
  assert.deepEqual(shown()[0], ["l", false, "l"]);
  state.listen("keys");
  assert.deepEqual(shown(), [
    ["↑", false, "ArrowUp"],
    ["", true, ""],
    ["b", false, "b"],
    ["→", false, ""],
  ]);
  assert.deepEqual([rows()[3], keyboard.usual.hidden], ["→ ↓|Next|Change", false]);
});

test("another key can be asked for, not asked for after all, or given up", async () => {
  const { state, keyboard, said } = await begun();
  click("Change the key of: Next");
  assert.deepEqual(
    [said(), rows()[3], focused()],
    ["Press the new key of “Next”. Esc cancels.", "press a key|Next|No key Cancel", "Cancel"],
  );
  click("Cancel");
  assert.deepEqual([said(), rows()[3], focused()], ["", "j → ↓|Next|Change", "Change the key of: Next"]);
  click("Change the key of: Next");
  click("No key");
  assert.deepEqual([rows()[3], state.own, focused()], ["→ ↓|Next|Change", { next: "" }, "Change the key of: Next"]);
  click("Restore default keys");
  assert.deepEqual([state.own, keyboard.usual.hidden], [{}, true]);
});

test("a key that is free is taken, and the default one is not kept", async () => {
  const { state, keyboard, ask, press } = await begun();
  for (const [key, more, own, shown] of /** @type {[string, KeyboardEventInit, string, string][]} */ ([
    ["z", {}, "z", "z"],
    ["Q", { shiftKey: true }, "q", "q"],
    ["ф", { code: "KeyA" }, "ф", "ф"],
    ["ArrowUp", {}, "ArrowUp", "↑"],
    ["Enter", {}, "Enter", "Enter"],
  ])) {
    ask("later");
    assert.deepEqual(press(key, more), [undefined, `${shown} is now the key of “Postpone”.`, true]);
    assert.deepEqual(state.own, { later: own });
  }
  ask("later");
  press("l");
  assert.deepEqual(state.own, {});
  ask("mark");
  keyboard.take(/** @type {any} */ (keyboard.changing), "");
  assert.deepEqual(state.own, {});
  state.own = { next: "" };
  ask("later");
  press("j");
  assert.deepEqual(state.own, { next: "", later: "j" });
});

test("what cannot be a key is said, and the next press counts", async () => {
  const { state, keyboard, ask, press } = await begun();
  ask("later");
  const refused = (key, more = {}) => {
    const [waiting, words, isTaken] = press(key, more);
    assert.deepEqual([waiting, isTaken], ["later", true]);
    return String(words);
  };
  for (const digit of ["7", "٣"]) assert.match(refused(digit), /^A digit/);
  assert.match(refused(" "), /^Space cannot/);
  assert.match(refused("F5"), /^F5 cannot/);
  for (const modifier of ["ctrlKey", "altKey", "metaKey"]) assert.match(refused("z", { [modifier]: true }), /cannot be combined/);
  keyboard.say("");
  const modifiers = ["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock", "Tab"].map((key) => press(key));
  const inPassing = [
    press("z", { isComposing: true }),
    press("z", { repeat: true }),
    press(" ", {}, one("[data-changing] button:last-of-type")),
  ];
  for (const passed of [...modifiers, ...inPassing]) assert.deepEqual(passed, ["later", "", false]);
  assert.deepEqual(press("Escape"), [undefined, "", true]);
  assert.deepEqual([press("z"), state.own], [[undefined, "", false], {}]);
});

test("the dialog stays while a key is awaited, and forgets it when it closes", async () => {
  const { keyboard, said, ask } = await begun();
  const cancels = () => one("#keys").dispatchEvent(new Event("cancel", { cancelable: true }));
  assert.equal(cancels(), true);
  ask("later");
  assert.equal(cancels(), false);
  one("#keys").dispatchEvent(new Event("close"));
  assert.deepEqual([keyboard.changing, said(), rows()[2]], [null, "", "l|Postpone|Change"]);
});

test("a key that another action has is swapped or taken, and a fixed one stays", async () => {
  const { state, keyboard, said, ask, press } = await begun();
  ask("later");
  assert.deepEqual(press("s"), ["later", "s is the key of “Spam”. Swap, or press another key.", true]);
  assert.deepEqual([focused(), state.own], ["Swap", {}]);
  click("Swap");
  assert.deepEqual([state.own, focused()], [{ later: "s", spam: "l" }, "Change the key of: Postpone"]);
  state.own = {};
  ask("mark");
  assert.equal(press("N", { shiftKey: true })[1], "Shift N is the key of “Back”. Take it, or press another key.");
  click("Take it");
  assert.deepEqual(state.own, { mark: "N", back: "" });
  ask("later");
  keyboard.take(/** @type {any} */ (keyboard.changing), "1");
  assert.deepEqual([said(), keyboard.changing?.name], ["1 is always “Relevant”. Press another key.", "later"]);
  assert.ok(!("later" in state.own));
});

test("what the server says against a key is said", async () => {
  const { state, said, ask, press } = await begun();
  state.refused = "Two actions have z";
  ask("later");
  press("z");
  await settled();
  assert.equal(said(), "Two actions have z");
});
