import assert from "node:assert/strict";
import { test } from "node:test";
import { frameOf, Queue } from "#static/judging/queue.js";
import { open } from "../page.js";

const OPEN = { state: "open", kind: null, grade: null, seq: null, given: null, near: null, later: false };
const MINE = { ...OPEN, state: "mine", kind: "grade" };

/** A queue of eight documents, of which four were judged: c, a, f, and h, which is on its way. */
function begun() {
  const items = [
    { ...MINE, document_id: "a", grade: 1, seq: 5, near: "x" },
    { ...OPEN, document_id: "b" },
    { ...MINE, document_id: "c", grade: 0, seq: 12, given: 2 }, // a later scale made its row another one
    { ...OPEN, document_id: "d", later: true },
    { ...OPEN, document_id: "e", state: "other" },
    { ...MINE, document_id: "f", kind: "can't tell", seq: 9 },
    { ...OPEN, document_id: "g", near: "n" },
    { ...MINE, document_id: "h", grade: 1, near: "n", uuid: "on its way" },
  ];
  const queue = new Queue(/** @type {any} */ (items));
  const order = () => queue.items.map(({ document_id }) => document_id).join("");
  const last = (count = 9) =>
    queue
      .lastJudged(count)
      .map(({ document_id }) => document_id)
      .join("");
  const next = (after, count = 9) => queue.nextOpen(after, count).join("");
  const record = (id, kind = "grade", grade = 1) => queue.record(id, { kind, grade, uuid: `of ${id}`, comment: "so" });
  return { queue, order, last, next, record };
}

test("the next document is the first open one after it, and those put off come last", () => {
  const { queue, next } = begun();
  assert.deepEqual([next("b"), next("g", 2), next(null), next("gone")], ["gbd", "bg", "bgd", "bgd"]);
  assert.deepEqual([queue.nextOpen("f"), queue.nextOpen("g")], [["g"], ["b"]]);
});

test("the neighbours end at both ends", () => {
  const { queue } = begun();
  assert.deepEqual([queue.neighbour("b", -1), queue.neighbour("b", 1)], ["a", "c"]);
  assert.deepEqual([queue.neighbour("a", -1), queue.neighbour("h", 1)], [null, null]);
  assert.deepEqual([queue.neighbour(null, -1), queue.neighbour(null, 1)], ["h", null]);
  assert.deepEqual([queue.neighbour("gone", 1), queue.neighbour("gone", -1)], ["b", null]);
});

test("a near duplicate is the one just before", () => {
  const { queue } = begun();
  assert.deepEqual(
    [..."abdgh"].map((id) => queue.nearBefore(id)),
    [null, null, null, null, "g"],
  );
});

test("what is judged, open, put off and beyond telling is counted", () => {
  const { queue, record } = begun();
  assert.deepEqual([queue.has("h"), queue.has("gone"), queue.has(null)], [true, false, false]);
  const counts = { total: 8, judged: 4, cannotTell: 1, later: 1, open: 3 };
  assert.deepEqual(queue.counts(), counts);
  record("d");
  record("b", "can't tell", null);
  assert.deepEqual(queue.counts(), { ...counts, judged: 5, cannotTell: 2, later: 0, open: 1 });
});

test("the last judged come newest first", () => {
  const { last, record } = begun();
  assert.deepEqual([last(2), last()], ["fa", "fac"]);
  record("b");
  record("c");
  assert.equal(last(), "cbfa");
});

test("going back leaves out what is shown, and goes one further each time", () => {
  const { queue, record } = begun();
  const back = (...shown) => shown.map((id) => queue.previouslyJudged(id));
  assert.deepEqual(back("f", "a", "c"), ["a", "c", null]);
  record("b");
  assert.deepEqual(back(null, "b", "f", "a", "c"), ["b", "f", "a", "c", null]);
});

test("after a judgment or a document that came back, going back begins at the end", () => {
  const { queue, record } = begun();
  assert.equal(queue.previouslyJudged("f"), "a");
  queue.reopen("c", "f");
  assert.equal(queue.previouslyJudged("x"), "f");
  record("b");
  assert.equal(queue.previouslyJudged("x"), "b");
});

