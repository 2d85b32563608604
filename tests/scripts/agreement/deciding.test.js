import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { open, pass, settled } from "../page.js";

/** Wilma's decisions, and a server that answers each with the next of `answers`, or not at all. */
async function begun() {
  const state = { sent: [], answers: [], calls: [] };
  const answer = ({ body }) => {
    state.sent.push(String(body));
    const [status, answered] = state.answers.shift() ?? [];
    if (!status) throw new TypeError("no network");
    return Response.json(answered, { status });
  };
  open("", { answer });
  mock.method(Math, "random", () => 0.5);
  const { Deciding } = await import("#static/agreement/deciding.js");
  const deciding = new Deciding("small", "Wilma", {
    onwait: (trouble, { words }) => state.calls.push(`wait ${trouble || words}`),
    onstored: ({ words }, next) => state.calls.push(`stored ${words}, ${next}`),
    onrefused: ({ words }, message) => state.calls.push(`refused ${words}, ${message}`),
  });
  const decide = (uuid) => deciding.send({ url: "/decide", fields: { uuid, grade: "1" }, words: uuid });
  return { ...state, state, deciding, decide };
}

test("a decision is kept until the server has said what became of it", async () => {
  const { deciding, decide, sent, answers, calls } = await begun();
  answers.push([200, { next: "/next" }], [409, { reason: "replaced", message: "Too late" }]);
  for (const uuid of ["a", "b"]) {
    decide(uuid);
    assert.deepEqual(deciding.kept.names(), [uuid]);
    await settled();
    assert.deepEqual([deciding.entry, deciding.kept.names()], [null, []]);
  }
  assert.deepEqual(sent, ["uuid=a&grade=1", "uuid=b&grade=1"]);
  assert.deepEqual(calls, ["wait a", "stored a, /next", "wait b", "refused b, Too late"]);
});

test("it is sent again ever later, up to half a minute, and at once when the network is back", async () => {
  const { deciding, decide, sent, answers, calls } = await begun();
  answers.push([0], [401, {}], [409, { reason: "other version" }], ...Array(5).fill([500, {}]), [200, {}], [200, { next: "x" }]);
  decide("a");
  await settled();
  for (const [number, seconds] of [1, 2, 4, 8, 16, 30, 30].entries()) {
    await pass(seconds * 1000 - 1);
    assert.equal(sent.length, number + 1);
    await pass(1);
    assert.equal(sent.length, number + 2);
  }
  dispatchEvent(new Event("online"));
  await settled();
  assert.equal(sent.length, 9);
  await pass(1000);
  const offline = Array(6).fill("wait offline");
  assert.deepEqual(calls, ["wait a", "wait offline", "wait signed out", "wait outdated", ...offline, "stored a, x"]);
  dispatchEvent(new Event("online"));
  await settled();
  assert.deepEqual([deciding.entry, sent.length], [null, 10]);
});

test("what an earlier page has left is sent, and what is no decision is dropped", async () => {
  const { deciding, sent, answers, calls } = await begun();
  deciding.resume();
  localStorage.setItem("workbench:adjudication:small:broken", "{");
  deciding.resume();
  assert.deepEqual([calls, deciding.kept.names()], [[], []]);
  deciding.kept.put("c", { url: "/decide", fields: { uuid: "c" }, words: "c" });
  answers.push([200, { next: "x" }]);
  deciding.resume();
  await settled();
  assert.deepEqual([sent, calls], [["uuid=c"], ["wait c", "stored c, x"]]);
});
