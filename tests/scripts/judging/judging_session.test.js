import assert from "node:assert/strict";
import { test } from "node:test";
import { open, settled } from "../page.js";

/** @typedef {{document_id: string, [more: string]: any}} Said */

const ITEM = { state: "open", kind: null, grade: null, seq: null, near: null, later: false };
const PREFERENCES = { campaign: "c", url: "/preferences", values: { ahead: "few" } };
const SHOWN = { document_id: "a", pool: 3, text_hash: "h" };
let campaigns = 0;

/**
 * A session of topic 1 with the documents a, b and c, whose view notes what it is asked for. @param {Record<string, any>} [more] on the page
 * @param {(request: import("../page.js").Request) => [number, object] | null} [said] what the server answers, null for nothing
 */
async function begun(more = {}, said = () => null) {
  const address = more.address ?? "http://localhost/?topic=1";
  open(more.html ?? "", {
    address,
    answer: (request) => {
      const [status, body] = said(request) ?? [0, {}];
      if (!status) throw new TypeError("Failed to fetch");
      return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
    },
  });
  const { JudgingSession } = await import("#static/judging/judging_session.js");
  const data = {
    ...{ campaign: `c${campaigns++}`, account: "Ben", topic_id: "1", log: "l", norming: null, newest: 10, elsewhere: [] },
    ...{ queue: ["a", "b", "c"].map((document_id) => ({ ...ITEM, document_id })), preferences: PREFERENCES, grows: false },
    ...{ judgments_url: "/judgments", queue_url: "/queue", topic_version: 2, guideline_version: 9, offline: {}, ...more },
  };
  /** @type {any[]} */
  const calls = [];
  const heard =
    (/** @type {string} */ name) =>
    (/** @type {any[]} */ ...all) =>
      void calls.push([name, ...all]);
  const view = {
    wanted: /** @type {string | null} */ (null),
    isShown: (/** @type {string} */ documentId) => documentId === view.wanted,
    ...{ open: heard("open"), forget: heard("forget"), keepDraft: heard("draft"), heardVersions: heard("versions") },
    ...{ showAround: heard("around"), showSaving: () => {}, showReady: () => {}, showOtherMachine: heard("other machine") },
    ...{ moreCame: heard("came"), stored: () => void calls.push(["stored"]), preferred: heard("preferred") },
  };
  const session = new JudgingSession(data, view);
  const { queue } = session;
  const item = (/** @type {string} */ documentId) => {
    const { state, grade, seq, uuid } = queue.item(documentId);
    return [state, grade, seq, uuid ?? null];
  };
  const told = () => calls.splice(0);
  return { data, session, queue, view, item, told };
}

/** @param {string} documentId @param {Record<string, any>} [more] */
const judgmentOf = (documentId, more = {}) => ({
  ...{ log: "l", topic_id: "1", document_id: documentId, kind: "grade", grade: 1, comment: "", ...more },
});

/** An entry of the outbox. @param {string} documentId @param {Record<string, any>} [more] @returns {any} */
const entryOf = (documentId, more = {}) => ({ uuid: "u1", judgment: judgmentOf(documentId), refused: null, ...more });

test("what is sent names what was shown, and a cleared judgment says nothing", async () => {
  const { session, queue } = await begun({ norming: 5 });
  queue.item("a").seq = 8;
  const given = { kind: "grade", grade: 1, input: /** @type {const} */ ("key"), note: "n", rationales: [] };
  const { uuid, ...sent } = session.judgmentOf(/** @type {any} */ (SHOWN), given);
  assert.equal(uuid.length, 36);
  const page = { log: "l", topic_id: "1", topic_version: 2, guideline_version: 9, norming: 5 };
  const said = { kind: "grade", grade: 1, replaces: 8, active_seconds: 0, comment: "n", rationales: [], input: "key", same_as: null };
  assert.deepEqual(sent, { ...page, ...SHOWN, ...said, client_at: "2026-03-01T13:00:00.000Z" });
  const cleared = session.judgmentOf(/** @type {any} */ (SHOWN), { ...given, kind: "cleared", grade: null });
  assert.deepEqual([cleared.comment, cleared.rationales], ["", []]);
});

