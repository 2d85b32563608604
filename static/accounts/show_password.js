/** A switch that shows what is typed into the password fields of a form. Loaded as a script of its own it serves the page's forms. */
import { element } from "../elements.js";
import { gettext } from "../messages.js";

/** Puts the switch before the form's button. @param {HTMLFormElement} form */
export function addShowSwitch(form) {
  const fields = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("input[type=password]")]);
  if (!fields.length) return;
  const box = element("input", { type: "checkbox" });
  const show = (/** @type {boolean} */ shown) => {
    box.checked = shown;
    for (const field of fields) field.type = shown ? "text" : "password";
  };
  box.addEventListener("change", () => show(box.checked));
  // Browsers keep passwords for the fields that they know as such.
  form.addEventListener("submit", () => show(false));
  fields[fields.length - 1].after(element("label", { class: "show-password" }, box, gettext("Show password")));
}

for (const form of document.forms) addShowSwitch(form);
