/**
 * A unit of an answer, where one is judged: its words beside the grades while there is room, and which of the answer's nuggets have a grade.
 * A frame is fetched before the grades are given, so they are written into it here.
 */
import { hide, setAttribute, write } from "../elements.js";
import { NARROW, nameOfJudgment } from "./panel.js";

export class Unit {
  constructor(/** @type {Queue} */ queue, /** @type {Viewer} */ viewer, /** @type {GradeButton[]} */ grades) {
    this.queue = queue;
    this.viewer = viewer;
    this.grades = grades;
    this.place = document.getElementById("unit");
    this.narrow = matchMedia(NARROW);
    this.narrow.addEventListener("change", () => {
      for (const { frame } of viewer.frames.values()) if (frame.contentDocument) this.dress(frame.contentDocument);
    });
  }

  /** A frame is there: its unit is above what is read, unless it stands beside the grades; the answer opens at what is judged. */
  dress(/** @type {Document} */ inside) {
    if (!this.place) return;
    inside.documentElement.classList.toggle("beside", !this.narrow.matches);
    const judged = inside.querySelector("#judged");
    const answer = judged?.closest(".answer");
    if (!judged || !answer) return;
    const down = judged.getBoundingClientRect().top - answer.getBoundingClientRect().top;
    answer.scrollTop += down - answer.clientHeight / 3;
  }

  /** What is on the screen. */
  show() {
    const { inside } = this.viewer;
    if (!this.place || !inside) return;
    const text = inside.querySelector(".unit-text")?.textContent ?? "";
    write(this.place, text);
    hide(this.place, text === "");
    for (const row of inside.querySelectorAll("[data-unit]")) this.tell(row, row.getAttribute("data-unit") ?? "");
  }

  tell(/** @type {Element} */ row, /** @type {string} */ unitId) {
    const item = this.queue.has(unitId) ? this.queue.item(unitId) : null;
    const state = row.querySelector(".nugget-state");
    setAttribute(row, "data-state", item?.state ?? "other");
    if (state) write(state, item?.state === "mine" ? nameOfJudgment(item, this.grades) : "");
  }
}
