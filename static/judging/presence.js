/** Coming back to the page: from another window or tab, not from one frame of the page to another. */

export function whenBack(/** @type {() => void} */ onreturn) {
  let isAway = false;
  // While the focus is in a frame of ours the document has it still.
  addEventListener("blur", () => (isAway = !document.hasFocus()));
  addEventListener("focus", () => {
    if (isAway) onreturn();
    isAway = false;
  });
  document.addEventListener("visibilitychange", () => document.hidden || onreturn());
}
