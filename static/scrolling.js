/** Keys that scroll: pressed on a document's place in the page, the first one scrolls it from there and leads into it. */

/** What a press of an arrow moves in Chromium and Firefox, in CSS pixels, and how much of a page a page's key does. */
const LINE = 40;
const PAGE = 0.875;

/**
 * How far a key scrolls, in CSS pixels; null for keys that do not scroll.
 * @param {KeyboardEvent} event @param {number} height of the window that is scrolled @param {number} whole height of what is in it
 */
export function distance({ key, shiftKey }, height, whole) {
  const page = Math.round(PAGE * height);
  const keys = { ArrowUp: -LINE, ArrowDown: LINE, PageUp: -page, PageDown: page, Home: -whole, End: whole, " ": shiftKey ? -page : page };
  return /** @type {Record<string, number>} */ (keys)[key] ?? null;
}

/** @param {HTMLElement} place that has the focus for the document in it @param {() => Window | null | undefined} inside */
export function scrollFrom(place, inside) {
  addEventListener("keydown", (event) => {
    if (event.target !== place || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    const view = inside();
    const by = view && distance(event, view.innerHeight, view.document.documentElement.scrollHeight);
    if (!view || by === null) return;
    event.preventDefault();
    view.focus();
    view.scrollBy({ top: by });
  });
}
