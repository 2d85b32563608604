import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mock, test } from "node:test";
import { giveCaches, keep, place, topic } from "./caches.js";
import { open, pass, settled } from "./page.js";

const SERVER = { prefix: "copy:", sign_out: ["/sign-out"], static: "/static/" };
const SOURCE = readFileSync(new URL("../../static/service_worker.js", import.meta.url), "utf8");
const POST = { method: "POST", body: "{}" };

/** The worker, in a page that is its own, and a server that answers with what is in `state.answer`. */
async function begun() {
  open();
  giveCaches();
  mock.method(Response, "redirect", (address) => new Response(null, { status: 302, headers: { Location: address } }));
  const heard = {};
  const state = { calls: [], answer: async () => new Response("of the server") };
  const self = {
    addEventListener: (name, listener) => (heard[name] = listener),
    skipWaiting: () => state.calls.push("skip"),
    clients: { claim: async () => state.calls.push("claim") },
    registration: { unregister: async () => state.calls.push("unregister") },
  };
  const ask = (request) => {
    state.calls.push(`ask ${new URL(request.url).pathname}`);
    return state.answer();
  };
  new Function("self", "SERVER", "fetch", SOURCE)(self, SERVER, ask);
  const later = [];
  /** What the worker answers to a request, null where it leaves it to the browser. @param {string} path @returns {Promise<Response> | null} */
  const event = (path, { mode = "navigate", destination = "document", method = "GET", body = "", headers = {} } = {}) => {
    const request = {
      url: new URL(path, location.href).href,
      mode,
      destination,
      method,
      headers: new Headers(headers),
      clone: () => request,
      json: async () => JSON.parse(body),
    };
    let answer = null;
    heard.fetch({ request, respondWith: (one) => (answer = one), waitUntil: (one) => later.push(one) });
    return answer;
  };
  /** The status and the text of an answer, null for none. */
  const told = async (path, more = {}) => {
    const response = await event(path, more)?.catch(() => null);
    await Promise.all(later.splice(0));
    return response && `${response.status} ${await response.text()}`;
  };
  const names = async () =>
    (await caches.keys())
      .map((name) => JSON.parse(name.slice(5))[0])
      .sort()
      .join();
  const goOff = () => {
    state.answer = async () => {
      throw new TypeError("no network");
    };
  };
  return { state, heard, event, told, names, goOff };
}

/** Makes a copy with two topics, of which the first has its page. @param {object} owner @param {object} manifest */
async function keepPages(owner = {}, manifest = {}) {
  const judge = (id) => ({ ...topic(id, place("a")), url: `/c/small/judge?topic=${id}` });
  const pages = { account: "Ben", page_url: "/c/small/offline", judge_url: "/c/small/judge", topics: [judge("1"), judge("2")] };
  const copy = await keep(owner, { until: Date.now() + 9_000, ...pages, ...manifest });
  await copy.cache.put(copy.manifest.page_url, new Response(`page of ${copy.name}`));
  await copy.cache.put("/c/small/judge?topic=1", new Response(`topic 1 of ${copy.name}`));
  return copy;
}

test("only pages, texts, files and signing out are answered", async () => {
  const { state, heard, event } = await begun();
  assert.ok(event("/c/small"));
  assert.ok(event("/static/a.js", { mode: "cors", destination: "script" }));
  assert.ok(event("/sign-out", POST));
  assert.ok(event("/c/small/api/texts", POST));
  for (const more of [{ destination: "iframe" }, { mode: "cors" }, POST]) assert.equal(event("/c/small", more), null);
  assert.deepEqual([event("https://elsewhere.org/"), event("/static/a.js", POST)], [null, null]);
  await settled();
  state.calls.length = 0;
  heard.install();
  heard.activate({ waitUntil() {} });
  assert.deepEqual(state.calls, ["skip", "claim"]);
});

test("a page comes from a copy only where the server does not answer", async () => {
  const { told, event, goOff } = await begun();
  await keepPages({}, { whole: true, at: 1 });
  await keepPages({ edition: "part" }, { at: 9 });
  assert.equal(await told("/c/small/judge?topic=1"), "200 of the server");
  goOff();
  const name = 'copy:["e1","small","Ben"]';
  assert.equal(await told("/c/small/judge?topic=1"), `200 topic 1 of ${name}`);
  for (const path of ["/c/small/judge?topic=2", "/c/small/judge?topic=1&norming=3", "/c/small/judge?topic=9", "/c/other/results"])
    assert.equal(await told(path), `200 page of ${name}`);
  const { status, headers } = await event("/c/small/judge");
  assert.deepEqual([status, headers.get("Location")], [302, "/c/small/judge?topic=1"]);
  await keepPages({ edition: "new" }, { whole: true, at: 2 });
  assert.equal(await told("/c/small/judge?topic=1"), '200 topic 1 of copy:["new","small","Ben"]');
  await keepPages({ edition: "large", campaign: "large" }, { page_url: "/c/large/offline", whole: true, at: 99 });
  assert.equal(await told("/c/small/judge?topic=1"), '200 topic 1 of copy:["new","small","Ben"]');
  assert.equal(await told("/c/large/x"), '200 page of copy:["large","large","Ben"]');
  for (const one of await caches.keys()) await caches.delete(one);
  assert.equal(await told("/c/small/judge?topic=1"), null);
});

