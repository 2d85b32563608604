/** From left to right, or from right to left: what that is for arrow keys and places on the screen. */

/** Whether the lines of an element run from right to left. @param {Element} element */
export const isFromRight = (element) => element.closest("[dir='ltr'], [dir='rtl']")?.getAttribute("dir") === "rtl";

/** How wide the window is after an element, where its lines end. @param {Element} element */
export function roomAfter(element) {
  const { left, right } = element.getBoundingClientRect();
  return isFromRight(element) ? left : innerWidth - right;
}

/** Where an arrow key leads among things in a row or column: 1 is on, -1 back, and 0 are other keys. @param {string} key @param {Element} among */
export function stepOf(key, among) {
  const right = isFromRight(among) ? -1 : 1;
  return { ArrowDown: 1, ArrowUp: -1, ArrowRight: right, ArrowLeft: -right }[key] ?? 0;
}
