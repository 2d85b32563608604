import assert from "node:assert/strict";
import { test } from "node:test";
import { firstWords } from "#static/judging/sentences.js";
import { each, one, open } from "../page.js";

test("a sentence is selected around a marked word and reaches into nothing else", async () => {
  open("<p>A first one. The river <b>froze\n in <mark>January</mark></b> of 1709. And then it thawed. </p><p>Another.</p>");
  const { sentenceAround } = await import("#static/judging/sentences.js");
  const around = (mark) => {
    const range = sentenceAround(mark);
    const [start, end] = [range.startContainer, range.endContainer].map((node) => /** @type {Text} */ (node).data);
    return [String(range), start, range.startOffset, end, range.endOffset];
  };
  const mark = one("mark");
  assert.deepEqual(around(mark), [
    "The river froze\n in January of 1709.",
    "A first one. The river ",
    13,
    " of 1709. And then it thawed. ",
    9,
  ]);
  mark.closest("p").innerHTML = "It is <mark>cold</mark>. <i>So they <mark>skate.</mark></i> <b>Home.</b>";
  assert.deepEqual(each("mark", around), [
    ["It is cold.", "It is ", 0, ". ", 1],
    ["So they skate.", "So they ", 0, "skate.", 6],
  ]);
  const bare = Object.assign(document.createElement("mark"), { textContent: "Bare. Yes" });
  assert.deepEqual(around(bare), ["Bare.", "Bare. Yes", 0, "Bare. Yes", 5]);
});

test("a selection grows to whole words", async () => {
  open("<p>The ri<b>ver f</b>roze,  twice.</p>");
  const { wholeWords } = await import("#static/judging/sentences.js");
  const texts = [...one("p").childNodes].map((node) => node.firstChild ?? node);
  const grown = (from, to) => {
    const range = document.createRange();
    range.setStart(texts[from[0]], from[1]);
    range.setEnd(texts[to[0]], to[1]);
    return String(wholeWords(range));
  };
  assert.deepEqual([grown([0, 1], [0, 2]), grown([0, 0], [0, 4]), grown([0, 4], [1, 1])], ["The", "The ", "river"]);
  assert.deepEqual([grown([1, 1], [1, 5]), grown([0, 3], [2, 0])], ["river froze", " river froze"]);
  assert.deepEqual([grown([2, 4], [2, 6]), grown([2, 6], [2, 8])], [", ", " twice"]);
});

test("a long text is cut between words", () => {
  assert.deepEqual(
    [firstWords("The river", 9), firstWords("The river froze", 9), firstWords("The river", 5)],
    ["The river", "The river…", "The…"],
  );
  assert.equal(firstWords("Riverside", 5), "River…", "unless its first word is too long");
});