test("a judgment counts as made at once, is postponed no longer, and follows one that is on its way", async () => {
  const { session, queue, item } = await begun();
  await session.begin();
  session.later.toggle("a");
  const given = { kind: "grade", grade: 1, input: /** @type {const} */ ("key"), note: "", rationales: [] };
  const first = session.judgmentOf(/** @type {any} */ (SHOWN), given);
  void session.keep(first);
  assert.deepEqual([item("a"), queue.item("a").later, session.areUnsent()], [["mine", 1, null, first.uuid], false, true]);
  await session.keep(session.judgmentOf(/** @type {any} */ (SHOWN), { ...given, grade: 0 }));
  assert.deepEqual(
    session.outbox.entries().map(({ judgment, after }) => [judgment.grade, after]),
    [
      [1, null],
      [0, first.uuid],
    ],
  );
});

test("a judgment is of this topic, of its documents and of its norming session", async () => {
  for (const [norming, changes, isHere] of /** @type {const} */ ([
    [null, {}, true],
    [null, { topic_id: "2" }, false],
    [null, { log: "other" }, false],
    [null, { document_id: "x" }, false],
    [null, { norming: 3 }, false],
    [3, { norming: 3 }, true],
    [3, {}, false],
  ])) {
    const { session } = await begun({ norming });
    assert.equal(session.isHere(judgmentOf("a", changes)), isHere, JSON.stringify([norming, changes]));
  }
});

test("what is refused or of another topic is not on its way", async () => {
  const { session } = await begun();
  const isUnsent = (/** @type {Record<string, any>} */ more) => {
    session.outbox.entries = () => [entryOf("a", more)];
    return session.areUnsent();
  };
  assert.deepEqual([{}, { refused: {} }, { judgment: judgmentOf("a", { topic_id: "2" }) }].map(isUnsent), [true, false, false]);
});

test("what an answer says of versions and texts is heard", async () => {
  let body = {};
  const { session, told } = await begun({}, () => [200, body]);
  const post = async (more = {}) => {
    const { status } = await session.post(judgmentOf("a", more));
    return [status, ...told()];
  };
  assert.deepEqual(await post(), [200]);
  const versions = { topic: 1, guidelines: 2 };
  body = { versions };
  assert.deepEqual(await post(), [200, ["versions", versions, true]]);
  assert.deepEqual(await post({ topic_id: "2" }), [200, ["versions", versions, false]]);
  session.texts.take([{ document_id: "a", against: null, html: "text" }]);
  body = { reason: "text changed" };
  assert.deepEqual([await post(), session.texts.size], [[200], 0]);
});

test("a judgment that was replaced elsewhere brings what was judged there", async () => {
  const there = ["a", "x"].map((document_id) => ({ ...ITEM, document_id, state: "mine", kind: "grade", grade: 2, seq: 5 }));
  let status = 200;
  const { session, queue, item, told } = await begun({}, ({ path }) =>
    path === "/queue" ? (status ? [status, { queue: there }] : null) : [409, { reason: "replaced elsewhere", current: { seq: 5 } }],
  );
  await session.post(judgmentOf("a"));
  await settled();
  assert.deepEqual(
    [told(), item("a")],
    [
      [["forget", "a"], ["around"]],
      ["mine", 2, 5, null],
    ],
  );
  queue.item("a").seq = 1;
  for (status of [401, 0]) {
    await session.refresh();
    assert.deepEqual([told(), item("a")[2]], [[["around"]], 1]);
  }
});

test("a norming session asks for no queue", async () => {
  const { session, told } = await begun({ norming: 3 }, () => {
    throw new Error("asked");
  });
  await session.refresh();
  assert.deepEqual(told(), [["around"]]);
});

