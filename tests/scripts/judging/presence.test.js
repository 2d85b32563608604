import assert from "node:assert/strict";
import { test } from "node:test";
import { hide, open } from "../page.js";

test("coming back is coming from another window and not from a frame", async () => {
  open();
  const { whenBack } = await import("#static/judging/presence.js");
  let returns = 0;
  whenBack(() => returns++);
  const after = (name, hasFocus) => {
    document.hasFocus = () => hasFocus;
    dispatchEvent(new Event(name));
    return returns;
  };
  assert.deepEqual([after("focus", true), after("blur", true), after("focus", true)], [0, 0, 0]);
  assert.deepEqual([after("blur", false), after("focus", true), after("focus", true)], [0, 1, 1]);
  hide(true);
  assert.equal(returns, 1);
  hide(false);
  assert.equal(returns, 2);
});
