/** The practice page: the digit of a grade gives it, in the page and in the document's frame; Enter goes on. */
import { fitScreen } from "./panel.js";

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
  const wanted = [...document.querySelectorAll("button[data-key]")].find(
    (button) => button instanceof HTMLElement && button.dataset.key === event.key,
  );
  const onwards = document.getElementById("onwards");
  const target = wanted ?? (event.key === "Enter" && event.target !== onwards ? onwards : null);
  if (!(target instanceof HTMLElement)) return;
  event.preventDefault();
  target.click();
}

document.addEventListener("keydown", pressed);
const frame = document.querySelector("iframe");
frame?.addEventListener("load", () => frame.contentDocument?.addEventListener("keydown", pressed));
document.getElementById("onwards")?.focus();
if (document.getElementById("controls")) fitScreen();
