/** Finding words in the document on the screen, whatever its script: every place is coloured, the next one shown. */
import { gettext, number } from "../messages.js";
import { byId } from "../elements.js";
import { unfold } from "./folds.js";
import { colour, joined, textNodes } from "./places.js";
import { enter } from "./quiet_frames.js";

const MOST = 1_000;
/** Every element but those that stand within a line. */
export const BLOCK =
  ":not(a, abbr, b, bdi, bdo, cite, code, del, dfn, em, i, ins, kbd, mark, q, rp, rt, ruby, s, samp, small, span, strong, sub, sup, time, tt, u, var)";
const UNSPACED =
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]";
const BETWEEN_UNSPACED = new RegExp(`(?<=${UNSPACED})(?=${UNSPACED})`, "u");

const escaped = (/** @type {string} */ text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

export class Find {
  constructor(/** @type {Viewer} */ viewer, /** @type {Hits} */ hits) {
    this.viewer = viewer;
    this.hits = hits;
    this.bar = byId("find");
    this.box = byId("find-text");
    this.count = byId("find-count");
    this.places = /** @type {Range[]} */ ([]);
    this.at = -1;
    this.box.addEventListener("input", () => this.search());
    this.bar.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.pressed(event));
    byId("find-next").addEventListener("click", () => this.step(1));
    byId("find-previous").addEventListener("click", () => this.step(-1));
    byId("find-close").addEventListener("click", () => this.close());
  }

  get isOpen() {
    return !this.bar.hidden;
  }

  open() {
    this.bar.hidden = false;
    this.box.focus();
    this.box.select();
    this.search();
  }

  /** Also when another document comes: what was looked for stays in the box. */
  leave() {
    const view = this.viewer.inside?.defaultView;
    if (view && this.places.length) for (const name of ["find", "find-now"]) colour(view, name, []);
    this.places = [];
    if (this.isOpen) this.bar.hidden = true;
  }

  /** The place found last is selected then, as browsers do it: it can be kept, or grown with Shift and the arrows. */
  close() {
    const view = this.viewer.inside?.defaultView;
    const place = this.places[this.at];
    this.leave();
    this.viewer.focus();
    if (!view || !place) return;
    select(view, place);
    enter(view);
  }

  pressed(/** @type {KeyboardEvent} */ event) {
    if (event.isComposing || !["Escape", "Enter"].includes(event.key)) return;
    if (event.key === "Enter" && event.target !== this.box) return;
    event.preventDefault();
    if (event.key === "Escape") this.close();
    else this.step(event.shiftKey ? -1 : 1);
  }

  search() {
    const view = this.viewer.inside?.defaultView;
    if (!view) return;
    this.places = this.box.value.trim() ? placesOf(view.document, this.box.value.trim()) : [];
    this.at = -1;
    colour(view, "find-now", []);
    colour(view, "find", this.places);
    if (this.places.length) this.step(1);
    else this.count.textContent = this.box.value.trim() ? gettext("Not found") : "";
  }

  step(/** @type {1 | -1} */ step) {
    const view = this.viewer.inside?.defaultView;
    if (!view || !this.places.length) return;
    this.at = (this.at + step + this.places.length) % this.places.length;
    const place = this.places[this.at];
    const here = place.startContainer.parentElement;
    if (this.hits.isPassage && here?.closest(".outside")) this.hits.toggleWhole();
    unfold(here);
    if (!colour(view, "find-now", [place])) select(view, place);
    here?.scrollIntoView({ block: "nearest" });
    const { top } = place.getBoundingClientRect();
    view.scrollBy(0, top - view.innerHeight / 3);
    this.count.textContent = gettext("%(at)s of %(all)s", {
      at: this.at + 1,
      all: number(this.places.length) + (this.places.length === MOST ? "+" : ""),
    });
  }
}

function select(/** @type {Window} */ view, /** @type {Range} */ place) {
  const selection = view.getSelection();
  selection?.removeAllRanges();
  selection?.addRange(place);
}

/** @param {Document} inside @param {string} wanted @returns {Range[]} */
function placesOf(inside, wanted) {
  const nodes = textNodes(inside.body).filter((node) => node.parentElement?.closest(".joint") === null);
  const parted = partedNodes(inside.body);
  const { text, rangeOf } = joined(nodes, (node) => (parted.has(node) ? "\n" : ""));
  const matches = [...text.matchAll(pattern(wanted))].slice(0, MOST);
  return matches.map(({ 0: { length }, index }) => rangeOf(index, index + length));
}

/**
 * What to look for: the words as they were typed, with letters and accents in one piece or in two, and with whatever blanks or line ends
 * between them. Where a script writes its words without blanks a line may end anywhere.
 */
function pattern(/** @type {string} */ wanted) {
  const forms = new Set([wanted, wanted.normalize("NFC"), wanted.normalize("NFD")]);
  const alternatives = [...forms].map((form) => form.split(/\s+/u).map(word).join("\\s+"));
  return new RegExp(alternatives.join("|"), "giu");
}

function word(/** @type {string} */ text) {
  return text.split(BETWEEN_UNSPACED).map(escaped).join("\\s*");
}

/** The text nodes that a block or a line end parts from the text before them. @param {Node} root */
function partedNodes(root) {
  const walker = /** @type {Document} */ (root.ownerDocument).createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  const parted = new Set();
  let block = null;
  let isParted = false;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeType === Node.ELEMENT_NODE) {
      isParted ||= node.nodeName === "BR";
      continue;
    }
    const around = node.parentElement?.closest(BLOCK);
    if (isParted || around !== block) parted.add(node);
    block = around;
    isParted = false;
  }
  return parted;
}
