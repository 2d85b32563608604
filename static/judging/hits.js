/** The marks of the document on the screen, words and differences: jumping among them, the map, passage and whole. */
import { gettext } from "../messages.js";
import { HitMap } from "./hitmap.js";
import { byId, hide, write } from "../elements.js";
import { isFolded, unfold } from "./folds.js";
import { textNodes } from "./places.js";

/** How far down the window the marked word is at which a document opens. */
const DOWN = 1 / 4;
/** What can be gone to: each hit, and each difference from a near duplicate, by their beginnings. */
const STOPS = ["mark.hit:not(.continued, .missing *)", "del.missing", "mark.begins:not(.replaces)"];

/** @typedef {{documentId: string, block: number, top: number}} Place the first block in sight, and how far down it begins */

export class Hits {
  constructor(/** @type {Viewer} */ viewer, /** @type {(why: string) => void} */ tell) {
    this.viewer = viewer;
    this.tell = tell;
    this.map = new HitMap(byId("hit-map"), (fraction) => this.jumpTo(fraction));
    this.now = /** @type {Element | null} */ (null);
    this.opensPassage = true;
    viewer.onsigns.push(() => this.follow());
    // A document becomes longer or shorter without scrolling too: the height of what was never on the screen is a guess.
    this.sizes = new ResizeObserver(() => this.follow());
    /** Where the document that is shown again is to be opened. @type {Place | null} */
    this.place = null;
  }

  /** The marked word one has gone to, while it is in sight. */
  get marked() {
    return this.now && isInSight(this.now) ? this.now : null;
  }

  /** The whole document is about to be shown again with other marks: it opens where it is now. */
  keepPlace() {
    const { inside } = this.viewer;
    this.place = inside && this.shown && !this.isPassage ? { documentId: this.shown.document_id, ...placeIn(inside) } : null;
  }

  /** A document is about to be shown: at its first difference, else at its best passage, if it has one. @param {Shown} shown */
  open(shown) {
    this.now?.classList.remove("current");
    this.now = null;
    this.shown = shown;
    const place = this.place?.documentId === shown.document_id ? this.place : null;
    this.place = null;
    const { inside } = this.viewer;
    const isPassage = shown.passage && this.opensPassage && !place && !shown.differences.length;
    if (inside && inside.body.classList.contains("passage") !== isPassage) inside.body.classList.toggle("passage", isPassage);
    if (inside && place) goTo(inside, place);
    else if (inside && shown.differences.length) showFirstDifference(inside);
    else if (this.opensPassage) this.openAt(shown.opens_at);
    this.map.show(shown.hits, shown.differences);
    this.tellWhole();
  }

  /** Where the best stretch begins further down than the window reaches, the document opens there. @param {number | null} number */
  openAt(number) {
    const mark = number === null ? null : this.marks()[number];
    const view = this.viewer.inside?.defaultView;
    if (!mark || !view || mark.getBoundingClientRect().bottom <= view.innerHeight) return;
    mark.scrollIntoView({ block: "start" });
    view.scrollBy(0, mark.getBoundingClientRect().top - view.innerHeight * DOWN);
  }

  /** The document is on the screen: its size can be asked for. */
  arrived() {
    this.follow();
    this.sizes.disconnect();
    const root = this.viewer.inside?.documentElement;
    for (const part of root ? [root, this.viewer.stage] : []) this.sizes.observe(part);
  }

  watch(/** @type {Window} */ inside) {
    inside.addEventListener("scroll", () => inside === this.viewer.inside?.defaultView && this.follow(), { passive: true });
  }

  get isPassage() {
    return this.viewer.inside?.body.classList.contains("passage") ?? false;
  }

  toggleWhole() {
    if (!this.shown?.passage) return this.tell(gettext("The whole document is shown"));
    const anchor = this.isPassage ? this.firstShown() : null;
    const top = anchor?.getBoundingClientRect().top ?? 0;
    const view = this.viewer.inside?.defaultView;
    this.viewer.inside?.body.classList.toggle("passage");
    if (anchor) view?.scrollBy(0, anchor.getBoundingClientRect().top - top);
    else view?.scrollTo(0, 0);
    this.tellWhole();
    this.follow();
  }

  /** The first marked word of the passage: it stays where it is when the rest comes into view. */
  firstShown() {
    return this.marks().find((mark) => !mark.closest(".outside")) ?? null;
  }

  tellWhole() {
    const button = byId("whole");
    hide(button, !this.shown?.passage);
    write(byId("whole-words"), this.isPassage ? gettext("Whole document") : gettext("Best passage"));
  }

