/**
 * Keys of a page that is worked by hand for weeks: which press counts, and what it means. A press does not count during typing, with a
 * modifier down, when the keyboard repeats it, while an input method composes a character, or while a dialog stands over the page.
 */

const TYPED_IN = "input:not([type='checkbox'], [type='radio']), textarea, select, [contenteditable]";
const PRESSED = "button, a[href], summary, [role='button']";
const PROCESSED = 229; // the key code of a press that an input method takes for itself

/** Whether a field may be being typed into, or a dialog is open: then the focus stays where it is. */
export function isBusy() {
  const { activeElement } = document;
  return Boolean(activeElement?.matches(TYPED_IN) && activeElement.checkVisibility()) || document.querySelector(":modal") !== null;
}

/** Whether an arrow scrolls what has the focus: code, a formula or a table that is wider than its place. @param {KeyboardEvent} event */
function scrolls({ key, target }) {
  if (!/^Arrow(?:Left|Right)$/.test(key)) return false;
  const focused = /** @type {Element | null} */ (target);
  return Boolean(focused?.matches?.("main, pre, .formula, .table") && focused.scrollWidth > focused.clientWidth);
}

function counts(/** @type {KeyboardEvent} */ event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return false;
  // With Shift the arrows make a selection longer or shorter.
  if (event.shiftKey && event.key.startsWith("Arrow")) return false;
  if (event.isComposing || event.keyCode === PROCESSED) return false;
  const target = /** @type {Element | null} */ (event.target);
  // The target may live in the document's frame, whose classes are not this window's: no instanceof.
  // The field of a dialog that has just been closed may still have the focus: it takes no typing.
  if (target?.closest?.(TYPED_IN)?.checkVisibility()) return false;
  if (scrolls(event)) return false;
  if (event.key === "Enter" && target?.closest?.(PRESSED)) return false;
  return document.querySelector(":modal") === null;
}

/**
 * What a press may mean, the likeliest first: a digit, a letter, a sign, or the browser's own name for the key. Letters are small unless
 * Shift makes them large (Caps Lock does not). Where the keyboard writes no Latin (Cyrillic, Arabic) the place of the key decides, and so
 * it does where digits need Shift (AZERTY). What is no digit because Shift is down is a sign, and no grade. The number pad without NumLock
 * moves the page, so only what it writes decides there. @returns {string[]}
 */
export function namesOf(/** @type {KeyboardEvent} */ { key, code, shiftKey }) {
  if (/^[A-Z]$/.test(key) && shiftKey) return [key, key.toLowerCase()];
  if (/^[a-zA-Z]$/.test(key)) return [key.toLowerCase()];
  const place = /^[^0-9]$/.test(key) ? /^(?:Digit([0-9])|Key([A-Z]))$/.exec(code) : null;
  if (!place) return [key];
  const [, digit, letter] = place;
  if (digit) return shiftKey ? [key] : [digit, key];
  return [key, letter.toLowerCase()];
}

/** A listener for `keydown` that runs the action of a key. @returns {(event: KeyboardEvent) => void} */
export function keyListener(/** @type {(name: string) => (() => void) | undefined} */ actionOf) {
  return (event) => {
    if (!counts(event)) return;
    for (const name of namesOf(event)) {
      const action = actionOf(name);
      if (!action) continue;
      event.preventDefault();
      if (!event.repeat) action();
      return;
    }
  };
}
