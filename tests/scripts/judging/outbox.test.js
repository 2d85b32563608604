import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { open, pass, settled } from "../page.js";

/** @typedef {Record<string, any>} Judgment */
/** @typedef {(judgment: Judgment) => any} Answer null where the server does not respond */

/** A judgment of topic 1. @param {string} uuid @returns {Judgment} */
const judgment = (uuid, grade = 1, document_id = "d1") => ({
  uuid,
  log: "log 1",
  topic_id: "1",
  document_id,
  kind: "grade",
  grade,
  text_hash: "h",
  replaces: null,
});

/** The server refuses a judgment. @param {string} reason @returns {Answer} */
const refuse =
  (reason, more = {}) =>
  () => ({ status: 409, body: { reason, message: "no", ...more } });

const unreachable = () => null;

/** The outbox of Ben in the campaign `small`, and a server that stores what no other answer is put in for. */
async function begun() {
  open();
  mock.method(Math, "random", () => 0.5);
  const { Outbox } = await import("#static/judging/outbox.js");
  const state = {
    sent: [],
    heard: [],
    answers: [],
    asked: [],
    unknown: /** @type {any} */ ({ status: 200, body: { unknown: [], log: "log 1" } }),
    seq: 0,
  };
  const stored = (one, more = {}) => ({
    status: 201,
    body: { stored: { ...one, seq: ++state.seq, ...more }, repeated: false },
  });
  const post = async (one) => {
    state.sent.push(one);
    const answer = (state.answers.shift() ?? stored)(one);
    if (!answer) throw new TypeError("no network");
    return answer;
  };
  const listener = {
    onchange() {},
    onstored: ({ uuid }, { seq }, former) => state.heard.push(["stored", uuid, seq, ...(former ? [former] : [])]),
    onrenewed: ({ judgment }, uuid) => state.heard.push(["renewed", judgment.document_id, uuid]),
    ondiscarded: ({ uuid }) => state.heard.push(["discarded", uuid]),
  };
  const ask = async (uuids) => {
    state.asked.push(uuids);
    return state.unknown;
  };
  const openOutbox = (account = "Ben", campaign = "small", log = "log 1") =>
    new Outbox(/** @type {any} */ ({ campaign, account, log }), post, listener, ask);
  const page = {
    state,
    stored,
    openOutbox,
    listener,
    outbox: openOutbox(),
    /** Another page of the browser begins. @param {InstanceType<typeof Outbox>} outbox */
    async use(outbox) {
      page.outbox = outbox;
      await outbox.ready();
      await outbox.run();
    },
    add: (uuid, after = null, grade = 1, document_id = "d1") => page.outbox.add(judgment(uuid, grade, document_id), after),
    /** Adds judgments and sends what waits. @param {string[]} uuids @param {Answer[]} answers of the server to what is sent first */
    async send(uuids, ...answers) {
      state.answers.push(...answers);
      for (const uuid of uuids) await page.add(uuid);
      await page.outbox.run();
      await settled();
    },
    waiting: () => page.outbox.entries().map(({ uuid }) => uuid),
    /** What was sent since, each by its fields. @param {string} fields @param {number} from */
    sentAs: (fields, from = 0) =>
      state.sent.slice(from).map((one) =>
        fields
          .split(" ")
          .map((field) => String(one[field]))
          .join(" "),
      ),
  };
  await page.outbox.ready();
  return page;
}

test("what is kept is sent a moment later, and the page hears of it once", async () => {
  const { outbox, state, add, sentAs } = await begun();
  await add("a");
  await add("b", "a", 2);
  assert.deepEqual([state.sent.length, outbox.state.state, outbox.state.waiting], [0, "saving", 2]);
  await pass(49);
  assert.equal(state.sent.length, 0);
  await pass(1);
  assert.deepEqual([outbox.state.state, ...sentAs("uuid replaces")], ["saved", "a null", "b 1"]);
  assert.equal(state.heard.join(" "), "stored,a,1 stored,b,2");
  const known = await outbox.receipts.known(["b", "gone", "a"]);
  assert.deepEqual(
    known.map(({ uuid, seq }) => `${uuid} ${seq}`),
    ["b 2", "a 1"],
  );
});

