/** Sentences and words as the language of a text has them: what a rationale begins and ends with. */
import { BLOCK } from "./find.js";
import { joined, textNodes } from "./places.js";

/** The sentence around a marked word, for those who cannot or would not select with a mouse. @param {Element} mark @returns {Range} */
export function sentenceAround(mark) {
  const nodes = textNodes(mark.closest(BLOCK) ?? mark);
  const { text, starts, rangeOf } = joined(nodes);
  // The lines of a stored text end where they end; a blank in place of each keeps all places.
  const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text.replace(/\s/gu, " "));
  const { index, segment } = sentences.containing(starts[nodes.indexOf(textNodes(mark)[0])]) ?? { index: 0, segment: text };
  return rangeOf(index, index + segment.trimEnd().length);
}

/** A range with the whole of the words that it begins or ends in. @param {Range} range @returns {Range} */
export function wholeWords(range) {
  const whole = range.cloneRange();
  const first = wordAt(range.startContainer, range.startOffset);
  if (first) whole.setStart(first.startContainer, first.startOffset);
  const last = wordAt(range.endContainer, range.endOffset);
  if (last) whole.setEnd(last.endContainer, last.endOffset);
  return whole;
}

/** The word that a place is in the middle of. @param {Node} container @param {number} offset */
function wordAt(container, offset) {
  const nodes = textNodes(container.parentElement?.closest(BLOCK) ?? container);
  const node = nodes.indexOf(/** @type {Text} */ (container));
  if (node < 0) return null;
  const { text, starts, rangeOf } = joined(nodes);
  const at = starts[node] + offset;
  const word = words.segment(text).containing(at);
  return word?.isWordLike && word.index !== at ? rangeOf(word.index, word.index + word.segment.length) : null;
}

/** The first words of a text that is too long to be shown, and a sign that there are more. @param {string} text @param {number} most */
export function firstWords(text, most) {
  const { index } = words.segment(text).containing(most) ?? { index: text.length };
  return index === text.length ? text : `${text.slice(0, index || most).trimEnd()}…`;
}

const words = new Intl.Segmenter(undefined, { granularity: "word" });