test("a judgment is recorded, and one that is cleared leaves the document open", () => {
  const { queue, last, record } = begun();
  record("d");
  assert.deepEqual(queue.item("d"), { ...MINE, document_id: "d", grade: 1, uuid: "of d", comment: "so", rationales: [], chosen: null });
  queue.item("a").later = true;
  record("a", "cleared", null);
  const { state, kind, grade, later } = queue.item("a");
  assert.deepEqual([state, kind, grade, later, last()], ["open", null, null, true, "dfc"]);
});

test("what must be judged again comes after the next open document", () => {
  const { queue, order, last } = begun();
  queue.reopen("a", "f");
  assert.deepEqual(
    [order(), last(), queue.item("a")],
    ["bcdefgah", "fc", { ...OPEN, document_id: "a", comment: "", rationales: [], chosen: null }],
  );
  assert.deepEqual([queue.neighbour("a", 1), queue.neighbour("g", 1)], ["h", "a"]);
});

test("what must be judged again comes after what is shown where nothing else is open", () => {
  const { queue, order, record } = begun();
  for (const id of "bdg") record(id);
  queue.reopen("c", "e");
  assert.equal(order(), "abdecfgh");
  record("c");
  queue.reopen("b", null);
  assert.equal(order(), "adecfghb");
});

test("the server's number is kept, and a later judgment stays on its way", () => {
  const { queue } = begun();
  const acknowledged = (uuid, seq) => {
    queue.acknowledge("h", uuid, seq);
    return [queue.item("h").seq, queue.item("h").uuid];
  };
  assert.deepEqual([acknowledged("an earlier one", 11), acknowledged("on its way", 12)].flat(), [11, "on its way", 12, null]);
  queue.acknowledge("gone", "one", 13);
  assert.equal(queue.has("gone"), false);
});

test("what the server has in force comes back", () => {
  const { queue, last } = begun();
  queue.restore("a", null);
  assert.deepEqual([queue.item("a").state, queue.item("a").seq, last()], ["open", null, "fc"]);
  const current = {
    seq: 7,
    kind: "grade",
    grade: 0,
    comment: "no",
    chosen: null,
    rationales: [{ field: "text", start: 0, end: 3, text: "The" }],
  };
  queue.restore("b", current);
  assert.deepEqual([queue.item("b"), last()], [{ ...MINE, ...current, document_id: "b", uuid: null }, "bfc"]);
});

/**
 * Undo on a page that was opened at a document (null for none) with judgments of other topics at these places of the
 * log; `waiting` is not stored yet, and one document of topic 2 was downloaded.
 */
async function undoing(arrival, seqs, { waiting = [], isCut = false, prepare = (_) => {} } = {}) {
  open("", { address: `http://localhost/?document=${arrival ?? "f&"}${arrival === null ? "" : "&undone=1"}` });
  const { Undo } = await import("#static/judging/undo.js");
  const { queue, record } = begun();
  prepare(record);
  const entries = waiting.map(([uuid, topic_id, order, { kind = "grade", refused = null } = {}]) => ({
    uuid,
    order,
    refused,
    judgment: { log: undefined, topic_id, document_id: `d ${order}`, kind },
  }));
  const data = { elsewhere: seqs.map((seq) => ({ seq, url: `?${seq}` })), topic_id: "1", norming: null };
  const outbox = {
    state: { state: isCut ? "offline" : "saving" },
    entries: () => entries,
    mirror: new Map(entries.map((entry) => [entry.uuid, entry])),
  };
  const offline = { holds: (topic, id) => topic === "2" && id === "d 3001" };
  const undo = new Undo(/** @type {any} */ ({ queue, data, outbox, offline }));
  undo.arrive();
  /** All steps back from a document, up to a page of another topic or the first judgment. */
  const walk = (shown) => {
    const steps = [];
    for (;;) {
      const { documentId, url } = undo.step(shown);
      steps.push(documentId ?? url ?? "");
      if (!documentId) return steps.join(" ");
      shown = documentId;
    }
  };
  return { undo, data, walk };
}

test("undo takes the newest first, of this topic and of others", async () => {
  const walked = async (arrival, shown, ...seqs) => (await undoing(arrival, seqs)).walk(shown);
  assert.equal(await walked(null, "b"), "f a c ");
  assert.equal(await walked("f", "f", 3, 7), "?7");
  assert.equal(await walked("a", "a", 3, 7), "?3");
  assert.equal(await walked("c", "c", 3, 7, 1), "?1");
  assert.equal(await walked("c", "c", 3, 7), "");
});