test("it tries again ever later, up to half a minute, and at once when asked to", async () => {
  const { outbox, state, add } = await begun();
  state.answers.push(...Array(8).fill(unreachable));
  await add("a");
  await pass(50);
  assert.deepEqual([outbox.state.state, state.sent.length], ["offline", 1]);
  for (const [number, seconds] of [1, 2, 4, 8, 16, 30, 30].entries()) {
    await pass(seconds * 1000 - 1);
    assert.equal(state.sent.length, number + 1);
    await pass(1);
    assert.equal(state.sent.length, number + 2);
  }
  outbox.attempts.hurry();
  await settled();
  assert.deepEqual([state.sent.length, outbox.state.state, outbox.attempts.delay], [9, "saved", 1000]);
});

for (const { status, body, becomes } of [
  { status: 401, body: { reason: "x" }, becomes: "signed out" },
  { status: 409, body: { reason: "other version" }, becomes: "outdated" },
  { status: 429, body: { reason: "too many in a minute" }, becomes: "saving" },
  { status: 500, body: {}, becomes: "offline" },
  { status: 202, body: { stored: { uuid: 1 } }, becomes: "offline" },
]) {
  test(`after an answer of ${status}, which is no verdict, what waits is kept, and receipts are asked for`, async () => {
    const { outbox, state, send, waiting } = await begun();
    await send(["first"]);
    await send(["a"], () => ({ status, body }));
    assert.deepEqual([waiting(), outbox.state.state, state.asked], [["a"], becomes, []]);
    await outbox.run();
    assert.deepEqual([waiting(), outbox.state.state, state.asked], [[], "saved", [["first"]]]);
  });
}

test("what was stored differently in any field is shown, and can be stored as it was meant", async () => {
  const { outbox, state, stored, send, sentAs } = await begun();
  const fields = { topic_id: "2", document_id: "d9", kind: "x", grade: 0, text_hash: "i", uuid: "z" };
  for (const [field, value] of Object.entries(fields)) await send([field], (one) => stored(one, { [field]: value }));
  const refused = outbox.entries().map((entry) => entry.refused);
  assert.ok(refused.every((one) => one?.reason === "stored differently"));
  assert.deepEqual(
    refused.map((one) => one?.current?.seq),
    [undefined, undefined, 3, 4, 5, 6],
  );
  assert.deepEqual([outbox.state.state, outbox.state.refused.length, state.heard], ["problem", 6, []]);
  for (const uuid of ["grade", "topic_id", "topic_id", "gone"]) {
    await outbox.keepMine(uuid);
    await settled();
  }
  const [changed, again] = state.sent.slice(6);
  assert.ok(changed.uuid !== "grade");
  assert.deepEqual([changed.replaces, ...sentAs("uuid replaces", 7)], [4, "topic_id null"]);
  assert.equal(again.uuid, "topic_id");
  assert.deepEqual(state.heard.map(([what, , at]) => `${what} ${at}`).sort(), [
    "renewed grade",
    "renewed topic_id",
    "stored 7",
    "stored 8",
  ]);
});

test("a refused judgment is renewed or given up with those that follow it", async () => {
  const { outbox, state, add, waiting } = await begun();
  state.answers.push(refuse("uuid taken"), refuse("replaced elsewhere", { current: { seq: 40, uuid: "o" } }));
  await add("a");
  await add("b", "a", 2);
  await add("c", null, 1, "d2");
  await add("d", "c", 1, "d2");
  await add("e", "d", 1, "d2");
  await outbox.run();
  assert.deepEqual([waiting().join(""), state.sent.length, outbox.state.waiting], ["abcde", 2, 3]);
  await outbox.discard("c");
  assert.deepEqual(waiting(), ["a", "b"]);
  await outbox.keepMine("a");
  const [fresh] = waiting();
  await settled();
  assert.ok(fresh !== "a");
  assert.deepEqual(
    state.sent.slice(2).map(({ uuid, replaces }) => [uuid, replaces]),
    [
      [fresh, null],
      ["b", 1],
    ],
  );
});

