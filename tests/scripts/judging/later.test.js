import assert from "node:assert/strict";
import { test } from "node:test";
import { open, pass, queued, settled } from "../page.js";

/** @param {(sent: any) => Response | Promise<Response>} answer */
async function begun(answer, ...unsent) {
  open("", { answer: ({ body }) => answer(JSON.parse(body)) });
  for (const id of unsent) localStorage.setItem(`workbench:later:small:${id}`, "true");
  const { Queue } = await import("#static/judging/queue.js");
  const { Later } = await import("#static/judging/later.js");
  const queue = new Queue(/** @type {any} */ (["d1", "d2", "d3"].map((id) => queued(id))));
  const later = new Later("small", { later_url: "/later", topic_id: "1", account: "Ben" }, queue);
  const put = () => queue.items.filter((item) => item.later).map(({ document_id }) => document_id);
  return { later, put, kept: () => later.unsent.names() };
}

test("what is postponed counts at once and is sent until the server knows", async () => {
  const sent = [];
  const answers = [503, 401, 429, 200, 404];
  const answer = (one) => {
    sent.push(one);
    return Response.json({}, { status: answers.shift() ?? 200 });
  };
  const { later, put, kept } = await begun(answer, "d3", "gone");
  assert.deepEqual(put(), ["d3"]);
  await pass(14_900);
  assert.deepEqual(
    sent.map(({ document_id }) => document_id),
    ["d3"],
  );
  await pass(200);
  assert.equal(sent.length, 2);
  assert.equal(later.toggle("d1"), true);
  assert.deepEqual(put(), ["d1", "d3"]);
  await settled();
  assert.deepEqual(kept(), ["d1", "d3", "gone"]);
  dispatchEvent(new Event("online"));
  await settled();
  assert.deepEqual(kept(), []);
  assert.deepEqual(
    sent.slice(-3),
    ["d1", "d3", "gone"].map((document_id) => ({ topic_id: "1", document_id, later: true })),
  );
  assert.equal(later.toggle("d1"), false);
  await settled();
  assert.deepEqual(sent.at(-1), { topic_id: "1", document_id: "d1", later: false });
});

test("what is changed while it is sent is sent once more, and what is judged is not", async () => {
  const waiting = [];
  const sent = [];
  const { later, kept } = await begun((one) => {
    sent.push(one.later);
    return new Promise((resolve) => waiting.push(resolve));
  });
  later.toggle("d1");
  later.toggle("d2");
  later.toggle("d1");
  later.judged("d2");
  for (const number of [0, 1]) {
    await settled();
    waiting[number](Response.json({}));
  }
  await settled();
  assert.deepEqual([later.sending, sent, kept()], [false, [true, false], []]);
});
