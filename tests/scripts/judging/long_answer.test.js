import assert from "node:assert/strict";
import { test } from "node:test";
import { one, open } from "../page.js";

const LABELS = `<p id=said></p><div id=grades><button data-label=1 aria-checked=false></button><button data-label=30 aria-checked=false></button></div>`;
const WEIGHT = "<p id=said></p><div id=grades><input id=weight></div>";

async function begun(html, how) {
  open(html);
  const { LongAnswer } = await import("#static/judging/long_answer.js");
  /** @type {any[]} */
  const saved = [];
  let left = 0;
  const answer = new LongAnswer(
    how,
    (...given) => saved.push(given),
    () => (left += 1),
  );
  const press = (...names) => names.map((name) => answer.actionOf(name)?.());
  const type = (key) =>
    one('#weight, [data-label="1"]').dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  return { answer, press, type, told: () => saved.splice(0), left: () => left };
}

const ticked = () => [...document.querySelectorAll("[data-label]")].map((button) => button.getAttribute("aria-checked"));

test("labels are turned on and off, and count by their number", async () => {
  const { answer, press, told } = await begun(LABELS, { counts: [0, 2, 3] });
  answer.show(null);
  press("Enter");
  answer.toggle(1);
  answer.toggle(30);
  assert.deepEqual(ticked(), ["true", "true"]);
  press("Enter");
  answer.toggle(1);
  press("Enter");
  assert.deepEqual(told(), [
    [0, "key", 0],
    [3, "key", 1 + 2 ** 29],
    [2, "key", 2 ** 29],
  ]);
  answer.show({ grade: 2, chosen: 1 });
  assert.deepEqual(ticked(), ["true", "false"]);
  assert.deepEqual([answer.actionOf("1"), answer.actionOf("Backspace")], [undefined, undefined]);
});

test("Enter on a label saves, and does not turn it", async () => {
  const { answer, type, told, left } = await begun(LABELS, { counts: [0, 2, 3] });
  answer.show({ grade: 2, chosen: 1 });
  type("Enter");
  type(" ");
  assert.deepEqual([told(), left()], [[[2, "key", 1]], 1]);
});

test("a number is typed, corrected and saved; the first digit replaces what is there", async () => {
  const { answer, press, told } = await begun(WEIGHT, { ends: [0, 10] });
  answer.show({ grade: 7 });
  assert.equal(one("#weight").value, "7");
  press("1", "2", "Enter");
  assert.deepEqual([told(), one("#said").textContent], [[], "Type a number from 0 to 10, then Enter"]);
  press("Backspace", "0", "Enter");
  assert.deepEqual(told(), [[10, "key", null]]);
  assert.equal(answer.actionOf("-"), undefined);
  answer.show(null);
  press("Enter");
  assert.deepEqual([told(), answer.actionOf("Backspace")], [[], undefined]);
});

test("below 0 no sign is needed, and between both it is turned", async () => {
  const below = await begun(WEIGHT, { ends: [-10, 0] });
  below.press("4", "Enter", "0", "Enter");
  assert.deepEqual(below.told(), [[-4, "key", null]]);
  const both = await begun(WEIGHT, { ends: [-5, 5] });
  both.press("3", "-", "Enter", "-", "Enter");
  assert.deepEqual(both.told(), [
    [-3, "key", null],
    [3, "key", null],
  ]);
});

test("keys in the field are the field's, but Enter saves and Escape leaves it", async () => {
  const { press, type, told, left } = await begun(WEIGHT, { ends: [0, 10] });
  press("5");
  let heard = 0;
  document.addEventListener("keydown", () => (heard += 1));
  type("6");
  type("Escape");
  assert.deepEqual([told(), left(), heard], [[], 1, 0]);
  type("Enter");
  assert.deepEqual([told(), left(), heard], [[[5, "key", null]], 2, 0]);
});

test("without such an answer every key is the page's", async () => {
  const { answer } = await begun(LABELS, null);
  assert.deepEqual([answer.actionOf("Enter"), answer.actionOf("1")], [undefined, undefined]);
});
