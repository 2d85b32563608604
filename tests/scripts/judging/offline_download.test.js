import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { addresses, giveCaches, keep, place, topic } from "../caches.js";
import { each, give, one, open, queued, settled } from "../page.js";

const TOPICS = [
  { topic_id: "1", title: "One", open: 1200 },
  { topic_id: "x&y", title: "", open: 3 },
];
const DATA = {
  campaign: "small",
  account: "Ben B",
  edition: "e1",
  prefix: "copy:",
  days: 2,
  root: "/",
  worker_url: "/worker.js",
  page_url: "/offline",
  judge_url: "/judge",
  files: ["/file.css"],
  judgments_url: "/judgments",
  unknown_url: "/unknown",
  topics: TOPICS,
};
const HTML = `<head><meta name=edition content=e1><meta name=csrf-token content=t><meta name=session-url content=/session></head>
  <p id=offline-state></p><p id=offline-waiting hidden></p><progress id=offline-bar hidden></progress><a id=judge></a>
  <button id=download>Download</button><button id=remove>Remove</button><ul id=topics></ul><template id=topic-template><li>
  <b class=row-id></b><a class=row-title></a><i class=row-note></i><u class=row-count></u></li></template>
  <script type=application/json id=page-data>${JSON.stringify(DATA)}</script>`;

/** The page for judging offline, and a server with the addresses that a download asks. */
async function begun() {
  const server = /** @type {any} */ ({
    asked: [],
    queue: ["a", "b", "c"],
    page: {},
    versions: { topic_version: 1, guideline_version: 2 },
    headers: { "X-Workbench-Edition": "e1", "X-Workbench-Account": "Ben%20B", "Speculation-Rules": "x", "Content-Type": "text/html" },
    textStatus: 200,
    pageStatus: 200,
    hasFiles: true,
    registered: [],
    unregistered: 0,
  });
  const item = (document_id) => queued(document_id, { near: document_id === "a" ? null : "n" });
  const judgingPage = () => {
    const data = { queue: server.queue.map(item), frame_url: "/doc?id=", texts_url: "/texts", ...server.versions, ...server.page };
    return `<head><meta name="csrf-token" content="secret"></head><b>secret</b><script type="application/json" id="page-data">${JSON.stringify(data)}</script>`;
  };
  const text = `<html><head><meta name="shown" content="${JSON.stringify(server.versions).replaceAll('"', "&quot;")}"></head>text</html>`;
  const answer = ({ path, body }) => {
    if (path === "/file.css" && !server.hasFiles) throw new TypeError("no network");
    if (path === "/file.css") return new Response("css");
    if (path !== "/texts") return new Response(judgingPage(), { status: server.pageStatus, headers: server.headers });
    const asked = JSON.parse(body);
    server.asked.push(asked);
    const texts = asked.documents.filter(({ document_id }) => document_id !== "b").map((one) => ({ ...one, html: text }));
    return Response.json({ texts: texts.slice(0, 20), message: "Too much." }, { status: server.textStatus });
  };
  open(HTML, { answer });
  giveCaches();
  const registration = { unregister: async () => server.unregistered++ };
  const worker = {
    register: async (...all) => server.registered.push(all),
    ready: Promise.resolve(),
    getRegistration: async () => registration,
  };
  give("serviceWorker", worker, navigator);
  give("storage", { estimate: async () => ({}) }, navigator);
  return { server, size: text.length };
}

/** Downloads; what came of it. @param {object} changes of what the page says */
async function download(changes = {}) {
  const { Download, Stopped } = await import("#static/judging/offline_download.js");
  const progress = [];
  const made = new Download(/** @type {any} */ ({ ...DATA, ...changes }), (...how) => progress.push(how.join("/")));
  const why = await made.run().then(
    () => "",
    (error) => (error instanceof Stopped ? error.message : String(error)),
  );
  const { manifest } = made.copy ?? {};
  assert.ok(why === "" || !manifest?.whole);
  return { why, progress, manifest, copy: made.copy };
}

test("a download keeps topic after topic, and then alone", async () => {
  const { server, size } = await begun();
  await keep({ account: "Ben B", edition: "e0" });
  const { why, progress, manifest, copy } = await download();
  assert.deepEqual([why, progress, await caches.keys()], ["", ["0/2", "1/2"], ['copy:["e1","small","Ben B"]']]);
  assert.deepEqual(server.registered, [["/worker.js", { scope: "/", updateViaCache: "none" }]]);
  const pages = ["/judge?topic=1", "/judge?topic=x%26y", "/manifest.json", "/offline"];
  assert.deepEqual(await addresses(copy), ["/doc?id=a", "/doc?id=c&against=b", "/file.css", ...pages]);
  assert.deepEqual([manifest.whole, manifest.until - manifest.at], [true, 2 * 24 * 3_600_000]);
  const [first, second] = manifest.topics;
  assert.deepEqual([first.title, second.title, first.size, first.places], ["One", "", 2 * size, [place("a"), place("c", "b")]]);
  const kept = await (await copy.cache.match("/judge?topic=1")).text();
  assert.deepEqual([kept.includes("secret"), kept.includes('<meta name="downloaded" content="2026-03-01T13:00:00.000Z">')], [false, true]);
  assert.deepEqual([server.asked[0].topic_id, server.asked[0].documents.map(({ document_id }) => document_id)], ["1", ["a", "b", "c"]]);
});

test("a topic that is not listed any more is left out, and one that is shut", async () => {
  const { server } = await begun();
  await download();
  const again = await download({ topics: TOPICS.slice(0, 1) });
  assert.deepEqual(
    [again.manifest.topics.map(({ topic_id }) => topic_id), (await addresses(again.copy)).includes("/judge?topic=x%26y")],
    [["1"], false],
  );
  server.page = { shut: true };
  assert.deepEqual((await download()).manifest.topics, []);
});

