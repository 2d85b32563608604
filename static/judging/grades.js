/**
 * The grades as a radio group: one stop for Tab, and arrows from grade to grade within it. A grade is stored as soon as it is given, so an
 * arrow only moves the focus; Space, Enter and the grade's own key give it. Outside the group the arrows go from document to document.
 */
import { stepOf } from "../direction.js";

/** @param {HTMLElement} group @returns {HTMLButtonElement[]} */
function radiosOf(group) {
  return [...group.querySelectorAll("button")];
}

export function moveAmong(/** @type {HTMLElement} */ group) {
  group.addEventListener("focusin", (event) => stopAt(group, /** @type {HTMLButtonElement} */ (event.target)));
  group.addEventListener("keydown", (event) => {
    const step = stepOf(event.key, group);
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const radios = radiosOf(group).filter((radio) => !radio.disabled);
    const at = radios.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    radios.at((at + step) % radios.length)?.focus();
  });
}

/** Tab stops at the grade that is in force, or at the first one. @param {HTMLElement} group */
export function stopAtChecked(group) {
  const radios = radiosOf(group);
  stopAt(group, radios.find((radio) => radio.getAttribute("aria-checked") === "true") ?? radios[0]);
}

function stopAt(/** @type {HTMLElement} */ group, /** @type {HTMLButtonElement} */ stop) {
  for (const radio of radiosOf(group)) {
    const index = radio === stop ? 0 : -1;
    if (radio.tabIndex !== index) radio.tabIndex = index;
  }
}
