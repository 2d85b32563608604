import assert from "node:assert/strict";
import { test } from "node:test";
import { open, pass } from "../page.js";

/** A topic with five open documents. */
async function begun(grows = true) {
  const state = { open: 5, asked: 0, came: 0, unsent: false, added: 0, status: 200, awaited: true };
  open("", { answer: () => Response.json({ queue: [++state.asked], awaited: state.awaited }, { status: state.status }) });
  const { MoreDocuments } = await import("#static/judging/more_documents.js");
  const queue = { counts: () => state, add: (items) => (state.added += items.length) };
  const more = new MoreDocuments(
    { grows, queue_url: "/queue" },
    /** @type {any} */ (queue),
    () => state.came++,
    () => state.unsent,
  );
  const seen = () => [state.asked, state.added, state.came, more.areAwaited];
  return { more, state, seen };
}

for (const { grows, left, asks } of [
  { grows: true, left: 5, asks: 1 },
  { grows: true, left: 6, asks: 0 },
  { grows: false, left: 0, asks: 0 },
]) {
  test(`with ${left} left of a pool that ${grows ? "grows" : "is fixed"}, more is asked for ${asks} times`, async () => {
    const { more, state, seen } = await begun(grows);
    Object.assign(state, { open: left, awaited: false });
    more.stored();
    await pass(1_000);
    assert.deepEqual(seen(), [asks, asks, asks, false]);
  });
}

test("it is asked again until none is awaited, and those that came are announced at once", async () => {
  const { more, state, seen } = await begun();
  const after = async (change) => {
    Object.assign(state, change);
    await more.ask();
    return seen();
  };
  assert.deepEqual(await after({}), [1, 1, 1, true]);
  assert.deepEqual(await after({ open: 0 }), [2, 2, 1, true], "nothing to go on with, and more may come");
  assert.deepEqual(await after({ status: 503 }), [3, 2, 1, true]);
  assert.deepEqual(await after({ status: 200, awaited: false }), [4, 3, 2, false]);
  state.awaited = true;
  more.asked = 48;
  assert.equal((await after({}))[3], true);
  assert.equal((await after({}))[3], false, "50 questions are enough");
  more.judged();
  assert.deepEqual([more.asked, more.areAwaited], [0, true]);
});

test("no topic is complete while the server does not answer or lacks a judgment", async () => {
  const { more, state, seen } = await begun();
  Object.assign(state, { open: 0, status: 503 });
  more.stored();
  await pass(600_000);
  assert.deepEqual(seen().slice(2), [0, true]);
  Object.assign(state, { status: 200, awaited: false, unsent: true });
  await pass(600_000);
  assert.deepEqual(seen().slice(2), [0, true]);
  state.unsent = false;
  more.stored();
  await pass(100);
  assert.deepEqual(seen().slice(2), [1, false]);
});

test("a judgment that is stored late brings what is chosen by it", async () => {
  const { more, state, seen } = await begun();
  Object.assign(state, { open: 0, awaited: false });
  more.stored();
  await pass(1_000);
  assert.deepEqual(seen(), [1, 1, 1, false]);
  state.open = 3;
  more.stored();
  await pass(1_000);
  assert.deepEqual(seen(), [2, 2, 2, false]);
});
