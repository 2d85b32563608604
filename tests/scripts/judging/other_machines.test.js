import assert from "node:assert/strict";
import { test } from "node:test";
import { open, pass } from "../page.js";

/** The page has rows up to 10 of the log; this browser sent 12, and another tab of it 13. */
async function begun() {
  open();
  const { OtherMachines } = await import("#static/judging/other_machines.js");
  const outbox = { next: /** @type {any} */ (undefined), told: new Map([["u1", 12]]), receipts: { newest: async () => [{ seq: 13 }] } };
  const seen = { found: 0 };
  const machines = new OtherMachines(10, /** @type {any} */ (outbox), async () => void seen.found++);
  /** How often another machine was found, half a second after these rows were. @param {number[]} rows */
  const found = async (...rows) => {
    for (const row of rows) machines.found(row);
    await pass(500);
    return seen.found;
  };
  return { outbox, seen, machines, found };
}

test("a row that neither the page nor this browser knows is from another machine", async () => {
  const { found } = await begun();
  assert.deepEqual([await found(0, 9, 10), await found(12, 13), await found(12, 14, 13)], [0, 0, 1]);
});

test("a row that is newer than those found is from there once more", async () => {
  const { found } = await begun();
  assert.deepEqual([await found(15), await found(14, 15), await found(16, 18), await found(17)], [1, 1, 2, 2]);
});

test("tabs of this browser have half a second to say what they stored", async () => {
  const { found, machines, outbox, seen } = await begun();
  machines.found(14);
  await pass(499);
  assert.equal(seen.found, 0);
  outbox.told.set("u2", 14);
  assert.deepEqual([await found(), await found(14)], [0, 0]);
});

test("while something is on its way nothing is concluded", async () => {
  const { found, outbox } = await begun();
  outbox.next = {};
  assert.equal(await found(14), 0);
  outbox.next = undefined;
  assert.deepEqual([await found(), await found(0)], [0, 1]);
});

test("without a database what the tabs say counts", async () => {
  const { found, outbox } = await begun();
  outbox.receipts.newest = () => Promise.reject(new Error("no database"));
  assert.deepEqual([await found(12), await found(13)], [0, 1]);
});
