/** Parts of a document that stand folded: opened and closed by a key, and found again as they were left. */
import { gettext, ngettext } from "../messages.js";
import { byId, hide } from "../elements.js";
import { Storage } from "../storage.js";

const FOLDS = "details.fold";

/** Opens what a place of a document is folded into. @param {Element | null | undefined} element */
export function unfold(element) {
  element?.closest("details:not([open])")?.setAttribute("open", "");
}

export const isFolded = (/** @type {Element} */ element) => element.closest("details:not([open])") !== null;

/** Asks for the images of pages that a fold holds, once it is open. @param {HTMLElement} fold */
function askForImages(fold) {
  if (!fold.hasAttribute("open")) return;
  for (const image of /** @type {NodeListOf<HTMLImageElement>} */ (fold.querySelectorAll("img[data-src]"))) {
    image.src = image.dataset.src ?? "";
    delete image.dataset.src;
  }
}

export class Folds {
  constructor(/** @type {string} */ owner, /** @type {Viewer} */ viewer, /** @type {(why: string) => void} */ tell) {
    this.left = new Storage(`workbench:folds:${owner}:`, () => sessionStorage);
    this.viewer = viewer;
    this.tell = tell;
    /** The document whose folds are on the screen. @type {string | null} */
    this.documentId = null;
  }

  /** @returns {HTMLDetailsElement[]} */
  all() {
    return [...(this.viewer.inside?.querySelectorAll(FOLDS) ?? [])].map((fold) => /** @type {HTMLDetailsElement} */ (fold));
  }

  /** A frame has its document: what is opened in it with the mouse is filled. @param {Document} inside */
  watch(inside) {
    inside.addEventListener("toggle", ({ target }) => askForImages(/** @type {HTMLElement} */ (target)), true);
  }

  /** What was opened in a document that tells nothing is filled. */
  look() {
    this.all().forEach(askForImages);
  }

  /** A document is about to be shown: its folds are as they were when it was left. @param {string} documentId */
  open(documentId) {
    this.documentId = documentId;
    const folds = this.all();
    const left = this.left.get(documentId);
    if (left?.length === folds.length) folds.forEach((fold, number) => (fold.open = left[number]));
    this.look();
    hide(byId("folds"), folds.length === 0);
  }

  leave() {
    const folds = this.all();
    if (this.documentId !== null && folds.length)
      this.left.put(
        this.documentId,
        folds.map(({ open }) => open),
      );
    this.documentId = null;
  }

  toggle() {
    const folds = this.all();
    if (!folds.length) return this.tell(gettext("No folded parts"));
    const isOpen = folds.some(({ open }) => !open);
    for (const fold of folds) fold.open = isOpen;
    this.look();
    if (isOpen) folds.find((fold) => fold.classList.contains("pages"))?.scrollIntoView({ block: "start" });
    const { length } = folds;
    this.tell(
      isOpen
        ? ngettext("%(num)s folded part opened", "%(num)s folded parts opened", length)
        : ngettext("%(num)s folded part closed", "%(num)s folded parts closed", length),
    );
  }
}
