/** Several notices above the document take one line, which opens and closes them; what needs a decision stays open. */
import { byId, counted, hide, write } from "../elements.js";

export function watchNotices() {
  const line = byId("notices");
  const place = /** @type {HTMLElement} */ (line.parentElement);
  const button = byId("notices-way");
  const count = byId("notices-count");
  const show = () => {
    const notices = [...place.children].filter((notice) => notice !== line && !notice.matches("[hidden], .alert-open"));
    const isOpen = button.getAttribute("aria-expanded") === "true";
    hide(line, notices.length < 2);
    place.classList.toggle("alerts-closed", notices.length > 1 && !isOpen);
    if (notices.length < 2) return;
    const words = counted(notices.length, "notice");
    write(count, words);
    button.textContent = isOpen ? "Hide" : "Show";
  };
  button.addEventListener("click", () => {
    button.setAttribute("aria-expanded", String(button.getAttribute("aria-expanded") === "false"));
    show();
  });
  const isOfNotices = (/** @type {MutationRecord} */ { target }) => target === place || (target !== line && target.parentElement === place);
  new MutationObserver((changes) => changes.some(isOfNotices) && show()).observe(place, {
    childList: true,
    subtree: true,
    attributeFilter: ["hidden"],
  });
  show();
}