test("where a document is open again the view goes on with it", async () => {
  const queue = [{ ...ITEM, document_id: "a", state: "mine", kind: "grade", grade: 2, seq: 5 }];
  const { session, told } = await begun({}, () => [200, { queue }]);
  const news = async () => {
    await session.refresh();
    return told().at(-1);
  };
  assert.deepEqual(await news(), ["around"]);
  queue.push({ ...queue[0], document_id: "c", state: "open" });
  assert.deepEqual([await news(), await news()], [["came"], ["around"]]);
});

test("only what is newer than what is here is taken from the server", async () => {
  const { session, queue, item, view, told } = await begun();
  const taken = (/** @type {object} */ here, /** @type {object} */ there) => {
    Object.assign(queue.item("a"), { state: "mine", grade: 1, seq: 4, uuid: null, ...here });
    session.take({ ...ITEM, document_id: "a", state: "mine", kind: "grade", grade: 2, seq: 5, ...there });
    return [item("a")[1], told().length];
  };
  const forgotten = [2, 1];
  const left = [1, 0];
  assert.deepEqual([taken({}, {}), taken({ seq: null }, { seq: 1 })], [forgotten, forgotten]);
  assert.deepEqual([taken({}, { seq: 4 }), taken({}, { seq: null }), taken({ uuid: "u" }, {})], [left, left, left]);
  assert.deepEqual([taken({ seq: null }, { seq: 0 }), taken({ seq: null }, { seq: null })], [left, left]);
  assert.deepEqual(taken({}, { document_id: "x" }), left);
  view.wanted = "a";
  assert.deepEqual(taken({}, {}), [2, 0]);
});

for (const state of /** @type {const} */ (["open", "other"])) {
  test(`a judgment that was cleared elsewhere is none here either, where the document is then ${state}`, async () => {
    const { session, queue, item, told } = await begun();
    queue.restore("a", { seq: 4, kind: "grade", grade: 1, comment: "", rationales: [] });
    session.take({ ...ITEM, document_id: "a", state, seq: 5 });
    assert.deepEqual([item("a"), queue.item("a").kind, queue.history], [[state, null, 5, null], null, []]);
    assert.deepEqual(told(), [["forget", "a"]]);
  });
}

test("the server's word on my judgment counts unless a newer one is here", async () => {
  const { session, queue } = await begun();
  const mine = { seq: 5, kind: "grade", grade: 2, comment: "why", rationales: [] };
  const learnt = (/** @type {object} */ here, /** @type {object | null} */ there) => {
    Object.assign(queue.item("a"), { ...ITEM, comment: "", uuid: null, ...here });
    return [session.learn(/** @type {any} */ ({ document_id: "a", mine: there })), queue.item("a").comment];
  };
  const news = [true, "why"];
  assert.deepEqual([learnt({ seq: 4 }, mine), learnt({}, mine), learnt({}, { ...mine, seq: 1 })], [news, news, news]);
  assert.deepEqual(learnt({ seq: 5 }, mine), [false, "why"]);
  const left = [false, ""];
  assert.deepEqual([learnt({ seq: 6 }, mine), learnt({ seq: 4, uuid: "u" }, mine), learnt({ seq: 5 }, null)], [left, left, left]);
  assert.deepEqual(learnt({ seq: 5 }, { ...mine, kind: "cleared" }), left);
});

test("what is stored is acknowledged or comes from another tab", async () => {
  const { session, queue, item, told } = await begun();
  queue.record("a", { kind: "grade", grade: 1, uuid: "u1", comment: "" });
  const stored = (/** @type {object} */ row, /** @type {number} */ former = NaN) => {
    session.stored(entryOf("a"), { kind: "grade", grade: 0, comment: "", ...row }, Number.isNaN(former) ? undefined : former);
    return [item("a"), told()];
  };
  assert.deepEqual(stored({ seq: 7 }), [["mine", 1, 7, null], [["stored"]]]);
  assert.deepEqual(stored({ seq: 9 }, 7), [["mine", 1, 9, null], [["stored"]]]);
  assert.deepEqual(stored({ seq: 9 }), [["mine", 1, 9, null], [["stored"]]]);
  assert.deepEqual(stored({ seq: 12 }, 3), [
    ["mine", 0, 12, null],
    [["around"], ["stored"]],
  ]);
  session.stored(entryOf("c"), { seq: 13, kind: "grade", grade: 1, comment: "", again: "a" });
  assert.deepEqual([item("a")[0], told()], ["open", [["around"], ["forget", "a"], ["around"], ["stored"]]]);
});