test("what replaced a judgment that is gone is stored as the first one", async () => {
  const { outbox, send, sentAs, waiting } = await begun();
  await send(["f"], refuse("replaced elsewhere", { current: null }));
  await outbox.keepMine("f");
  await settled();
  assert.deepEqual([sentAs("uuid replaces"), waiting()], [["f null", "f null"], []]);
});

test("what is in the way and is older than what was replaced is looked into once", async () => {
  const { outbox, state, send } = await begun();
  await send(["first"]);
  const older = refuse("replaced elsewhere", { current: { seq: 3 } });
  await outbox.add({ ...judgment("a"), replaces: 5 }, null);
  await send([], older, older);
  assert.deepEqual([state.sent.length, state.asked.length, outbox.state.state], [3, 1, "problem"]);
});

test("what the server lost is offered again in order, and nothing to another campaign", async () => {
  const { outbox, state, add, send, sentAs, waiting } = await begun();
  await add("a");
  await add("b", "a", 2);
  await send(["c"]);
  state.unknown.body.unknown = ["b", "a"];
  outbox.mustLookBack = true;
  await outbox.add({ ...judgment("d", 3), replaces: 2 }, null);
  await send([]);
  assert.deepEqual(sentAs("uuid replaces", 3), ["a null", "b 4", "d 5"]);
  assert.equal(state.heard.slice(3).join(" "), "stored,a,4,1 stored,b,5,2 stored,d,6");
  await send(["e"], unreachable, refuse("another campaign"));
  state.unknown.body = { unknown: ["a", "b", "c", "d"], log: "log 2" };
  await send([]);
  assert.deepEqual([waiting(), sentAs("uuid log", 7)], [["e"], ["e log 1"]]);
});

test("nothing is asked about receipts before something was acknowledged", async () => {
  const { outbox, state, openOutbox, send, use } = await begun();
  await send(["a"], unreachable);
  await send([]);
  assert.deepEqual([outbox.state.state, state.sent.length, state.asked], ["saved", 2, []]);
  await use(openOutbox());
  assert.deepEqual(state.asked, [["a"]]);
});

test("receipts of a database that comes late are asked for", async () => {
  const {
    outbox: { database },
    state,
    openOutbox,
    send,
    use,
  } = await begun();
  await send(["first"]);
  const outbox = Object.assign(openOutbox(), { ready: async () => {} });
  await use(outbox);
  await outbox.use(database);
  await outbox.run();
  assert.deepEqual(state.asked, [["first"]]);
});

test("what was judged in a campaign that had the same name is stored here on purpose alone", async () => {
  const page = await begun();
  const { state, add, send, sentAs, waiting } = page;
  await add("a");
  await add("b", "a", 2);
  await add("c", "b", 3);
  await send([], unreachable);
  state.answers.push(refuse("another campaign", { current: { seq: 70, grade: 0 } }));
  await page.use(page.openOutbox("Ben", "small", "log 2"));
  await settled();
  const reasons = page.outbox.entries().map(({ uuid, refused }) => `${uuid} ${refused?.reason ?? ""}`);
  assert.deepEqual([sentAs("uuid log replaces", 1), reasons], [["a log 1 null"], ["a another campaign", "b ", "c "]]);
  await page.outbox.keepMine("a");
  await settled();
  assert.deepEqual([sentAs("uuid log replaces", 2), waiting()], [["a log 2 70", "b log 2 1", "c log 2 2"], []]);
});

test("what was refused for another reason goes to no other campaign when it is tried again", async () => {
  const page = await begun();
  await page.send(["a"], refuse("topic closed"));
  await page.use(page.openOutbox("Ben", "small", "log 2"));
  await page.outbox.keepMine("a");
  await settled();
  assert.deepEqual(page.sentAs("log"), ["log 1", "log 1"]);
});

test("a row before one that was acknowledged means that the log was shortened", async () => {
  const { state, stored, send, waiting } = await begun();
  const askedBy = async (uuid, ...answers) => {
    const before = state.asked.length;
    await send([uuid], ...answers);
    return state.asked.length - before;
  };
  const atNine = (one) => stored(one, { seq: 9 });
  await send(["a"]);
  await send(["b"], atNine, atNine);
  assert.equal(await askedBy("c"), 1);
  await send(["d"]);
  const repeated = (one) => ({ status: 200, body: { stored: { ...one, seq: 2 }, repeated: true } });
  assert.deepEqual([await askedBy("e", repeated), waiting()], [0, []]);
});

