/**
 * What the assessors gave as reasons, marked in the document in the style of their letter, and visited one by one. Which style a letter
 * has, and where its reasons are, the page says (`data-mark`, `data-rationale`); a reason whose words are no longer there is not marked,
 * and says so.
 */
import { element } from "../elements.js";
import { unfold } from "../judging/folds.js";
import { colour, rangesOf } from "../judging/places.js";

/** @typedef {{quote: HTMLElement, name: string, range: Range}} Place a reason, the name of its mark, and where it stands */

/** How far down the window a reason stands that was gone to. */
const DOWN = 1 / 3;

export class BlindedGrades {
  constructor(/** @type {HTMLElement} */ list) {
    this.list = list;
    this.places = /** @type {Place[]} */ ([]);
    this.at = -1;
    this.view = /** @type {(Window & typeof globalThis) | null} */ (null);
  }

  /** The document has come: marks what is in it, and begins at the first reason. @param {Document} inside */
  mark(inside) {
    this.view = inside.defaultView;
    if (!this.view || this.places.length) return;
    const quotes = /** @type {HTMLElement[]} */ ([...this.list.querySelectorAll("[data-rationale]")]);
    this.places = quotes.flatMap((quote) => this.placeOf(inside, quote)).sort(inOrder);
    const names = new Set(this.places.map(({ name }) => name));
    for (const name of names)
      colour(
        this.view,
        name,
        this.places.filter((one) => one.name === name).map(({ range }) => range),
      );
    for (const place of this.places) place.quote.append(this.wayTo(place));
    if (this.places.length && !isInSight(this.places[0].range, this.view)) this.scrollTo(this.places[0].range);
  }

  /** Nothing where the words are not those that were kept. @param {Document} inside @param {HTMLElement} quote @returns {Place[]} */
  placeOf(inside, quote) {
    const rationale = JSON.parse(quote.dataset.rationale ?? "{}");
    const range = whole(rangesOf(inside, [rationale]), rationale.text);
    if (range) return [{ quote, name: `voice-${quote.dataset.mark}`, range }];
    quote.append(element("span", { class: "hint voice-way" }, "Not found in this text."));
    return [];
  }

  wayTo(/** @type {Place} */ place) {
    const button = element(
      "button",
      { type: "button", class: "link voice-way", "aria-label": `Show this rationale of ${place.quote.dataset.voice} in the document` },
      "Show",
    );
    button.addEventListener("click", () => this.goTo(this.places.indexOf(place)));
    return button;
  }

  /** The next reason in reading order or the one before, around the end. @param {1 | -1} step */
  step(step) {
    if (!this.places.length) return;
    const from = this.at < 0 && step < 0 ? 0 : this.at;
    this.goTo((from + step + this.places.length) % this.places.length);
  }

  goTo(/** @type {number} */ at) {
    if (!this.view) return;
    this.at = at;
    const { range } = this.places[at];
    colour(this.view, "voice-now", [range]);
    this.scrollTo(range);
  }

  scrollTo(/** @type {Range} */ range) {
    const view = /** @type {Window} */ (this.view);
    unfold(range.startContainer.parentElement);
    // A paragraph far below is laid out only once it comes near.
    range.startContainer.parentElement?.scrollIntoView({ block: "nearest" });
    view.scrollBy(0, range.getBoundingClientRect().top - view.innerHeight * DOWN);
  }
}

function inOrder(/** @type {Place} */ one, /** @type {Place} */ other) {
  return one.range.compareBoundaryPoints(Range.START_TO_START, other.range);
}

function isInSight(/** @type {Range} */ range, /** @type {Window} */ view) {
  const { top, bottom } = range.getBoundingClientRect();
  return bottom > 0 && top < view.innerHeight;
}

/** One range of the pieces that blocks have made of a reason, if they are its words. @param {Range[]} pieces @param {string} text @returns {Range | null} */
function whole(pieces, text) {
  const letters = (/** @type {string} */ words) => words.replace(/\s+/gu, "");
  if (!pieces.length || letters(pieces.join("")) !== letters(text)) return null;
  const last = pieces[pieces.length - 1];
  pieces[0].setEnd(last.endContainer, last.endOffset);
  return pieces[0];
}
