import assert from "node:assert/strict";
import { test } from "node:test";
import { one, open, pass } from "../page.js";

/** The page has rows up to 10 of the log; this browser sent 12, and another tab of it 13. */
async function begun() {
  open("<p id=other-machine hidden><button id=other-machine-close>");
  const { OtherMachines } = await import("#static/judging/other_machines.js");
  const outbox = { next: /** @type {any} */ (undefined), told: new Map([["u1", 12]]), receipts: { newest: async () => [{ seq: 13 }] } };
  const seen = { refreshed: 0, focused: 0 };
  const refresh = async () => void seen.refreshed++;
  const machines = new OtherMachines(10, /** @type {any} */ (() => outbox), refresh, () => seen.focused++);
  /** Whether the notice is there half a second after these rows were found, and how often the queue was asked for. @param {number[]} rows */
  const found = async (...rows) => {
    for (const row of rows) machines.found(row);
    await pass(500);
    return [isShown(), seen.refreshed];
  };
  return { outbox, seen, machines, found };
}

const isShown = () => !one("#other-machine").hidden;

test("a row that neither the page nor this browser knows is from another machine", async () => {
  const { found } = await begun();
  assert.deepEqual(await found(0, 9, 10), [false, 0]);
  assert.deepEqual(await found(12, 13), [false, 0]);
  assert.deepEqual(await found(12, 14, 13), [true, 1]);
});

test("the notice stays, and the queue is asked for once more for each further row", async () => {
  const { found } = await begun();
  const states = [await found(15), await found(14, 15), await found(16, 18), await found(17)];
  assert.deepEqual(states, [
    [true, 1],
    [true, 1],
    [true, 2],
    [true, 2],
  ]);
});

test("a notice that was closed comes again for a newer row alone", async () => {
  const { found, seen } = await begun();
  await found(15);
  one("button").click();
  assert.deepEqual([isShown(), seen.focused], [false, 1]);
  assert.deepEqual(
    [await found(14, 15), await found(16)],
    [
      [false, 1],
      [true, 2],
    ],
  );
});

test("tabs of this browser have half a second to say what they stored", async () => {
  const { found, machines, outbox, seen } = await begun();
  machines.found(14);
  await pass(499);
  assert.deepEqual([isShown(), seen.refreshed], [false, 0]);
  outbox.told.set("u2", 14);
  assert.deepEqual(
    [await found(), await found(14)],
    [
      [false, 0],
      [false, 0],
    ],
  );
});

test("while something is on its way nothing is concluded", async () => {
  const { found, outbox } = await begun();
  outbox.next = {};
  assert.deepEqual(await found(14), [false, 0]);
  outbox.next = undefined;
  assert.deepEqual(
    [await found(), await found(0)],
    [
      [false, 0],
      [true, 1],
    ],
  );
});

test("without a database what the tabs say counts", async () => {
  const { found, outbox } = await begun();
  outbox.receipts.newest = () => Promise.reject(new Error("no database"));
  assert.deepEqual(
    [await found(12), await found(13)],
    [
      [false, 0],
      [true, 1],
    ],
  );
});
