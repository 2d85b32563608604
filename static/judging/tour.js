/** A short tour of the page: each step says what a part of the page is for, and outlines that part. */
import { gettext } from "../messages.js";
import { isFromRight } from "../direction.js";
import { byId } from "../elements.js";

const MARGIN = 16;

export class Tour {
  constructor(/** @type {Keyboard} */ keyboard) {
    this.keyboard = keyboard;
    this.dialog = /** @type {HTMLDialogElement} */ (byId("tour"));
    const steps = /** @type {HTMLElement[]} */ ([...this.dialog.querySelectorAll("[data-about]")]);
    this.steps = steps.filter((step) => partOf(step) !== undefined);
    this.at = 0;
    byId("tour-next").addEventListener("click", () => this.show(this.at + 1));
    byId("tour-back").addEventListener("click", () => this.show(this.at - 1));
    this.dialog.addEventListener("close", () => this.point(null));
  }

  start() {
    this.keyboard.labelPage();
    this.dialog.showModal();
    this.show(0);
    byId("tour-next").focus();
  }

  /** @param {number} at the step that is shown; after the last one the tour ends */
  show(at) {
    if (at >= this.steps.length) return this.dialog.close();
    this.at = at;
    for (const step of this.steps) step.hidden = step !== this.steps[at];
    byId("tour-place").textContent = gettext("%(at)s of %(all)s", { at: at + 1, all: this.steps.length });
    byId("tour-back").hidden = at === 0;
    const isLast = at + 1 === this.steps.length;
    byId("tour-next").textContent = isLast ? gettext("Start judging") : gettext("Next");
    byId("tour-leave").hidden = isLast;
    this.point(partOf(this.steps[at]) ?? null);
  }

  point(/** @type {Element | null} */ part) {
    document.querySelector(".toured")?.classList.remove("toured");
    if (!part) return;
    part.classList.add("toured");
    part.scrollIntoView({ block: "nearest" });
    const there = part.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height, style } = this.dialog;
    const isRight = isFromRight(part);
    const isBeside = (isRight ? innerWidth - there.right : there.left) >= width + 2 * MARGIN;
    const isBelow = !isBeside && there.top < innerHeight / 2;
    const beside = isRight ? there.right + MARGIN : there.left - width - MARGIN;
    const left = isBeside ? beside : isRight ? there.right - width : there.left;
    const top = isBeside ? there.top : isBelow ? there.bottom + MARGIN : there.top - height - MARGIN;
    style.left = `${within(left, innerWidth - width)}px`;
    style.top = `${within(top, innerHeight - height)}px`;
  }
}

/** What a step is about, as far as it is seen. @param {HTMLElement} step */
const partOf = ({ dataset }) => [...document.querySelectorAll(dataset.about ?? "")].find((part) => part.checkVisibility());

const within = (/** @type {number} */ at, /** @type {number} */ room) => Math.max(MARGIN, Math.min(at, room - MARGIN));