test("many documents are asked for in parts, and from where an answer ended", async () => {
  const { server } = await begun();
  const places = async (...queue) => {
    server.queue = queue;
    const { manifest } = await download({ topics: TOPICS.slice(0, 1) });
    return manifest.topics[0].places.map(({ document_id }) => document_id);
  };
  const sixty = Array.from({ length: 60 }, (_, at) => `d${at + 10}`);
  assert.deepEqual(await places(...sixty), sixty);
  assert.deepEqual(
    server.asked.map(({ documents, size }) => [documents[0].document_id, documents.length, size].join()),
    ["d10,25,1000000", "d30,25,1000000", "d50,20,1000000"],
  );
  assert.deepEqual([await places("b", "b2"), await places("b")], [["b2"], []]);
});

test("a download that stops says why and keeps what came", async () => {
  const { server } = await begun();
  const why = async (changes) => {
    const before = Object.fromEntries(Object.keys(changes).map((name) => [name, server[name]]));
    Object.assign(server, changes);
    const told = (await download()).why;
    Object.assign(server, before);
    return told;
  };
  assert.equal(await why({}), "");
  assert.equal(await why({ textStatus: 429 }), "Too much.");
  for (const page of [{ topic_version: 4 }, { guideline_version: 1 }]) assert.match(await why({ page }), /guidelines changed/);
  assert.match(await why({ pageStatus: 401 }), /signed out/);
  assert.match(await why({ pageStatus: 503 }), /503/);
  assert.match(await why({ headers: { ...server.headers, "X-Workbench-Account": "Anna" } }), /Another account/);
  assert.match(await why({ headers: { ...server.headers, "X-Workbench-Edition": "e2" } }), /was updated/);
  assert.match(await why({ hasFiles: false }), /does not respond/);
  mock.method(Cache.prototype, "put", async () => {
    throw new DOMException("full", "QuotaExceededError");
  });
  assert.match(await why({}), /no more room/);
});

test("a topic is not downloaded where too little room is left", async () => {
  await begun();
  const why = async (usage) => {
    give("storage", { estimate: async () => ({ quota: 60_000_000, usage }) }, navigator);
    return download();
  };
  assert.equal((await why(10_000_000)).why, "");
  const full = await why(10_000_001);
  assert.match(full.why, /no more room/);
  assert.deepEqual(
    full.manifest.topics.map(({ topic_id }) => topic_id),
    ["x&y"],
  );
});

const state = () => one("#offline-state").textContent;
const hidden = (...ids) => ids.map((id) => one(`#${id}`).hidden);
const rows = () => each("#topics li", (row) => row.textContent.replace(/\s+/g, " ").trim());

/** Lets a download come to its end. */
async function ended() {
  for (let turn = 0; turn < 10; turn++) await settled();
}

async function load() {
  await import("#static/judging/offline.js");
  await settled();
}

test("the page for offline judging downloads, says what is here and removes it", async () => {
  const { server } = await begun();
  give("confirm", () => true);
  await load();
  assert.deepEqual(
    [state(), hidden("download", "remove", "offline-bar", "offline-waiting")],
    ["Nothing is downloaded in this browser.", [false, true, true, true]],
  );
  assert.deepEqual(rows(), ["1One1,200 to judge", "x&yx&y3 to judge"]);
  assert.deepEqual(
    each("#topics a", (link) => link.getAttribute("href")),
    ["/judge?topic=1", "/judge?topic=x%26y"],
  );
  one("#download").click();
  assert.deepEqual([one("#download").disabled, hidden("offline-bar")], [true, [false]]);
  await ended();
  assert.match(state(), /^4 documents of 2 topics \(0\.1 MB\) can be judged here .*\. Downloaded on .*\.$/);
  assert.deepEqual(
    [one("#download").disabled, one("#download").textContent, hidden("remove", "offline-bar")],
    [false, "Download again", [false, true]],
  );
  assert.deepEqual(rows(), ["1One2 documents here1,200 to judge", "x&yx&y2 documents here3 to judge"]);
  server.textStatus = 500;
  one("#download").click();
  await ended();
  assert.match(state(), /^The download stopped\. Too much\. 2 documents of 1 topic/);
  await keep({ account: "Anna" });
  one("#remove").click();
  await ended();
  assert.deepEqual([state(), hidden("remove"), server.unregistered], ["Nothing is downloaded in this browser.", [true], 0]);
  for (const name of await caches.keys()) await caches.delete(name);
  one("#remove").click();
  await ended();
  assert.equal(server.unregistered, 1, "without any copy the browser does not ask the worker any more");
});

test("the page for offline judging says that a copy is of an earlier version", async () => {
  await begun();
  await keep({ account: "Ben B" }, { edition: "e0", topics: [topic("x&y", place("a"))] });
  await load();
  assert.match(state(), /^1 document of 1 topic \(1\.5 MB\) .* from an earlier version of this server/);
  assert.deepEqual(rows(), ["1One1,200 to judge", "x&yx&y1 document here3 to judge"]);
});

test("a downloaded page downloads nothing", async () => {
  await begun();
  document.head.innerHTML += "<meta name=downloaded content=2026-01-02T03:04:05Z>";
  await load();
  assert.deepEqual(hidden("download"), [true]);
});

test("where a browser keeps no pages, the page for offline judging says what helps", async () => {
  await begun();
  give("isSecureContext", false);
  await load();
  assert.match(state(), /^This browser cannot keep pages of this server/);
});
