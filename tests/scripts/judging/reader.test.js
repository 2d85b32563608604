import assert from "node:assert/strict";
import { test } from "node:test";
import { give, one, open, pass, pressButton, queued, settled } from "../page.js";

/** Waits until a document has been drawn. */
async function painted() {
  await pass(16);
  await pass(10);
}

const VERSIONS = { account: "Ben", topic_version: 1, guideline_version: 2 };

/**
 * A reader of the documents a to h of topic `1&2`, of which b and c are near duplicates. Frames bring their document
 * with what `state.shown` says of all of them, or nothing.
 */
async function begun() {
  const state = {
    calls: [],
    ready: [],
    wants: [],
    asked: [],
    shown: /** @type {any} */ ({}),
    why: [200, { message: "No such document." }],
    reloads: 0,
  };
  const answer = () => {
    const [status, body] = /** @type {[number, any]} */ (state.why);
    if (!status) throw new TypeError("no network");
    return Response.json(body, { status });
  };
  open("<div id=region><div id=stage tabindex=-1></div></div>", { address: "http://localhost/judge", answer });
  give("reload", () => state.reloads++, location);
  const { Viewer } = await import("#static/judging/viewer.js");
  const { Queue } = await import("#static/judging/queue.js");
  const { Reader } = await import("#static/judging/reader.js");
  const item = (document_id) => queued(document_id, { near: "bc".includes(document_id) ? "n" : null });
  const queue = new Queue(/** @type {any} */ ([..."abcdefgh"].map(item)));
  const named = (one) => one?.document_id ?? one ?? "";
  const heard =
    (name) =>
    (...all) =>
      void state.calls.push([name, ...all.map(named)].join(" ").trim());
  const bring = (address) => {
    const { searchParams } = new URL(address, location.href);
    const document_id = searchParams.get("document");
    state.asked.push(document_id);
    const shown = JSON.stringify({ document_id, ...VERSIONS, ...state.shown });
    return state.shown ? `<title>${document_id}</title><meta name=shown content='${shown}'>` : "<p>Not found</p>";
  };
  const viewer = new Viewer(one("#region"), one("#stage"), () => {}, bring);
  const texts = {
    limit: { documents: 2 },
    get: ({ document_id, against }) => `${document_id}/${against}`,
    clear: heard("clear"),
    forget: heard("forget"),
    has: () => false,
    isReady: ({ document_id }) => state.ready.includes(document_id),
    bring: async (place) => heard("bring")(place),
    want: async (places, urgent) => void state.wants.push(`${places.map(named).join("")} ${urgent}`),
  };
  const page = { frame_url: "/doc?topic=1&document=", document_url: "/why?document=", topic_id: "1&2", norming: null, ...VERSIONS };
  const names = { onleave: "leave", onwanted: "wanted", onsignedout: "out", onfailed: "failed", onopen: "open", onshown: "shown" };
  const listener = Object.fromEntries(Object.entries(names).map(([name, word]) => [name, heard(word)]));
  const reader = new Reader(viewer, queue, /** @type {any} */ (texts), page, /** @type {any} */ (listener));
  return {
    state,
    viewer,
    reader,
    told: () => state.calls.splice(0).join(", "),
    message: () => (viewer.message.hidden ? "" : viewer.message.textContent),
    /** Opens a document, until it is on the screen or cannot be had. */
    async show(name) {
      void reader.open(name);
      await painted();
      return state.calls.splice(0).join(", ");
    },
  };
}

test("a document is opened and shown, and what comes next is loaded", async () => {
  const { state, viewer, reader, told, message, show } = await begun();
  assert.equal(await show("a"), "leave a, wanted, open a, shown a");
  assert.deepEqual([reader.shown.document_id, reader.seen, message()], ["a", null, ""]);
  await pass(79);
  assert.deepEqual([location.search, state.wants], ["", []]);
  await pass(1);
  assert.deepEqual([location.search, state.wants, viewer.frames.size], ["?topic=1%262&document=a", ["bcd 3"], 4]);
  assert.deepEqual(state.asked, ["a", "b", "c", "d"]);
  await pass(200);
  assert.equal(reader.seen.document_id, "a");
  void reader.open("b");
  assert.equal(told(), "leave b, wanted, open b", "what is here is shown first of all");
});

test("the address of a document names its near duplicate before it", async () => {
  const { reader } = await begun();
  assert.equal(reader.address("c"), "/doc?topic=1&document=c&against=b");
  assert.deepEqual([reader.held("/doc?topic=1&document=c&against=b"), reader.held("/doc")], ["c/b", "/null"]);
});

