/** Sentences and words as the language of a text has them: what a rationale begins and ends with. */
import { BLOCK } from "./find.js";
import { textNodes } from "./places.js";

/** The sentence around a marked word, for those who cannot or would not select with a mouse. @param {Element} mark @returns {Range} */
export function sentenceAround(mark) {
  const nodes = textNodes(mark.closest(BLOCK) ?? mark);
  // The lines of a stored text end where they end; a blank in place of each keeps all places.
  const text = nodes
    .map(({ data }) => data)
    .join("")
    .replace(/\s/gu, " ");
  const at = lengthOf(nodes.slice(0, nodes.indexOf(textNodes(mark)[0])));
  const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text);
  const { index, segment } = sentences.containing(at) ?? { index: 0, segment: text };
  const range = mark.ownerDocument.createRange();
  range.setStart(...placeIn(nodes, index));
  range.setEnd(...placeIn(nodes, index + segment.trimEnd().length));
  return range;
}

/** A range with the whole of the words that it begins or ends in. @param {Range} range @returns {Range} */
export function wholeWords(range) {
  const whole = range.cloneRange();
  const first = wordAt(range.startContainer, range.startOffset);
  if (first) whole.setStart(...first[0]);
  const last = wordAt(range.endContainer, range.endOffset);
  if (last) whole.setEnd(...last[1]);
  return whole;
}

/** Where the word begins and ends that a place is in the middle of. @param {Node} container @param {number} offset */
function wordAt(container, offset) {
  const nodes = textNodes(container.parentElement?.closest(BLOCK) ?? container);
  const before = nodes.indexOf(/** @type {Text} */ (container));
  if (before < 0) return null;
  const at = lengthOf(nodes.slice(0, before)) + offset;
  const word = words.segment(nodes.map(({ data }) => data).join("")).containing(at);
  if (!word?.isWordLike || word.index === at) return null;
  return [placeIn(nodes, word.index), placeIn(nodes, word.index + word.segment.length)];
}

/** The first words of a text that is too long to be shown, and a sign that there are more. @param {string} text @param {number} most */
export function firstWords(text, most) {
  const { index } = words.segment(text).containing(most) ?? { index: text.length };
  return index === text.length ? text : `${text.slice(0, index || most).trimEnd()}…`;
}

const words = new Intl.Segmenter(undefined, { granularity: "word" });

const lengthOf = (/** @type {Text[]} */ nodes) => nodes.reduce((sum, { length }) => sum + length, 0);

/** @param {Text[]} nodes @param {number} at @returns {[Text, number]} */
function placeIn(nodes, at) {
  let passed = 0;
  for (const node of nodes) {
    if (at <= passed + node.length) return [node, at - passed];
    passed += node.length;
  }
  const last = nodes[nodes.length - 1];
  return [last, last.length];
}
