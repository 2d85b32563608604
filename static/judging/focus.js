/** Keys that a document takes itself: pressed on its place in the page they do there what they do, and the first one leads in. */
import { enter, hears } from "./quiet_frames.js";

/** What a press of an arrow moves in Chromium and Firefox, in CSS pixels, and how much of a page a page's key does. */
const LINE = 40;
const PAGE = 0.875;

/**
 * How far a key scrolls, in CSS pixels; null for keys that do not scroll.
 * @param {KeyboardEvent} event @param {number} height of the window that is scrolled @param {number} whole height of what is in it
 */
function distance({ key, shiftKey }, height, whole) {
  const page = Math.round(PAGE * height);
  const keys = { ArrowUp: -LINE, ArrowDown: LINE, PageUp: -page, PageDown: page, Home: -whole, End: whole, " ": shiftKey ? -page : page };
  return /** @type {Record<string, number>} */ (keys)[key] ?? null;
}

/** How an arrow with Shift changes a selection: towards where, and by what. @type {Record<string, [string, string]>} */
const EXTENSIONS = {
  ArrowLeft: ["left", "character"],
  ArrowRight: ["right", "character"],
  ArrowUp: ["backward", "line"],
  ArrowDown: ["forward", "line"],
};

/** Makes a selection longer or shorter, where the focus does not follow it into the document. @returns {(() => void) | null} */
function extension(/** @type {KeyboardEvent} */ { key, ctrlKey, altKey, metaKey, shiftKey }, /** @type {Window} */ view) {
  const selection = view.getSelection();
  if (!shiftKey || metaKey || !(key in EXTENSIONS) || !selection || selection.isCollapsed || hears(view)) return null;
  const [towards, by] = EXTENSIONS[key];
  const isWord = (ctrlKey || altKey) && by === "character";
  return () => selection.modify("extend", towards, isWord ? "word" : by);
}

/** @param {KeyboardEvent} event @param {Window} view @returns {(() => void) | null} */
function deed(event, view) {
  const { key, ctrlKey, altKey, metaKey, shiftKey } = event;
  const extends_ = extension(event, view);
  if (extends_) return extends_;
  if (altKey) return null;
  if (ctrlKey || metaKey) {
    const isAll = key.toLowerCase() === "a" && !shiftKey;
    return isAll ? () => view.getSelection()?.selectAllChildren(view.document.body) : null;
  }
  const by = distance(event, view.innerHeight, view.document.documentElement.scrollHeight);
  return by === null ? null : () => view.scrollBy({ top: by });
}

/** @param {HTMLElement} place that has the focus for the document in it @param {() => Window | null | undefined} inside */
export function enterFrom(place, inside) {
  addEventListener("keydown", (event) => {
    const view = event.target === place && !event.defaultPrevented ? inside() : null;
    const act = view && deed(event, view);
    if (!view || !act) return;
    event.preventDefault();
    enter(view);
    act();
  });
}
