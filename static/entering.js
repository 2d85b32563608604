/** Keys that a document takes itself: pressed on its place in the page, the first one does there what it does, and leads in. */

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

/** @param {KeyboardEvent} event @param {Window} view @returns {(() => void) | null} what the key does in a document */
function deed(event, view) {
  const { key, ctrlKey, altKey, metaKey, shiftKey } = event;
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
    view.focus();
    act();
  });
}
