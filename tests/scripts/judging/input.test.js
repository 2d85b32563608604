import assert from "node:assert/strict";
import { test } from "node:test";
import { one, open } from "../page.js";

const HTML = `<p id=said></p><button data-grade=1 id=one><b id=inside>1</b></button>
  <button data-action=next id=next></button><button data-action=undo id=undo></button><button id=bare></button><p id=text></p>
  <dialog id=keys></dialog><dialog id=guidelines></dialog><dialog id=preferences></dialog>`;
const KEYS = Object.entries({ 1: "grade 1", n: "next", x: "no action" });

async function begun() {
  open(HTML);
  const { actionsAround, InputHandler } = await import("#static/judging/input.js");
  /** @type {string[]} */
  const calls = [];
  const note = (name) => (input) => calls.push(`${name} ${input}`);
  const preferences = { size: 16, get: (name) => preferences[name], set: (name, value) => calls.push(`set ${name} ${value}`) };
  const around = actionsAround(/** @type {any} */ (preferences), "#history");
  const judge = (grade, input) => calls.push(`grade ${grade} ${input}`);
  const grades = /** @type {any[]} */ ([0, 1].map((grade) => ({ grade, action: `grade ${grade}` })));
  const input = new InputHandler({ map: new Map(KEYS) }, grades, judge, { next: note("next"), ...around });
  input.add({ undo: note("undo") });
  document.addEventListener("click", (event) => input.clicked(event));
  const told = () => calls.splice(0).join();
  const key = (name) => {
    const action = input.actionOf(name);
    action?.();
    return [action !== undefined, told()];
  };
  const does = (name) => {
    input.actions.get(name)("button");
    return told();
  };
  const click = (id, detail = 1) => {
    one(`#${id}`).dispatchEvent(new MouseEvent("click", { bubbles: true, detail }));
    return told();
  };
  return { click, does, input, key };
}

/** The brief words on the page, once. */
function said() {
  const words = one("#said").textContent;
  one("#said").textContent = "";
  return words;
}

test("a key means a grade, an action, or nothing", async () => {
  const { key } = await begun();
  assert.deepEqual(
    [key("1"), key("n"), key("x"), key("q")],
    [
      [true, "grade 1 key"],
      [true, "next key"],
      [false, ""],
      [false, ""],
    ],
  );
  assert.deepEqual([key("7"), said(), key("77"), said()], [[true, ""], "7 is not a grade of this campaign", [false, ""], ""]);
});

test("a button gives its grade or does what it is named after", async () => {
  const { click } = await begun();
  assert.deepEqual(
    ["inside", "next", "undo", "bare", "text"].map((id) => click(id)),
    ["grade 1 button", "next button", "undo button", "", ""],
  );
});

test("the second click of a double click counts only for what is done again", async () => {
  const { click, input } = await begun();
  for (const id of ["one", "undo"]) assert.deepEqual([click(id, 2), said()], ["", "Second click ignored"]);
  assert.deepEqual([click("bare", 2), said()], ["", ""]);
  for (const action of ["next", "previous", "next hit", "larger", "smaller"]) {
    input.add({ previous: input.actions.get("next"), "next hit": input.actions.get("next") });
    one("#next").dataset.action = action;
    assert.deepEqual([click("next", 2) !== "", said()], [true, ""], action);
  }
});

test("what is around the documents is opened, and their letters become larger and smaller", async () => {
  const { does } = await begun();
  assert.deepEqual([does("larger"), does("smaller")], ["set size 17", "set size 15"]);
  for (const dialog of ["guidelines", "preferences", "keys"]) {
    does(dialog);
    assert.equal(one("dialog[open]").id, dialog);
  }
  does("history");
  assert.equal(location.hash, "#history");
});
