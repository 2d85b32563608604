/**
 * Documents of which a page hears nothing: WebKit (Safari) runs no listener of ours in a frame without scripts (its bug 218086), be it for
 * keys, for scrolling or for the mouse. There the focus stays in the page, where keys are heard, and the page looks from time to time at
 * what it is not told. Chromium and Firefox tell everything, and nothing of this happens in them.
 */

/** Milliseconds between two looks at what has been scrolled or selected, and at what the mouse points to. */
const LOOKED_EVERY = 100;
const POINTED_EVERY = 1_000;

/** Whether listeners in the documents of this browser are run; null until one was tried. @type {boolean | null} */
let isHeard = null;

export function hears(/** @type {Window} */ inside) {
  if (isHeard !== null) return isHeard;
  isHeard = false;
  inside.addEventListener("workbench-heard", () => (isHeard = true), { once: true });
  inside.dispatchEvent(new Event("workbench-heard"));
  return isHeard;
}

/** Leads the focus into a document, unless keys would be lost there. @param {Window} inside */
export function enter(inside) {
  if (hears(inside)) inside.focus();
}

/**
 * Keeps the keyboard in the page: Tab stops at the place of the documents and not in them, and the focus that a click or a selection has
 * led into one comes back to that place, which leaves the selection as it is. @param {HTMLElement} place that holds the frames
 */
export function keepFocus(place) {
  place.tabIndex = 0;
  const giveBack = () => {
    const { activeElement } = document;
    if (activeElement instanceof HTMLIFrameElement && place.contains(activeElement)) place.focus({ preventScroll: true });
  };
  // The window loses the focus to the frame before the press of the mouse is over.
  addEventListener("blur", () => setTimeout(giveBack));
  document.addEventListener("copy", (event) => document.activeElement === place && copy(event, place));
}

/** What is selected in the document is what its reader means to copy. @param {ClipboardEvent} event @param {HTMLElement} place */
function copy(event, place) {
  const frame = /** @type {HTMLIFrameElement | null} */ (place.querySelector("iframe.current"));
  const selected = String(frame?.contentDocument?.getSelection() ?? "");
  if (!selected) return;
  event.clipboardData?.setData("text/plain", selected);
  event.preventDefault();
}

/** Looks for signs of life in the document on the screen: what is scrolled, selected, opened or pointed to. */
export function watchFor(/** @type {() => Window | null | undefined} */ inside, /** @type {() => void} */ onsign) {
  const look = (/** @type {(view: Window) => boolean} */ isChanged) => () => {
    const view = document.hidden ? null : inside();
    if (view && isChanged(view)) onsign();
  };
  setInterval(look(changes(moved)), LOOKED_EVERY);
  setInterval(look(changes(pointedTo)), POINTED_EVERY);
}

/** Where a document is scrolled to, what is selected in it, and how many folds are open. @param {Window} view @returns {unknown[]} */
function moved(view) {
  const { anchorNode, anchorOffset, focusNode, focusOffset } = view.getSelection() ?? {};
  const open = view.document.querySelectorAll("details[open]").length;
  return [view.scrollX, view.scrollY, anchorNode, anchorOffset, focusNode, focusOffset, open];
}

/** The innermost element under the mouse. @param {Window} view @returns {unknown[]} */
function pointedTo(view) {
  return [...view.document.querySelectorAll(":hover")].slice(-1);
}

/** Tells whether what is read of a window has changed since it was read last, of the same window. @param {(view: Window) => unknown[]} read */
function changes(read) {
  let seenIn = /** @type {Window | null} */ (null);
  let seen = /** @type {unknown[]} */ ([]);
  return (/** @type {Window} */ view) => {
    const now = read(view);
    const isChanged = seenIn === view && (now.length !== seen.length || now.some((one, at) => one !== seen[at]));
    seenIn = view;
    seen = now;
    return isChanged;
  };
}