test("a server that is gone behind its proxy is no answer", async () => {
  const { state, told } = await begun();
  await keepPages();
  const answered = async (status, headers) => {
    state.answer = async () => new Response("proxy", { status, headers });
    return (await told("/c/small/judge?topic=1")).slice(0, 3);
  };
  for (const status of [500, 502, 503, 504]) {
    assert.equal(await answered(status, {}), status === 500 ? "500" : "200");
    assert.equal(await answered(status, { "X-Workbench-Edition": "e1" }), String(status));
  }
});

test("a judging page waits eight seconds for the server, and other pages as long as it takes", async () => {
  const { state, told } = await begun();
  await keepPages();
  let answer = () => {};
  state.answer = () => new Promise((done) => (answer = () => done(new Response("late"))));
  const got = [];
  const ask = (path) => void told(path).then((one) => got.push(one.split(" ")[1]));
  ask("/c/small/judge?topic=1");
  await pass(7_999);
  assert.deepEqual(got, []);
  await pass(1);
  assert.deepEqual(got, ["topic"]);
  ask("/c/small/results");
  await pass(60_000);
  answer();
  await settled();
  assert.deepEqual(got, ["topic", "late"]);
});

test("copies are deleted when their time is over or another account is signed in", async () => {
  const { state, told, names } = await begun();
  await keepPages();
  await keepPages({ edition: "over" }, { until: Date.now() });
  await keepPages({ edition: "of Anna", account: "Anna" });
  await told("/c/small");
  assert.equal(await names(), "e1,of Anna");
  const after = async (account) => {
    state.answer = async () => new Response("", { headers: { "X-Workbench-Account": encodeURIComponent(account) } });
    await told("/c/small");
    return [await names(), state.calls.filter((one) => one === "unregister").length];
  };
  assert.deepEqual(await after("Ben"), ["e1", 0]);
  assert.deepEqual(await after("Zoë"), ["", 1]);
  assert.deepEqual(await after("Zoë"), ["", 1]);
});

test("signing out leaves no copy and no worker, also without a network", async () => {
  const { state, told, goOff } = await begun();
  await keepPages();
  await keepPages({ account: "Anna" });
  await caches.open("other");
  goOff();
  assert.equal(await told("/sign-out", POST), null);
  assert.deepEqual([await caches.keys(), state.calls], [["other"], ["unregister", "ask /sign-out"]]);
});

test("texts come from the copy of the edition and account that asks", async () => {
  const { told, goOff } = await begun();
  const { cache } = await keepPages({ account: "Ben B" }, { account: "Ben B" });
  for (const [name, text] of Object.entries({ a: "12345", "b&against=a%26": "123", c: "12" }))
    await cache.put(`/doc?topic=1&id=${name}`, new Response(text));
  const documents = [place("a"), place("b", "a&"), place("c"), place("gone")];
  const texts = async ({ headers = {}, path = "/c/small/api/texts", ...asked } = {}) => {
    const body = JSON.stringify({ topic_id: "1", documents, size: 10, ...asked });
    const answer = await told(path, { method: "POST", body, headers: { "X-Workbench-Edition": "e1", "X-Account": "Ben%20B", ...headers } });
    return answer?.startsWith("200 {")
      ? JSON.parse(answer.slice(4))
          .texts.map(({ document_id, html }) => document_id + html)
          .join(" ")
      : answer;
  };
  const asked = (changes) => texts(/** @type {any} */ (changes));
  assert.equal(await texts(), "200 of the server");
  goOff();
  assert.equal(await texts(), "a12345 b123 c12");
  assert.deepEqual(
    [await asked({ size: 9 }), await asked({ size: 8 }), await asked({ size: 1 })],
    ["a12345 b123", "a12345 b123", "a12345"],
  );
  for (const other of [
    { norming: 3 },
    { topic_id: "9" },
    { path: "/c/large/api/texts" },
    { headers: { "X-Account": "Anna" } },
    { headers: { "X-Workbench-Edition": "e2" } },
    { headers: { "X-Workbench-Language": "de" } },
  ])
    assert.equal(await asked(other), null, JSON.stringify(other));
});

test("files come from any copy that has them", async () => {
  const { told } = await begun();
  const { cache } = await keepPages();
  await cache.put("/static/a.js", new Response("kept"));
  const file = (path) => told(path, { mode: "cors", destination: "script" });
  assert.deepEqual([await file("/static/a.js"), await file("/static/b.js")], ["200 kept", "200 of the server"]);
});
