/**
 * Keys of a page that is worked by hand for weeks: which press counts, and what it means.
 *
 * A press does not count while somebody types, with a modifier down, when the keyboard repeats it, or while an
 * input method composes a character.
 */

const TYPED_IN = "input, textarea, select, [contenteditable]";

/** @param {KeyboardEvent} event */
function counts(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.defaultPrevented) return false;
  const target = /** @type {Element | null} */ (event.target);
  // The target may live in the document's frame, whose classes are not this window's: no instanceof.
  return !target?.closest?.(TYPED_IN);
}

/**
 * The name of a key: a digit, a small Latin letter, or the browser's own name for it.
 *
 * Where the keyboard writes no Latin (Cyrillic, Arabic) or needs Shift for digits (AZERTY), the place of the key
 * decides. The number pad without NumLock moves the page, so only what it writes decides there.
 * @param {KeyboardEvent} event
 */
export function nameOf(event) {
  const { key, code } = event;
  if (/^[0-9]$/.test(key)) return key;
  if (/^[a-zA-Z]$/.test(key)) return key.toLowerCase();
  if (key === "?") return key;
  const place = /^(?:Digit([0-9])|Key([A-Z]))$/.exec(code);
  if (place && key.length === 1) return place[1] ?? place[2].toLowerCase();
  return key;
}

/**
 * A listener for `keydown` that runs the action of a key.
 * @param {(name: string) => (() => void) | undefined} actionOf
 * @returns {(event: KeyboardEvent) => void}
 */
export function keyListener(actionOf) {
  return (event) => {
    if (!counts(event)) return;
    const action = actionOf(nameOf(event));
    if (!action) return;
    event.preventDefault();
    if (!event.repeat) action();
  };
}