  /** The marks of the text, each by its beginning: those of the title are always in sight. @returns {Element[]} */
  marks() {
    return [...(this.viewer.inside?.querySelectorAll(STOPS.map((stop) => `main ${stop}`).join()) ?? [])];
  }

  /** The next marked word after the one jumped to last or, when that is out of sight, of the window; or the one before. @param {1 | -1} step */
  jump(step) {
    const marks = this.marks();
    if (!marks.length) return this.tell(gettext("No marked words in the text"));
    const at = this.marked ? marks.indexOf(this.marked) + step : this.startingPoint(marks) - Number(step === -1);
    const to = (at + marks.length) % marks.length;
    this.reveal(marks[to]);
    this.tell(gettext("%(at)s of %(all)s", { at: to + 1, all: marks.length }));
  }

  startingPoint(/** @type {Element[]} */ marks) {
    const at = marks.findIndex((mark) => !isFolded(mark) && mark.getClientRects().length > 0 && mark.getBoundingClientRect().top >= 0);
    return Math.max(at, 0);
  }

  /** To the mark whose tick on the map is nearest. @param {number} fraction */
  jumpTo(fraction) {
    const { hits, differences } = this.shown ?? { hits: [], differences: [] };
    const ticks = [...hits, ...differences];
    const marks = this.marks();
    const main = this.viewer.inside?.querySelector("main");
    if (!marks.length || !main) return;
    const nearest = nearestTo(ticks, fraction);
    // The map has one tick for hits that stand close together, and one mark may have two: then places tell which it is.
    const isAlike = !differences.length && hits.length === marks.length;
    this.reveal(marks[isAlike ? nearest : nearestTo(fractions(main, marks), ticks[nearest])]);
  }

  reveal(/** @type {Element} */ mark) {
    if (this.isPassage && mark.closest(".outside")) this.toggleWhole();
    unfold(mark);
    this.now?.classList.remove("current");
    mark.classList.add("current");
    mark.scrollIntoView({ block: "center" });
    this.now = mark;
  }

  follow() {
    const root = this.viewer.inside?.documentElement;
    if (!root || this.isPassage) return this.map.window(null);
    const { scrollHeight, clientHeight, scrollTop } = root;
    this.map.window(scrollHeight > clientHeight ? [scrollTop / scrollHeight, (scrollTop + clientHeight) / scrollHeight] : null);
  }
}

/** The paragraphs and the like of a document: which there are does not depend on the marks. @param {Document} inside */
function blocksOf(inside) {
  return [...inside.querySelectorAll("main :is(p, li, td, th, dt, dd, pre, h1, h2, h3, h4, h5, h6)")];
}

/** @param {Document} inside @returns {{block: number, top: number}} */
function placeIn(inside) {
  const blocks = blocksOf(inside);
  const block = blocks.findIndex((one) => one.getBoundingClientRect().bottom > 0);
  return { block, top: blocks[block]?.getBoundingClientRect().top ?? 0 };
}

function goTo(/** @type {Document} */ inside, /** @type {{block: number, top: number}} */ { block, top }) {
  const to = blocksOf(inside)[block];
  to?.scrollIntoView({ block: "start" });
  inside.defaultView?.scrollBy(0, (to?.getBoundingClientRect().top ?? top) - top);
}

function isInSight(/** @type {Element} */ element) {
  const { top, bottom, height } = element.getBoundingClientRect();
  return height > 0 && bottom > 0 && top < (element.ownerDocument.defaultView?.innerHeight ?? 0);
}

/** The place of the number that is nearest to another. @param {number[]} numbers @param {number} wanted */
function nearestTo(numbers, wanted) {
  return numbers.reduce((best, number, at) => (Math.abs(number - wanted) < Math.abs(numbers[best] - wanted) ? at : best), 0);
}

/** How far into a text its marks stand, from 0 to 1. @param {Element} main @param {Element[]} marks @returns {number[]} */
function fractions(main, marks) {
  const wanted = new Set(marks);
  const counted = new Set(textNodes(main));
  const walker = main.ownerDocument.createTreeWalker(main, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  const starts = [];
  let passed = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (wanted.has(/** @type {Element} */ (node))) starts.push(passed);
    if (counted.has(/** @type {Text} */ (node))) passed += /** @type {Text} */ (node).length;
  }
  return starts.map((start) => start / passed);
}

function showFirstDifference(/** @type {Document} */ inside) {
  const first = inside.querySelector(".document-head :is(del.missing, mark.begins), main :is(del.missing, mark.begins)");
  unfold(first);
  if (first && first.getBoundingClientRect().bottom > inside.documentElement.clientHeight) first.scrollIntoView({ block: "center" });
}
