import assert from "node:assert/strict";
import { test } from "node:test";
import { give, hide, one, open, pass } from "./page.js";

const HTML = `<head><meta name=edition content=e1><meta name=form content=f1></head><div class=alerts><p>Alert</p></div>
  <main>Text</main><input id=field>`;

/** @param {{when?: string, isWatched?: boolean}} [options] whether the page itself knows when it may go */
async function begun({ when, isWatched = true } = {}, html = HTML) {
  open(html);
  const state = { leaves: 0, may: true };
  give("reload", () => state.leaves++, location);
  const version = await import("#static/page_version.js");
  if (isWatched)
    version.watchOver(
      () => state.may,
      () => state.leaves++,
      when,
    );
  const answered = (edition) => version.heard(new Headers(edition === null ? {} : { "X-Workbench-Edition": edition }));
  const renewed = () => {
    version.renew();
    return state.leaves;
  };
  return { ...version, state, answered, renewed };
}

const lines = () => document.querySelectorAll("#newer").length;

test("a page says once that another edition answers", async () => {
  const { FORM, state, answered, renewed } = await begun({ when: "It reloads soon." });
  assert.deepEqual(FORM, { "X-Workbench-Form": "f1", "X-Workbench-Edition": "e1", "X-Workbench-Language": "en" });
  answered(null);
  answered("e1");
  assert.deepEqual([lines(), renewed()], [0, 0]);
  for (const edition of ["e2", "e2", "e3"]) answered(edition);
  assert.match(one("#newer").textContent, /updated .* It reloads soon\. /);
  assert.equal(one(".alerts").firstChild.id, "newer");
  one("#newer button").click();
  assert.equal(state.leaves, 1);
});

test("a page without an edition says nothing", async () => {
  const { FORM, answered } = await begun({ isWatched: false }, "<main>Text</main>");
  answered("e2");
  assert.deepEqual([FORM, lines()], [{}, 0]);
});

test("a page is left when nothing is lost, and once for each edition", async () => {
  const { state, answered, renewed } = await begun();
  state.may = false;
  answered("e2");
  assert.equal(renewed(), 0);
  state.may = true;
  assert.deepEqual([renewed(), renewed()], [1, 1]);
  answered("e3");
  assert.equal(renewed(), 2);
  answered("e4");
  hide(true);
  assert.equal(state.leaves, 3);
  hide(false);
  assert.equal(state.leaves, 3);
  give("sessionStorage", undefined);
  answered("e5");
  assert.equal(renewed(), 3, "without a memory it would be tried for ever");
});

test("a page that is hidden when it hears of it goes at once", async () => {
  const { state, answered } = await begun();
  hide(true);
  answered("e2");
  assert.equal(state.leaves, 1);
});

test("a page that is only read goes when it was not touched for a minute", async () => {
  const { state, answered } = await begun({ isWatched: false });
  answered("e2");
  await pass(45_000);
  for (const sign of ["keydown", "pointerdown", "wheel"]) {
    one("main").dispatchEvent(new Event(sign, { bubbles: true }));
    await pass(45_000);
  }
  assert.deepEqual([lines(), state.leaves], [1, 0]);
  await pass(30_000);
  assert.equal(state.leaves, 1);
});

test("a page into which something was typed stays", async () => {
  const { state, answered } = await begun({ isWatched: false });
  one("#field").dispatchEvent(new Event("input", { bubbles: true }));
  answered("e2");
  hide(true);
  await pass(600_000);
  assert.deepEqual([lines(), state.leaves], [1, 0]);
  one("#newer button").click();
  assert.equal(state.leaves, 1);
});