test("a document is judged again unless it is shown or on its way", async () => {
  const { session, queue, view, item, told } = await begun();
  queue.restore("a", { seq: 3, kind: "grade", grade: 1, comment: "", rationales: [] });
  view.wanted = "a";
  for (const documentId of ["x", "a"]) session.again(documentId);
  view.wanted = null;
  queue.item("a").uuid = "u";
  session.again("a");
  assert.deepEqual([item("a")[0], told()], ["mine", []]);
  queue.item("a").uuid = null;
  session.again("a");
  assert.deepEqual([item("a")[0], told()], ["open", [["forget", "a"], ["around"]]]);
});

test("a judgment that travels under a new uuid is known by it", async () => {
  const { session, queue, item } = await begun();
  queue.record("a", { kind: "grade", grade: 1, uuid: "u0", comment: "" });
  session.renewed(entryOf("a"), "none");
  session.renewed(entryOf("a", { judgment: judgmentOf("a", { topic_id: "2" }) }), "u0");
  assert.equal(item("a")[3], "u0");
  session.renewed(entryOf("a"), "u0");
  assert.equal(item("a")[3], "u1");
});

test("what was given up is as the server has it, and its note is kept", async () => {
  const { session, queue, view, item, told } = await begun();
  const refused = (/** @type {string} */ documentId, /** @type {string} */ reason, /** @type {object | undefined} */ current) =>
    entryOf(documentId, { judgment: judgmentOf(documentId, { comment: "my note" }), refused: { reason, current } });
  queue.record("a", { kind: "grade", grade: 1, uuid: "u1", comment: "" });
  session.discarded(refused("a", "form", { seq: 2, kind: "grade", grade: 3, comment: "", rationales: [] }));
  assert.deepEqual(item("a"), ["mine", 3, 2, null]);
  assert.deepEqual(told(), [["draft", "a", "my note"], ["forget", "a"], ["around"]]);
  view.wanted = "b";
  session.discarded(refused("b", "judged by another", undefined));
  assert.deepEqual(
    [item("b")[0], told().slice(1)],
    [
      "other",
      [
        ["forget", "b"],
        ["open", "b"],
      ],
    ],
  );
  session.discarded(entryOf("c"));
  assert.equal(item("c")[0], "open");
  told();
  session.discarded(entryOf("a", { judgment: judgmentOf("a", { topic_id: "2" }) }));
  assert.deepEqual(told(), []);
});

/** Begins a session where these judgments are unsent, and these were acknowledged. @param {any} parts @param {any[]} unsent @param {any[]} acknowledged */
async function judgedEarlier({ session }, unsent, acknowledged) {
  /** @type {number[]} */
  const since = [];
  session.outbox.ready = async () => {};
  session.outbox.mirror = new Map(unsent.filter(({ isStored }) => !isStored).map((entry) => [entry.uuid, entry]));
  session.outbox.entries = () => unsent;
  session.outbox.receipts.since = async (/** @type {number} */ time) => {
    since.push(time);
    return acknowledged;
  };
  await session.begin();
  return since;
}

