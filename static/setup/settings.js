/** Says how many settings are changed and not saved; without it the form saves all the same. */

import { byId, write } from "../elements.js";

const form = /** @type {HTMLFormElement} */ (byId("settings"));
const place = byId("unsaved");

/** What is saved of a field: a refused form comes back with what was typed. @param {any} field @returns {string} */
function savedOf(field) {
  return field.dataset.saved ?? field.defaultValue;
}

function count() {
  const fields = /** @type {any[]} */ ([...form.elements]).filter((each) => each.name && "value" in each);
  const typed = fields.filter((each) => each.type !== "hidden" && each.tagName !== "BUTTON");
  const changed = typed.filter((each) => each.value.trim() !== savedOf(each).trim());
  const names = new Set(changed.map((each) => each.name.replace(/^grade-.*/, "grades")));
  const number = names.size;
  write(place, number === 0 ? "No unsaved changes" : number === 1 ? "1 unsaved change" : `${number} unsaved changes`);
}

form.addEventListener("input", count);
count();
