import assert from "node:assert/strict";
import { test } from "node:test";
import { addresses, giveCaches, keep, OWNER, place, topic } from "../caches.js";
import { give, one, open, settled } from "../page.js";

async function begun() {
  open(`<head><meta name=edition content=e1></head><p id=offline-old></p><p id=offline-words></p>
    <p id=offline-copy><b id=offline-copy-time></b></p>`);
  give("serviceWorker", {}, navigator);
  giveCaches();
  return import("#static/judging/offline_copies.js");
}

test("a copy leaves out a topic or a document with all that belongs to it", async () => {
  const { OfflineCopy } = await begun();
  const { frameOf } = await import("#static/judging/queue.js");
  const copy = await keep({}, { topics: [topic("1", place("a"), place("b", "a&")), topic("2", place("a"))] });
  for (const { url, places, frame_url } of copy.manifest.topics)
    for (const address of [url, ...places.map((each) => frameOf(frame_url, each))]) await copy.cache.put(address, new Response("text"));
  const places = () => copy.manifest.topics.map((one) => `${one.topic_id}: ${one.places.length}`);
  const two = ["/doc?topic=2&id=a", "/judge?topic=2", "/manifest.json"];
  const one = ["/doc?topic=1&id=a", "/doc?topic=1&id=b&against=a%26", "/judge?topic=1"];
  assert.deepEqual(await addresses(copy), [...one, ...two].sort());
  await Promise.all([copy.forget("1", "none"), copy.forget("3", "a"), copy.remove("3")]);
  assert.deepEqual(places(), ["1: 2", "2: 1"]);
  await copy.forget("1", "b");
  assert.deepEqual([places(), await addresses(copy)], [["1: 1", "2: 1"], [one[0], one[2], ...two].sort()]);
  await copy.remove("1");
  assert.deepEqual([places(), copy.topic("1"), copy.topic("2").title, await addresses(copy)], [["2: 1"], null, "Title 2", two]);
  assert.equal((await OfflineCopy.open(copy.name)).manifest.topics.length, 1);
  const none = await OfflineCopy.open("none");
  await none.remove("1");
  assert.deepEqual([none.manifest, none.topic("2")], [null, null]);
});

test("copies of this account that did not end are used, the whole and latest first", async () => {
  const { OfflineCopy, copiesOf, removeCopies } = await begun();
  await keep({ edition: "ended" }, { until: Date.now(), whole: true, at: 9 });
  await keep({ edition: "part" }, { at: 5 });
  await keep({ edition: "old" }, { at: 1, whole: true });
  await keep({ edition: "new" }, { at: 2, whole: true });
  await keep({ edition: "later part" }, { at: 7 });
  for (const other of [{ account: "Anna" }, { campaign: "large" }, { prefix: "other:" }]) await keep(other);
  await OfflineCopy.make({ ...OWNER, edition: "nothing in it" });
  const editions = async () => (await copiesOf(OWNER)).map(({ name }) => JSON.parse(name.slice(5))[0]);
  assert.deepEqual(await editions(), ["new", "old", "later part", "part"]);
  await removeCopies(OWNER, 'copy:["old","small","Ben"]');
  assert.deepEqual(await editions(), ["old"]);
  await removeCopies(OWNER);
  const kept = ['copy:["e1","large","Ben"]', 'copy:["e1","small","Anna"]', 'other:["e1","small","Ben"]'];
  assert.deepEqual([await editions(), (await caches.keys()).sort()], [[], kept]);
});

test("without a secure address there are no copies", async () => {
  const { copiesOf, downloadedAt, isSupported } = await begun();
  await keep();
  assert.deepEqual([isSupported(), downloadedAt(), (await copiesOf(OWNER)).length], [true, null, 1]);
  give("isSecureContext", false);
  assert.deepEqual([isSupported(), await copiesOf(OWNER)], [false, []]);
  document.head.innerHTML += "<meta name=downloaded content=2026-01-02T03:04:05Z>";
  assert.equal(downloadedAt().toISOString(), "2026-01-02T03:04:05.000Z");
});

test("the judging page says what its copy has, and whether it is out of date", async () => {
  await begun();
  const { OfflineState } = await import("#static/judging/offline_state.js");
  const offline = { prefix: "copy:" };
  const page = { norming: null, topic_id: "1", topic_version: 1, guideline_version: 2, campaign: "small", account: "Ben", offline };
  /** Whether the copy is old, how many documents of the topic it has, and of all topics. @param {object} changes of the page */
  const said = async (changes = {}) => {
    const kept = [];
    const texts = /** @type {any} */ ({ keep: (places) => kept.push(places.length) });
    const state = new OfflineState({ ...page, ...changes }, texts);
    await state.ready();
    const numbers = one("#offline-words").textContent.match(/\d+/g)?.join(" ") ?? "";
    assert.equal(state.isKept, numbers !== "");
    return [!one("#offline-old").hidden, kept[0], numbers].join();
  };
  assert.equal(await said(), "false,0,");
  await keep({ edition: "e0" }, { edition: "e0", topics: [topic("1", place("a"))] });
  assert.equal(await said(), "true,0,");
  const topics = [topic("1", place("a"), place("b")), topic("2", place("a"))];
  await keep({}, { topics });
  assert.deepEqual([await said(), await said({ topic_id: "3" }), await said({ norming: 4 })], ["false,2,2 3", "false,0,2 3", "false,0,"]);
  assert.deepEqual([await said({ topic_version: 2 }), await said({ guideline_version: 1 })], ["true,2,2 3", "true,2,2 3"]);
  const state = new OfflineState(page, /** @type {any} */ ({ keep() {} }));
  await state.ready();
  assert.deepEqual([state.holds("1", "b"), state.holds("1", "c"), state.holds("3", "a")], [true, false, false]);
  state.forget({ topic_id: "1", document_id: "a" });
  await settled();
  assert.equal(await said(), "false,1,2 2");
  document.head.innerHTML += "<meta name=downloaded content=2026-01-02T03:04:05Z>";
  assert.equal(await said({ topic_version: 2 }), "false,1,2 2", "a page of the copy itself is not old");
  assert.deepEqual([one("#offline-copy").hidden, one("#offline-copy-time").textContent.includes("2026")], [false, true]);
  give("isSecureContext", false);
  await said();
  assert.match(one("#offline-words").textContent, /^Keep this tab open/);
});
