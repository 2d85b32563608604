import assert from "node:assert/strict";
import { test } from "node:test";
import { namesOf } from "#static/judging/keys.js";
import { open, press } from "../page.js";

test("a key that does something is taken from the browser, and done once while it is held", async () => {
  open();
  const { keyListener } = await import("#static/judging/keys.js");
  const done = [];
  addEventListener(
    "keydown",
    keyListener((name) => ("ab".includes(name) ? () => done.push(name) : undefined)),
  );
  assert.deepEqual([press("a"), press("b", { repeat: true }), press("c")], [false, false, true]);
  assert.deepEqual(done, ["a"]);
});

test("a press means its digit, letter or sign, whatever the keyboard writes", () => {
  const names = (key, code, shiftKey = false) => namesOf(/** @type {KeyboardEvent} */ ({ key, code, shiftKey })).join(" ");
  assert.deepEqual(
    [names("1", "Digit1"), names("&", "Digit1"), names("1", "Digit1", true), names("!", "Digit1", true)],
    ["1", "1 &", "1", "!"],
  );
  assert.deepEqual([names("n", "KeyN"), names("N", "KeyN"), names("N", "KeyN", true), names("т", "KeyN")], ["n", "n", "N n", "т n"]);
  assert.deepEqual([names("?", "Slash", true), names("Enter", "Enter")], ["?", "Enter"]);
  assert.deepEqual([names("End", "Numpad1"), names("1", "Numpad1")], ["End", "1"], "the number pad without NumLock and with it");
});
