import assert from "node:assert/strict";
import { test } from "node:test";
import { one, open, settled } from "../page.js";

test("several notices are one line until they are asked for", async () => {
  open(`<section><p id=notices hidden><b id=notices-count></b><button id=notices-way aria-expanded=false></button></p>
    <p id=one class=alert hidden>One</p><p id=two class=alert hidden>Two</p><p id=three class='alert alert-open' hidden>Three</p></section>`);
  const { watchNotices } = await import("#static/judging/notices.js");
  watchNotices();
  const section = one("section");
  const seen = async (...shown) => {
    for (const id of ["one", "two", "three"]) one(`#${id}`).hidden = !shown.includes(id);
    await settled();
    return [section.className, one("#notices").hidden ? "" : one("#notices").textContent];
  };
  assert.deepEqual(await seen("one"), ["", ""]);
  assert.deepEqual(await seen("one", "three"), ["", ""], "a decision stays open and is not counted");
  assert.deepEqual(await seen("one", "two", "three"), ["alerts-closed", "2 noticesShow"]);
  one("#notices-way").click();
  assert.deepEqual(await seen("one", "two"), ["", "2 noticesHide"]);
  assert.deepEqual(await seen(), ["", ""]);
  section.append(document.createElement("p"), document.createElement("p"));
  assert.deepEqual(await seen(), ["", "2 noticesHide"]);
  one("#notices-way").click();
  assert.deepEqual(await seen(), ["alerts-closed", "2 noticesShow"]);
});
