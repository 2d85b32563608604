/** The time slider: which row of the log the board is of. */
import { byId, write } from "../elements.js";

export class Moment {
  /** @param {() => void} moved called while the slider moves @param {() => void} settled called when it rests */
  constructor(moved, settled) {
    this.row = byId("as-of");
    this.slider = byId("moment");
    this.now = byId("now");
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
    this.now.addEventListener("click", (/** @type {Event} */ event) => {
      event.preventDefault();
      this.row.value = "";
      this.row.focus();
      settled();
    });
  }

  /** Whether the board follows the log. */
  get isLive() {
    return !this.row.value;
  }

  /** Show where the board stands. @param {{seq: number, newest: number, moment: string, compared: string | null}} board */
  draw(board) {
    const newest = String(board.newest);
    this.slider.max = newest;
    byId("newest").textContent = board.newest.toLocaleString("en");
    if (document.activeElement !== this.slider) this.slider.value = this.isLive ? newest : String(board.seq);
    this.slider.setAttribute("aria-valuetext", this.isLive ? "now" : `row ${board.seq.toLocaleString("en")}`);
    this.now.hidden = this.isLive;
    byId("moment-told").hidden = !board.moment;
    write(byId("moment-words"), board.moment);
    const compared = byId("compared");
    compared.hidden = !board.compared;
    if (board.compared) compared.href = board.compared;
  }
}
