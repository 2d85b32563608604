/** The time slider: which row of the log the board is of. */
import { byId } from "../elements.js";

export class Moment {
  constructor(/** @type {() => void} */ moved, /** @type {() => void} */ settled) {
    this.row = byId("as-of");
    this.slider = byId("moment");
    this.slider.hidden = false;
    this.slider.addEventListener("input", () => {
      const live = Number(this.slider.value) >= Number(this.slider.max);
      this.row.value = live ? "" : this.slider.value;
      moved();
    });
    this.slider.addEventListener("change", settled);
    this.row.addEventListener("input", (/** @type {Event} */ event) => {
      event.stopPropagation();
      if (this.row.validity.valid) moved();
    });
    byId("now").addEventListener("click", (/** @type {Event} */ event) => {
      event.preventDefault();
      this.row.value = "";
      this.row.focus();
      settled();
    });
  }

  get isLive() {
    return !this.row.value;
  }

  /** Takes over where the board stands from the slider of a page that the server has made. */
  draw(/** @type {HTMLInputElement} */ made) {
    const { slider } = this;
    const row = made.getAttribute("value") ?? "";
    slider.max = made.max;
    if (document.activeElement !== slider) slider.value = this.isLive ? made.max : row;
    slider.setAttribute("aria-valuetext", this.isLive ? "now" : `row ${Number(row).toLocaleString("en")}`);
  }
}
