/**
 * Places in a document's frame: between characters on the screen and offsets into the stored text. An element with `data-start` holds a
 * piece of the stored text that begins there; an element with `data-field` the whole of a field. Offsets count code points. Lines that the
 * page itself adds are in `.left-out` and `.ours`, words that only a near duplicate has in `.missing`; neither counts. What is in
 * `.outside` is not seen while only the passage is.
 */

const codePoints = (/** @type {string} */ text) => Array.from(text).length;

/** The text nodes of an element in reading order, without what the page has added. @param {Node} root @returns {Text[]} */
export function textNodes(root) {
  const isOurs = (/** @type {Node} */ node) => node.parentElement?.closest(".left-out, .ours, .missing") === null;
  const walker = /** @type {Document} */ (root.ownerDocument ?? root).createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (isOurs(node)) found.push(/** @type {Text} */ (node));
  }
  return found;
}

/** Nodes as one text, each after what `before` says: where each begins, and the range of a stretch, in units of UTF-16. @param {Text[]} nodes */
export function joined(nodes, before = (/** @type {Text} */ _) => "") {
  const starts = /** @type {number[]} */ ([]);
  let text = "";
  for (const node of nodes) {
    text += before(node);
    starts.push(text.length);
    text += node.data;
  }
  const rangeOf = (/** @type {number} */ start, /** @type {number} */ end) => {
    const range = nodes[0].ownerDocument.createRange();
    const [first, last] = [lastUpTo(starts, start), lastUpTo(starts, Math.max(start, end - 1))];
    range.setStart(nodes[first], start - starts[first]);
    range.setEnd(nodes[last], end - starts[last]);
    return range;
  };
  return { text, starts, rangeOf };
}

/** The place of the last of ascending numbers that is at most this one; of the first, if none is. @param {number[]} numbers @param {number} most */
function lastUpTo(numbers, most) {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (numbers[middle] <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The elements whose text is a piece of a field, in reading order. @param {Document} inside @returns {HTMLElement[]} */
function holders(inside) {
  const fields = /** @type {HTMLElement[]} */ ([...inside.querySelectorAll("[data-field]")]);
  return fields.flatMap((field) => {
    const pieces = /** @type {HTMLElement[]} */ ([...field.querySelectorAll("[data-start]")]);
    return pieces.length ? pieces : [field];
  });
}

const fieldOf = (/** @type {HTMLElement} */ holder) => /** @type {HTMLElement} */ (holder.closest("[data-field]")).dataset.field ?? "text";

/** @param {Document} inside @returns {Range | null} */
export function selectedRange(inside) {
  const selection = inside.getSelection();
  return selection && !selection.isCollapsed && selection.rangeCount ? selection.getRangeAt(0) : null;
}

/**
 * The pieces of a document in a range, one for each element that holds a piece of its text, without blanks around them.
 * @param {Document} inside @param {Range} range @returns {Rationale[]}
 */
export function piecesIn(inside, range) {
  return holders(inside)
    .filter((holder) => range.intersectsNode(holder))
    .flatMap((holder) => piece(holder, range));
}

/** Whether a text is left out while only the passage is shown. @param {Text} node */
function isHidden({ parentElement, ownerDocument }) {
  return ownerDocument.body.classList.contains("passage") && parentElement?.closest(".outside") !== null;
}

/** The part of a holder that a range covers, as far as it is seen. @param {HTMLElement} holder @param {Range} range @returns {Rationale[]} */
function piece(holder, range) {
  let before = "";
  let covered = "";
  for (const node of textNodes(holder)) {
    if (!range.intersectsNode(node) || isHidden(node)) {
      if (!covered) before += node.data;
      continue;
    }
    const from = node === range.startContainer ? range.startOffset : 0;
    const to = node === range.endContainer ? range.endOffset : node.length;
    if (!covered) before += node.data.slice(0, from);
    covered += node.data.slice(from, to);
  }
  const text = covered.trim();
  if (!text) return [];
  const lead = covered.length - covered.trimStart().length;
  const start = Number(holder.dataset.start ?? 0) + codePoints(before + covered.slice(0, lead));
  return [{ field: fieldOf(holder), start, end: start + codePoints(text), text }];
}

/**
 * Rationales with the places that their words have in the document now. Of a page more may be shown than by the version that they were kept
 * with; then they stand where the same words are nearest. @returns {Rationale[]}
 */
export function placed(/** @type {Document} */ inside, /** @type {Rationale[]} */ rationales) {
  if (!rationales.length) return rationales;
  const whole = holders(inside).filter((holder) => holder.dataset.start === undefined);
  const texts = new Map(whole.map((holder) => [fieldOf(holder), joined(textNodes(holder)).text]));
  return rationales.map((one) => movedIn(texts.get(one.field), one));
}

/** @param {string | undefined} text of the field, if it is in one piece @param {Rationale} one @returns {Rationale} */
function movedIn(text, one) {
  if (text === undefined) return one;
  const expected = unitsOf(text, one.start);
  if (text.startsWith(one.text, expected)) return one;
  const before = text.lastIndexOf(one.text, expected);
  const after = text.indexOf(one.text, expected);
  const at = before === -1 || (after !== -1 && after - expected < expected - before) ? after : before;
  if (at === -1) return one;
  const start = codePoints(text.slice(0, at));
  return { ...one, start, end: start + codePoints(one.text) };
}

/** How many units of UTF-16 the first code points of a text take. @param {string} text @param {number} points */
function unitsOf(text, points) {
  let units = 0;
  for (let point = 0; point < points && units < text.length; point++)
    units += /** @type {number} */ (text.codePointAt(units)) > 0xffff ? 2 : 1;
  return units;
}

/** Where the words of rationales are in a document now, in several pieces over several blocks; nowhere for words that are not in it. @param {Document} inside @param {Rationale[]} rationales @returns {Range[]} */
export function rangesOf(inside, rationales) {
  if (!rationales.length) return [];
  const standing = placed(inside, rationales);
  return holders(inside).flatMap((holder) => {
    const base = Number(holder.dataset.start ?? 0);
    const { text, rangeOf } = joined(textNodes(holder));
    const points = Array.from(text);
    return standing.flatMap((one) => {
      const start = Math.max(one.start, base);
      const end = Math.min(one.end, base + points.length);
      const words = Array.from(one.text)
        .slice(start - one.start, end - one.start)
        .join("");
      const isHere = one.field === fieldOf(holder) && start < end && points.slice(start - base, end - base).join("") === words;
      return isHere ? [rangeOf(unitsOf(text, start - base), unitsOf(text, end - base))] : [];
    });
  });
}

/**
 * Colours ranges under a name that the style sheet of documents knows, without touching the document. @param {Window & typeof globalThis}
 * view of the frame @param {string} name @param {Range[]} ranges @returns {boolean} whether the browser can
 */
export function colour(view, name, ranges) {
  const registry = view.CSS && /** @type {any} */ (view.CSS).highlights;
  if (!registry) return false;
  if (ranges.length) registry.set(name, new /** @type {any} */ (view).Highlight(...ranges));
  else registry.delete(name);
  return true;
}
