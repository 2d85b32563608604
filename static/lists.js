/** Ticking rows of a list: a range with Shift, all of the page, and how many are ticked. */
import { counted } from "./elements.js";

function ticking(/** @type {HTMLFormElement} */ form) {
  const boxes = /** @type {HTMLInputElement[]} */ ([...form.elements].filter((each) => each.matches("input[data-tick]")));
  const page = /** @type {HTMLInputElement | null} */ (form.querySelector("input[data-tick-page]"));
  const every = /** @type {HTMLInputElement | null} */ (form.querySelector("input[name=every]"));
  const words = form.querySelector("[data-ticked]");
  if (!boxes.length || !page || !words) return;
  let last = -1;
  let shift = false;

  const show = () => {
    const ticked = boxes.filter((box) => box.checked).length;
    page.checked = ticked === boxes.length;
    page.indeterminate = ticked > 0 && ticked < boxes.length;
    words.textContent = every?.checked ? "" : ticked ? `${counted(ticked, "row")} selected` : "";
  };

  boxes.forEach((box, at) =>
    box.addEventListener("click", (event) => {
      if ((event.shiftKey || shift) && last >= 0)
        for (const each of boxes.slice(Math.min(at, last), Math.max(at, last) + 1)) each.checked = box.checked;
      if (!box.checked && every) every.checked = false;
      last = at;
      shift = false;
      show();
    }),
  );
  // Some browsers do not pass Shift on from the box's label, and select the words between.
  form.addEventListener(
    "click",
    (event) => {
      if (!(event.target instanceof HTMLInputElement)) shift = event.shiftKey;
    },
    true,
  );
  form.addEventListener("mousedown", (event) => {
    if (event.shiftKey && /** @type {Element} */ (event.target).closest(".tick")) event.preventDefault();
  });
  page.addEventListener("change", () => {
    for (const box of boxes) box.checked = page.checked;
    if (!page.checked && every) every.checked = false;
    show();
  });
  every?.addEventListener("change", () => {
    for (const box of boxes) box.checked = every.checked;
    show();
  });
  page.closest("label")?.removeAttribute("hidden");
  show();
}

for (const form of document.forms) ticking(form);
