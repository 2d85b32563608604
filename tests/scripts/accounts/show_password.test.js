import assert from "node:assert/strict";
import { test } from "node:test";
import { each, one, open } from "../page.js";

test("what is typed is shown until the form is sent", async () => {
  open("<form action=/in><input type=password><input type=password><input name=x></form><form id=none></form>");
  await import("#static/accounts/show_password.js");
  const kinds = () => each("input", ({ type }) => type).join(" ");
  const box = one("label input");
  box.click();
  assert.equal(kinds(), "text text checkbox text");
  box.click();
  assert.equal(kinds(), "password password checkbox text");
  box.click();
  document.forms[0].dispatchEvent(new Event("submit"));
  assert.deepEqual([kinds(), box.checked], ["password password checkbox text", false]);
  assert.equal(one("#none").childElementCount, 0);
});