test("what is unsent or was acknowledged since the page began counts as judged, and leads undo into other topics", async () => {
  const parts = await begun();
  const now = performance.timeOrigin + 1;
  const sent = (/** @type {string} */ documentId, /** @type {number} */ seq, more = {}) => ({
    seq,
    time: now,
    judgment: judgmentOf(documentId, more),
  });
  const unsent = [
    entryOf("a"),
    entryOf("b", { uuid: "u2", judgment: judgmentOf("b", { topic_id: "2" }) }),
    entryOf("c", { uuid: "u3", isStored: true }),
  ];
  const since = await judgedEarlier(parts, unsent, [
    ...[
      sent("a", 9),
      sent("c", 3, { grade: 2, comment: "c", rationales: [{ start: 1 }] }),
      sent("c", 2),
      sent("none", 4, { topic_id: "2" }),
    ],
  ]);
  const { queue, item, session } = parts;
  assert.deepEqual(since, [performance.timeOrigin]);
  assert.deepEqual(["a", "b", "c"].map(item), [
    ["mine", 1, 9, "u1"],
    ["open", null, null, null],
    ["mine", 2, 3, null],
  ]);
  assert.deepEqual([queue.item("c").comment, queue.item("c").rationales?.length, queue.history.join("")], ["c", 1, "ca"]);
  assert.deepEqual(
    session.undoing.elsewhere.map(({ seq }) => seq),
    [4],
  );
});

test("a page that may have been fetched ahead knows what was acknowledged since it was made", async () => {
  const parts = await begun({ address: "http://localhost/?topic=1&after=2" });
  const ago = (/** @type {number} */ minutes) => performance.timeOrigin - 60_000 * minutes;
  const sent = (/** @type {string} */ documentId, /** @type {number} */ seq, /** @type {number} */ minutes) => ({
    ...{ seq, time: ago(minutes), judgment: judgmentOf(documentId) },
  });
  assert.deepEqual(await judgedEarlier(parts, [], [sent("a", 11, 4), sent("b", 10, 4), sent("c", 9, -1)]), [ago(10)]);
  assert.deepEqual(
    ["a", "b", "c"].map((documentId) => parts.item(documentId)[0]),
    ["mine", "open", "mine"],
  );
});

test("a downloaded page knows what was acknowledged since it was downloaded", async () => {
  const parts = await begun({ html: "<meta name=downloaded content=2026-01-02T03:04:05Z>" });
  const time = Date.parse("2026-01-02T03:04:05Z");
  assert.deepEqual(await judgedEarlier(parts, [], [{ seq: 1, time, judgment: judgmentOf("b") }]), [time]);
  assert.deepEqual(parts.item("b"), ["mine", 1, 1, null]);
});

test("a decision of adjudication among the judgments counts for no document, and goes where its form says", async () => {
  const { session, queue, item, told } = await begun();
  const decision = { url: "/adjudicate", fields: { grade: "1", uuid: "old" }, words: "" };
  const judgment = judgmentOf("a", { uuid: "u1", decision });
  assert.deepEqual([session.isHere(judgment), session.undoing.isElsewhere({ ...judgment, topic_id: "2" })], [false, false]);
  session.stored(entryOf("a", { judgment }), { seq: 9, next: "/next" });
  assert.deepEqual([item("a"), queue.history, session.undoing.elsewhere, told()], [["open", null, null, null], [], [], [["stored"]]]);
});

test("what a session is made of tells the view of what happens", async () => {
  const { session, view, told } = await begun({ elsewhere: [{ seq: 3, url: "?topic=9" }] });
  assert.equal(session.undoing.elsewhere.length, 1);
  assert.equal(session.texts.ahead(), "few");
  void session.preferences.set("ahead", "many");
  assert.deepEqual([told(), session.texts.ahead()], [[["preferred", "ahead"]], "many"]);
  const calls = [];
  view.showReady = () => void calls.push("ready");
  view.showSaving = () => void calls.push("saving");
  session.texts.onchange();
  session.outbox.listener.onchange();
  assert.deepEqual(calls, ["ready", "saving"]);
  session.more.oncame();
  assert.deepEqual([session.more.areUnsent(), told()], [false, [["came"]]]);
  const entry = entryOf("a");
  session.outbox.listener.onstored(entry, { seq: 4, kind: "grade", grade: 1, comment: "" });
  assert.deepEqual(told(), [["around"], ["stored"]]);
  session.queue.item("a").uuid = "before";
  session.outbox.listener.onrenewed?.(entryOf("a", { uuid: "after" }), "before");
  assert.equal(session.queue.item("a").uuid, "after");
  session.outbox.listener.ondiscarded?.(entry);
  assert.deepEqual(told()[0], ["draft", "a", ""]);
  await session.machines.onfound();
  assert.deepEqual(told().at(-2), ["other machine"]);
  await settled();
});

