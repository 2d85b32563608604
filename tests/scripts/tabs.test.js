import assert from "node:assert/strict";
import { test } from "node:test";
import { hide, open, pass, settled } from "./page.js";

async function begun(number = 1) {
  open();
  const { Tabs } = await import("#static/tabs.js");
  const heard = Array.from({ length: number }, () => []);
  const tabs = heard.map((counts) => new Tabs("topic 1", (count) => counts.push(count)));
  await settled();
  return { tabs, heard };
}

test("tabs of one topic are counted, and announced only when their number changes", async () => {
  const { tabs, heard } = await begun(3);
  const last = () => heard.map((counts) => counts.at(-1));
  assert.deepEqual(last(), [2, 2, 2]);
  assert.equal(new Set(tabs.map(({ id }) => id)).size, 3);
  assert.ok(heard.every((counts) => counts.every((count, at) => count !== counts[at - 1])));
  tabs[2].say("gone");
  tabs[2].say = () => {};
  await settled();
  assert.deepEqual(last(), [1, 1, 2]);
  tabs[1].say = () => {};
  await pass(64_000);
  assert.equal(heard[0].at(-1), 1);
  await pass(22_000);
  assert.equal(heard[0].at(-1), 0, "a tab that is silent for so long is gone");
});

test("a page that comes back asks which other tabs there are", async () => {
  const {
    tabs: [tabs],
  } = await begun();
  const said = [];
  tabs.say = (says) => said.push(says);
  const comes = (persisted) => dispatchEvent(Object.assign(new Event("pageshow"), { persisted }));
  hide(true);
  comes(false);
  assert.deepEqual(said, []);
  hide(false);
  comes(true);
  dispatchEvent(new Event("pagehide"));
  for (const says of /** @type {const} */ (["here", "who is there", "gone"])) tabs.heard({ id: "x", says });
  assert.deepEqual(said, ["who is there", "who is there", "gone", "here"]);
  await pass(20_100);
  assert.equal(said.length, 5);
});
