import assert from "node:assert/strict";
import { after, test } from "node:test";
import { each, open } from "./page.js";

const { TZ } = process.env;
after(() => Object.assign(process.env, { TZ: TZ ?? "" }));

/** The times of a page, in the reader's zone. @param {string} zone @param {() => Promise<unknown>} load the script */
async function times(zone, load) {
  open("<time datetime=2026-03-01T12:00:00Z>noon</time><time datetime=soon>soon</time><time>ever</time>");
  process.env.TZ = zone;
  await load();
  return each("time", ({ textContent }) => textContent);
}

test("times of the history are in the reader's zone, and what is no time stays", async () => {
  const found = await times("America/New_York", () => import("#static/judging/history.js"));
  assert.deepEqual(found, ["1 Mar 2026, 07:00 EST", "soon", "ever"]);
});

test("the reader's own time is beside a deadline in UTC", async () => {
  const found = await times("Asia/Kolkata", () => import("#static/setup/submissions.js"));
  assert.deepEqual(found, ["noon (1 Mar 2026, 17:30 GMT+5:30, your time)", "soon", "ever"]);
});