test("undo begins with what is on its way, and knows what was stored elsewhere since", async () => {
  const { undo } = await undoing(null, [7], { prepare: (record) => record("b") });
  undo.add({ topic_id: "2", document_id: "a b", kind: "grade" }, 12);
  assert.deepEqual([undo.step(null), undo.step("b")], [{ documentId: "b" }, { url: "?topic=2&document=a+b&undone=12" }]);
});

test("undo leads to judgments alone, and not from a norming session", async () => {
  const { undo, data } = await undoing("c", []);
  const judged = { topic_id: "2", kind: "grade" };
  for (const other of [{ topic_id: "1" }, { kind: "cleared" }, { norming: 2 }, { log: "of another campaign" }])
    undo.add({ ...judged, ...other }, 1);
  data.norming = 1;
  undo.add(judged, 1);
  assert.deepEqual(undo.others(), []);
});

const WAITING = [
  ["of b", "1", 3000],
  ["e1", "2", 3001],
  ["of d", "1", 3002],
];
const judgedTwo = (record) => {
  record("b");
  record("d");
};

test("undo leads to what is not stored yet in the order in which it was judged", async () => {
  const waiting = [...WAITING, ["e3", "3", 2999], ["cleared", "2", 3003, { kind: "cleared" }], ["refused", "2", 3004, { refused: {} }]];
  const walked = async (arrival, shown, waits) => (await undoing(arrival, [7], { waiting: waits, prepare: judgedTwo })).walk(shown);
  assert.equal(await walked(null, null, waiting), "d ?topic=2&document=d+3001&undone=3001");
  assert.equal(await walked("b", "b", waiting), "?topic=3&document=d+2999&undone=2999");
  assert.equal(await walked("b", "b", WAITING), "f ?7");
});

test("undo without the server leads to other topics only where they were downloaded", async () => {
  const options = { waiting: [...WAITING.slice(0, 2), ["e2", "2", 3002]], prepare: (record) => record("b") };
  const cut = await undoing(null, [7], { ...options, isCut: true });
  assert.deepEqual([cut.walk(null), cut.undo.isUncut], ["?topic=2&document=d+3001&undone=3001", false]);
  assert.equal((await undoing("b", [7], { ...options, isCut: true })).walk("b"), "f a c ");
  assert.equal((await undoing("b", [7], options)).undo.isUncut, true);
});

test("documents that come into the topic stand at its end, once", () => {
  const { queue, order, next } = begun();
  const items = [..."bij"].map((document_id) => ({ ...OPEN, document_id }));
  assert.deepEqual([queue.add(/** @type {any} */ (items)), order(), next("h")], [2, "abcdefghij", "ijbgd"]);
  assert.deepEqual([queue.item("i").document_id, queue.item("j").document_id, queue.neighbour("h", 1)], ["i", "j", "i"]);
  assert.equal(queue.add([]), 0);
});

test("a document's frame is addressed by its name, and by the near duplicate that it is compared with", () => {
  const { queue } = begun();
  assert.deepEqual(
    ["g", "h"].map((id) => frameOf("/frame?document=", queue.place(id))),
    ["/frame?document=g", "/frame?document=h&against=g"],
  );
  assert.equal(frameOf("/f?d=", { document_id: "a b", against: "c&d" }), "/f?d=a%20b&against=c%26d");
});

test("a judgment of a document that comes again counts on", () => {
  const { queue } = begun();
  assert.deepEqual(queue.history, ["c", "a", "f"]);
  queue.reopen("a", "f");
  assert.equal(queue.counts().total, 9);
  queue.reopen("b", "f");
  assert.equal(queue.counts().total, 9);
  assert.equal(new Queue(queue.items, 11).counts().total, 11);
});

test("what must be judged again may come after the first document", () => {
  const { queue, order, record } = begun();
  for (const id of "dg") record(id);
  queue.items = [queue.item("b"), ...queue.items.filter((item) => item !== queue.item("b"))];
  queue.reopen("c", "f");
  assert.equal(order(), "bcadefgh");
});

test("where the server has nothing a document is open, and says nothing", () => {
  const { queue } = begun();
  queue.restore("a", null);
  const { state, seq, rationales, comment } = queue.item("a");
  assert.deepEqual([state, seq, rationales, comment], ["open", null, [], ""]);
});
