/** The sentence around a marked word, for those who cannot or would not select with a mouse. */
import { BLOCK } from "./find.js";
import { textNodes } from "./places.js";

/** @param {Element} mark @returns {Range} */
export function sentenceAround(mark) {
  const nodes = textNodes(mark.closest(BLOCK) ?? mark);
  // The lines of a stored text end where they end; a blank in place of each keeps all places.
  const text = nodes.map(({ data }) => data).join("").replace(/\s/gu, " ");
  const at = lengthOf(nodes.slice(0, nodes.indexOf(textNodes(mark)[0])));
  const { index, segment } = new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text).containing(at);
  const range = mark.ownerDocument.createRange();
  range.setStart(...placeIn(nodes, index));
  range.setEnd(...placeIn(nodes, index + segment.trimEnd().length));
  return range;
}

/** @param {Text[]} nodes */
const lengthOf = (nodes) => nodes.reduce((sum, { length }) => sum + length, 0);

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