test("an answer about receipts that says nothing is waited out", async () => {
  const { outbox, state, send } = await begun();
  await send(["first"]);
  outbox.mustLookBack = true;
  const after = async (answer, ...uuids) => {
    state.unknown = answer;
    await send(uuids);
    return `${state.sent.length - 1} ${outbox.state.state}`;
  };
  assert.equal(await after({ status: 401, body: {} }, "a"), "0 signed out");
  assert.equal(await after({ status: 200, body: {} }), "0 offline");
  assert.equal(await after({ status: 404, body: { reason: "gone" } }), "1 saved");
});

test("what others left is counted, and neither sent nor listed", async () => {
  const { outbox, state, openOutbox, send, waiting } = await begun();
  for (const [uuid, [account, campaign]] of [
    ["Zoe", "small"],
    ["Anna", "small"],
    ["Anna", "small"],
    ["Carl", "large"],
  ].entries()) {
    const other = Object.assign(openOutbox(account, campaign), { run: async () => {} });
    await other.ready();
    await other.add(judgment(`of another ${uuid}`), null);
  }
  await settled();
  assert.deepEqual(
    outbox.others().map(({ account, campaign, count }) => `${account} ${campaign} ${count}`),
    ["Anna small 2", "Zoe small 1"],
  );
  await send([]);
  assert.deepEqual([waiting(), state.sent], [[], []]);
});

/** Two tabs of one browser, of which neither sends. */
async function twoTabs() {
  const page = await begun();
  const other = Object.assign(page.openOutbox(), { run: async () => {} });
  await other.ready();
  return { ...page, other };
}

test("another tab hears what was stored, given up and renewed", async () => {
  const { outbox, other, state, add } = await twoTabs();
  outbox.run = async () => {};
  await add("a");
  await add("b", null, 1, "d2");
  await outbox.change({ put: [/** @type {any} */ ({ ...outbox.mirror.get("b"), refused: { reason: "uuid taken" } })] }, true);
  await settled();
  state.heard.length = 0;
  await outbox.discard("a");
  await outbox.keepMine("b");
  await settled();
  assert.equal(state.heard.map(String).sort().join(" "), "discarded,a renewed,d2,b renewed,d2,b");
  assert.ok(other.entries().every(({ uuid }) => uuid !== "b"));
  const [entry] = outbox.entries();
  outbox.stored(entry, { ...entry.judgment, seq: 7 }, false);
  await settled();
  assert.deepEqual([state.heard.length, other.receipts.highest, other.entries(), outbox.state.state], [5, 7, [], "saved"]);
});

test("what another tab has sent meanwhile is not told of twice", async () => {
  const { outbox, state, stored, send } = await begun();
  await send(["a"], (one) => {
    outbox.mirror.delete("a");
    return stored(one);
  });
  assert.deepEqual([state.heard, outbox.state.state], [[], "saved"]);
});

test("all tabs hear which row was before what was stored, and what is due again since", async () => {
  const { listener, stored, send } = await twoTabs();
  const heard = [];
  listener.onstored = (_, /** @type {any} */ { before, again }) => heard.push(before, again);
  await send(["a"], (one) => ({ status: 201, body: { ...stored(one).body, before: 4, again: "d" } }));
  assert.deepEqual(heard, [4, "d", 4, "d"]);
});

test("without a database a judgment is safe when the server has it", async () => {
  const { outbox, state, add, waiting, send } = await begun();
  Object.assign(outbox, { database: null, ready: async () => {} });
  const safe = [];
  const keep = async (uuid) => {
    void add(uuid).then(() => safe.push(uuid));
    await pass(10);
  };
  await keep("a");
  assert.deepEqual([safe, state.sent.length, waiting()], [["a"], 1, []]);
  state.answers.push(unreachable);
  await keep("b");
  assert.deepEqual([safe, outbox.state.durable, [...outbox.unkept]], [["a"], false, ["b"]]);
  await outbox.load();
  assert.deepEqual(waiting(), ["b"]);
  await send([], refuse("text changed"));
  assert.deepEqual(safe, ["a", "b"]);
});
