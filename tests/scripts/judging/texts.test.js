import assert from "node:assert/strict";
import { test } from "node:test";
import { open, pass, settled } from "../page.js";

const place = (number) => ({ document_id: `d${number}`, against: null });
const places = (to, from = 0) => Array.from({ length: to - from }, (_, at) => place(from + at));

/** A server that gives `size` characters for each document. @param {string} ahead @param {any[]} brought with the page */
async function begun(ahead, ...brought) {
  const state = { sent: [], changes: 0, size: 10, broken: false, hangs: false };
  const answer = ({ body }) => {
    if (state.hangs && state.sent.length) return new Promise(() => {});
    const asked = JSON.parse(body);
    state.sent.push(asked);
    const texts = asked.documents.map((one) => ({ ...one, html: "x".repeat(state.size) }));
    return Response.json({ texts }, { status: state.broken ? 500 : 200 });
  };
  open("<meta name=csrf-token content=t>", { answer: /** @type {any} */ (answer) });
  const { Texts } = await import("#static/judging/texts.js");
  const page = { texts_url: "/texts", topic_id: "1", norming: null, account: "ben", texts: brought };
  const texts = new Texts(
    page,
    () => ahead,
    () => state.changes++,
  );
  const asked = () => state.sent.map(({ documents }) => documents.length);
  return { texts, state, asked };
}

test("what the page brought is there, and the rest is fetched in parts", async () => {
  const { texts, state, asked } = await begun("many", { ...place(0), html: "brought" });
  assert.deepEqual([texts.get(place(0)), texts.get(place(1)), texts.has(place(1))], ["brought", null, false]);
  const ready = () => places(2).map((one) => texts.isReady(one));
  assert.deepEqual(ready(), [true, false]);
  texts.keep([place(1)]);
  assert.deepEqual(ready(), [true, true]);
  await texts.want(places(90), 90);
  await settled();
  // 50 and the 6 around the one that is read, of which one was there.
  assert.deepEqual([asked(), state.changes, texts.held.size, texts.size], [[25, 25, 5], 3, 56, 557]);
  const [{ topic_id, size, norming }] = state.sent;
  assert.deepEqual([topic_id, size, norming], ["1", 999_993, undefined]);
});

test("what is urgent is not held up by the rest", async () => {
  const { texts, state, asked } = await begun("many");
  state.hangs = true;
  await texts.want(places(90), 12);
  assert.deepEqual([asked(), texts.has(place(11)), texts.has(place(25))], [[25], true, false]);
  await texts.want(places(90, 1), 12);
});

test("what is not wanted any more is forgotten, and filled up once less than half is there", async () => {
  const { texts, asked } = await begun("many");
  const after = async (wanted, urgent = 0) => {
    await texts.want(wanted, urgent);
    await settled();
    return [texts.held.size, asked().length];
  };
  await after(places(56), 56);
  assert.deepEqual(await after(places(56, 31)), [25, 3]);
  texts.forget(place(40));
  assert.deepEqual(await after([...places(56, 31), ...places(103, 100)]), [24, 3], "half of 28 is there");
  await after([...places(56, 46), ...places(240, 200)]);
  assert.deepEqual([texts.held.size, asked().slice(3)], [50, [25, 15]]);
});

test("no more is fetched than its size may be", async () => {
  const { texts, state, asked } = await begun("few");
  state.size = 60_000;
  await texts.want(places(50), 50);
  assert.deepEqual([asked(), texts.missing(places(50))], [[9], []]);
});

test("what is fetched ahead is counted in bytes, whatever the script", async () => {
  const { texts } = await begun("few", ...[..."xé冰🐋"].map((html, number) => ({ ...place(number), html })));
  assert.equal(texts.size, 1 + 2 + 3 + 4);
  texts.take([{ ...place(9), html: "冰".repeat(100_000) }]);
  assert.deepEqual(texts.missing(places(50)), [], "300 kB are there");
});

test("an attempt that failed is repeated a little later", async () => {
  const { texts, state, asked } = await begun("few");
  const want = async () => {
    await texts.want(places(3), 3);
    return asked();
  };
  state.broken = true;
  assert.deepEqual([await want(), await want(), state.changes], [[3], [3], 0]);
  await pass(2_999);
  assert.deepEqual(await want(), [3]);
  state.broken = false;
  await pass(1);
  assert.deepEqual([await want(), texts.held.size], [[3, 3], 3]);
});

test("nothing is kept of what was cleared while it was on its way", async () => {
  const { texts, asked } = await begun("few");
  const done = texts.want(places(3), 3);
  texts.clear();
  await done;
  assert.deepEqual([asked(), texts.held.size], [[3], 0]);
});
