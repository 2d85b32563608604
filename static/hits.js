/** The marked words of the document on the screen: jumping among them, the map of them, passage and whole. */
import { HitMap } from "./hitmap.js";
import { byId } from "./elements.js";

export class Hits {
  /**
   * @param {import("./viewer.js").Viewer} viewer
   * @param {(why: string) => void} tell
   */
  constructor(viewer, tell) {
    this.viewer = viewer;
    this.tell = tell;
    this.map = new HitMap(byId("hit-map"), (fraction) => this.jumpTo(fraction));
    /** The mark that was jumped to last. @type {Element | null} */
    this.now = null;
    /** Whether documents open at their best passage. */
    this.opensPassage = true;
  }

  /** A document is about to be shown: at its best passage, if it has one. @param {import("./viewer.js").Shown} shown */
  open(shown) {
    this.now = null;
    this.shown = shown;
    const body = this.viewer.inside?.body;
    if (body && body.classList.contains("passage") !== (shown.passage && this.opensPassage)) {
      body.classList.toggle("passage", shown.passage && this.opensPassage);
    }
    this.map.show(shown.hits);
    this.tellWhole();
  }

  /** The document is on the screen: its size can be asked for. */
  arrived() {
    this.follow();
  }

  /** @param {Window} inside the window of a frame: the map follows as it scrolls */
  watch(inside) {
    inside.addEventListener("scroll", () => inside === this.viewer.inside?.defaultView && this.follow(), { passive: true });
  }

  get isPassage() {
    return this.viewer.inside?.body.classList.contains("passage") ?? false;
  }

  /** Between the best passage and the whole. */
  toggleWhole() {
    if (!this.shown?.passage) return this.tell("The whole document is shown");
    const anchor = this.isPassage ? this.firstShown() : null;
    this.viewer.inside?.body.classList.toggle("passage");
    if (anchor) anchor.scrollIntoView({ block: "start" });
    else this.viewer.inside?.defaultView?.scrollTo(0, 0);
    this.tellWhole();
    this.follow();
  }

  /** The first marked word of the passage, by which the place is kept when the rest comes into view. */
  firstShown() {
    return this.marks().find((mark) => !mark.closest(".outside")) ?? null;
  }

  tellWhole() {
    const button = byId("whole");
    button.hidden = !this.shown?.passage;
    const words = byId("whole-words");
    const text = this.isPassage ? "Whole document" : "Best passage";
    if (words.textContent !== text) words.textContent = text;
  }

  /** @returns {Element[]} */
  marks() {
    return [...(this.viewer.inside?.querySelectorAll("mark.hit") ?? [])];
  }

  /** The next marked word, or the one before. @param {1 | -1} step */
  jump(step) {
    const marks = this.marks();
    if (!marks.length) return this.tell("No marked words here");
    const at = this.now ? marks.indexOf(this.now) : -1;
    const first = step === 1 ? this.startingPoint(marks) : marks.length - 1;
    const to = this.now ? (at + step + marks.length) % marks.length : first;
    this.reveal(marks[to]);
    this.tell(`${to + 1} of ${marks.length}`);
  }

  /** The first mark that stands below the top of the window. @param {Element[]} marks */
  startingPoint(marks) {
    const at = marks.findIndex((mark) => mark.getClientRects().length > 0 && mark.getBoundingClientRect().top >= 0);
    return Math.max(at, 0);
  }

  /** @param {number} fraction of the text */
  jumpTo(fraction) {
    const marks = this.marks();
    if (!marks.length || !this.shown) return;
    const nearest = this.shown.hits.reduce((best, hit, at, hits) => (Math.abs(hit - fraction) < Math.abs(hits[best] - fraction) ? at : best), 0);
    const to = Math.round((nearest / Math.max(this.shown.hits.length - 1, 1)) * (marks.length - 1));
    this.reveal(marks[to]);
  }

  /** @param {Element} mark */
  reveal(mark) {
    if (this.isPassage && mark.closest(".outside")) this.toggleWhole();
    this.now?.classList.remove("current");
    mark.classList.add("current");
    mark.scrollIntoView({ block: "center" });
    this.now = mark;
  }

  /** Shows on the map which part of the whole is on the screen. */
  follow() {
    const root = this.viewer.inside?.documentElement;
    if (!root || this.isPassage) return this.map.window(null);
    const { scrollHeight, clientHeight, scrollTop } = root;
    this.map.window(scrollHeight > clientHeight ? [scrollTop / scrollHeight, (scrollTop + clientHeight) / scrollHeight] : null);
  }
}
