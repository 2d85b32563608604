import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "../page.js";

const whale = { field: "title", start: 2, end: 9, text: "🐋 whale" };
const first = { field: "text", start: 6, end: 13, text: "🐋 words" };
const here = { field: "text", start: 20, end: 24, text: "here" };

async function begun() {
  open(`<h1 data-field=title>A 🐋 whale</h1><p data-field=text><span data-start=0>First 🐋 words</span><i class=ours> of ours </i>
    <span class=outside data-start=20>here and there</span></p>`);
  const places = await import("#static/judging/places.js");
  const texts = places.textNodes(document.body).filter(({ data }) => data.trim());
  const pieces = ([from, start], [to, end]) => {
    const range = document.createRange();
    range.setStart(texts[from], start);
    range.setEnd(texts[to], end);
    return places.piecesIn(document, range);
  };
  const shown = (...rationales) => places.rangesOf(document, rationales).map(String);
  return { ...places, pieces, shown };
}

test("pieces of a selection count code points of what is seen", async () => {
  const { pieces } = await begun();
  assert.deepEqual(pieces([0, 1], [0, 10]), [whale]);
  assert.deepEqual(pieces([1, 5], [2, 5]), [first, here]);
  assert.deepEqual(pieces([0, 9], [1, 5]), [
    { field: "title", start: 8, end: 9, text: "e" },
    { field: "text", start: 0, end: 5, text: "First" },
  ]);
  assert.deepEqual(pieces([0, 1], [0, 2]), []);
  document.body.classList.add("passage");
  assert.deepEqual(pieces([1, 5], [2, 5]), [first]);
});

test("rationales come back to their places, and to none if their words are not there", async () => {
  const { shown } = await begun();
  assert.deepEqual(shown(whale, first, here), ["🐋 whale", "🐋 words", "here"]);
  assert.deepEqual(shown({ field: "text", start: 6, end: 24, text: `🐋 words${" ".repeat(7)}here` }), ["🐋 words", "here"]);
  assert.deepEqual([shown({ ...whale, field: "text" }), shown({ ...first, text: "🐋 swords" }), shown()], [[], [], []]);
});

test("a selection is a range unless it is empty", async () => {
  const { selectedRange } = await begun();
  assert.equal(selectedRange(document), null);
  getSelection()?.selectAllChildren(/** @type {Node} */ (document.querySelector("h1")));
  assert.equal(String(selectedRange(document)), "A 🐋 whale");
  getSelection()?.collapseToStart();
  assert.equal(selectedRange(document), null);
});

test("words that moved are found where they are nearest", async () => {
  open("<p data-field=text>-🐋the sea, the sky and the sea.</p>");
  const { placed } = await import("#static/judging/places.js");
  const at = (start, text, field = "text") => placed(document, [{ field, start, end: start + text.length, text }])[0].start;
  assert.deepEqual(
    [2, 5, 23, 99, 13, 12].map((start) => at(start, "the sea")),
    [2, 2, 23, 23, 23, 2],
  );
  assert.deepEqual([at(0, "the sky"), at(15, "the sky")], [11, 11]);
  assert.deepEqual([at(5, "lake"), at(5, "the sea", "title")], [5, 5], "what is not there stays");
});