test("what a view does not show it is not asked for", async () => {
  const versions = { topic: 3, guidelines: 9 };
  const { session, queue, view } = await begun({}, ({ path }) =>
    path === "/queue" ? [200, { queue: [{ ...ITEM, document_id: "b", seq: 20 }] }] : [409, { versions, reason: "replaced elsewhere" }],
  );
  const { stored, showSaving } = view;
  session.view = { stored, showSaving };
  await session.post(judgmentOf("a"));
  await session.machines.onfound();
  await settled();
  session.texts.onchange();
  session.more.oncame();
  void session.preferences.set("ahead", "topic");
  session.stored(entryOf("a"), { seq: 30, kind: "grade", grade: 1, comment: "", again: "c" });
  session.again("a");
  session.view.wanted = "b";
  session.discarded(entryOf("b"));
  session.discarded(entryOf("c"));
  assert.deepEqual([queue.item("a").state, queue.item("b").seq], ["open", null]);
  await settled();
});

test("judgments of this topic are on their way while any of those that wait is", async () => {
  const { session } = await begun();
  await session.outbox.ready();
  for (const [uuid, topic_id] of [
    ["u1", "2"],
    ["u2", "1"],
  ]) {
    void session.outbox.add(judgmentOf("a", { uuid, topic_id }), null);
  }
  assert.equal(session.areUnsent(), true);
  await settled();
});

test("a judgment may bring more documents, and one that is kept is postponed no longer", async () => {
  const { session } = await begun({ grows: true });
  const given = { kind: "grade", grade: 1, input: /** @type {const} */ ("key"), note: "", rationales: [] };
  session.later.unsent.put("a", true);
  void session.keep(session.judgmentOf(/** @type {any} */ (SHOWN), given));
  assert.deepEqual([session.more.areAwaited, session.later.unsent.names()], [true, []]);
  session.more.areAwaited = false;
  session.stored(entryOf("a"), { seq: 4, kind: "grade", grade: 1, comment: "" });
  assert.equal(session.more.areAwaited, true);
  await settled();
});

test("undo goes on from the document with which it opened the page", async () => {
  const address = "http://localhost/?topic=1&document=a&undone=7";
  const queue = ["a", "b"].map((document_id, at) => ({ ...ITEM, document_id, state: "mine", kind: "grade", grade: 1, seq: at + 1 }));
  const { session } = await begun({ address, queue });
  await session.begin();
  assert.equal(session.queue.undone, 2);
});

test("only a text that changed makes the others that were fetched worthless", async () => {
  const { session } = await begun({}, () => [409, { reason: "bad grade" }]);
  const forgotten = [];
  session.offline.forget = (judgment) => void forgotten.push(judgment.document_id);
  session.texts.take([{ document_id: "a", against: null, html: "text" }]);
  await session.post(judgmentOf("a"));
  assert.deepEqual([session.texts.size, forgotten], [4, []]);
});

test("a decision goes to the address of its form, with its fields", async () => {
  const posted = [];
  const { session } = await begun({}, ({ path, body }) => {
    posted.push(path, String(body));
    return [200, { next: "/next", seq: 12, repeated: false }];
  });
  const decision = { url: "/adjudicate", fields: { grade: "1", uuid: "old" }, words: "" };
  const { body } = await session.post(judgmentOf("a", { uuid: "u1", decision }));
  assert.deepEqual([posted, body.stored.next, body.stored.seq], [["/adjudicate", "grade=1&uuid=u1&log=l"], "/next", 12]);
});