test("the place is kept in the address of the page, and the way back from it", async () => {
  const { reader, told, message } = await begun();
  reader.close(document.createTextNode("The end"));
  assert.deepEqual([told(), message(), location.search, reader.wanted], ["leave", "The end", "?topic=1%262", null]);
  reader.page.norming = 4;
  reader.remember("a b");
  assert.equal(location.search, "?norming=4&document=a%20b");
  history.replaceState(null, "", "?back=cards");
  reader.remember("c");
  assert.equal(location.search, "?norming=4&document=c&back=cards");
});

test("how many documents can be judged without the server is known", async () => {
  const { state, viewer, reader, told, show } = await begun();
  assert.equal(reader.ready, 0);
  state.ready.push("a", "b", "d");
  assert.equal(reader.ready, 2);
  viewer.prepare(reader.address("c"));
  await settled();
  assert.deepEqual([reader.ready, reader.known("c").document_id, reader.known("e")], [4, "c", null]);
  state.ready.push(..."abcdefgh");
  assert.equal(reader.ready, 8);
  reader.forget("c");
  assert.deepEqual([told(), reader.known("c")], ["forget c", null]);
  assert.match(await show("a"), /bring a/);
});

test("a document that takes long says so, and is given up after a minute", async () => {
  const { state, viewer, reader, message } = await begun();
  viewer.prepare = () => /** @type {any} */ ({ shown: null, loaded: new Promise(() => {}) });
  state.why = [504, { message: "Too slow." }];
  void reader.open("a");
  await pass(149);
  assert.equal(message(), "");
  await pass(1);
  assert.equal(message(), "Loading …");
  await pass(59_849);
  assert.equal(message(), "Loading …");
  await pass(1);
  assert.match(message(), /Too slow\./);
});

for (const { status, words, triesAgain } of [
  { status: 404, words: /No such document\./, triesAgain: false },
  { status: 401, words: /signed out/, triesAgain: false },
  { status: 500, words: /No such document\./, triesAgain: true },
  { status: 200, words: /No such document\./, triesAgain: true },
  { status: 0, words: /does not respond/, triesAgain: true },
]) {
  test(`a document that cannot be had by status ${status} says why, and is ${triesAgain ? "" : "not "}asked for again`, async () => {
    const { state, reader, told, message, show } = await begun();
    state.shown = null;
    state.why = [status, { message: "No such document." }];
    assert.equal(await show("a"), `leave a, wanted, failed, forget a${status === 401 ? ", out" : ""}`);
    assert.match(message(), words);
    assert.deepEqual([reader.failed, reader.wanted, one("#region").getAttribute("aria-busy")], [true, "a", "false"]);
    await pass(2_900);
    assert.equal(state.asked.length, 1);
    await pass(100);
    assert.equal(state.asked.length, triesAgain ? 2 : 1);
    told();
    pressButton("Try again");
    await settled();
    assert.match(told(), /failed/);
  });
}

test("a page whose topic or guidelines changed is reloaded with the document", async () => {
  const { state, message, show } = await begun();
  state.shown = { topic_version: 2 };
  await show("a");
  assert.match(message(), /have changed/);
  assert.deepEqual([location.search, state.reloads], ["?topic=1%262&document=a", 0]);
  await pass(1_000);
  assert.equal(state.reloads, 1);
});

test("versions that the server names make every document outdated", async () => {
  const { reader } = await begun();
  const shown = /** @type {any} */ ({ document_id: "a", ...VERSIONS });
  const isOutdated = (topic, guidelines) => {
    reader.heardVersions({ topic, guidelines });
    return reader.isOutdated(shown);
  };
  assert.deepEqual([isOutdated(2, 2), isOutdated(1, 3), isOutdated(1, 2)], [true, true, false]);
  assert.equal(reader.isRight(shown, "a"), true);
  for (const other of [{ document_id: "b" }, { account: "Anna" }, { topic_version: 2 }, { guideline_version: 1 }])
    assert.equal(reader.isRight({ ...shown, ...other }, "a"), false);
});

test("a document of another account is not shown", async () => {
  const { state, reader, message, show } = await begun();
  state.shown = { account: "Anna" };
  assert.match(await show("a"), / out$/);
  assert.match(message(), /signed out/);
  assert.equal(reader.shown, null);
});

test("all documents are loaded again, and what failed is tried when one comes back", async () => {
  const { state, reader, told, show } = await begun();
  await show("a");
  reader.again();
  await painted();
  assert.match(told(), /^clear.* shown a$/);
  assert.deepEqual(state.asked, ["a", "a"]);
  reader.retry();
  assert.equal(told(), "");
  reader.failed = true;
  reader.retry();
  await painted();
  assert.match(told(), /shown a$/);
  assert.equal(reader.failed, false);
  reader.leave();
  reader.again();
  assert.equal(told(), "leave, clear");
});
