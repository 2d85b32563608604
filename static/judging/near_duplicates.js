/** The near duplicate that a document is compared with: whether it has a grade of mine, and whether one may do for both. */
import { gettext } from "../messages.js";
import { byId, hide } from "../elements.js";
import * as panel from "./panel.js";

/** @typedef {{item: Item, name: string, reasons: string[]}} Twin `reasons` say why its grade may not do for both */

export class Twins {
  constructor(/** @type {Queue} */ queue, /** @type {GradeButton[]} */ grades) {
    this.queue = queue;
    this.grades = grades;
  }

  /** The near duplicate of the document shown, if I judged it. @param {Shown | null} shown @returns {Twin | null} */
  judged(shown) {
    if (!shown?.twin || !this.queue.has(shown.twin.document_id)) return null;
    const item = this.queue.item(shown.twin.document_id);
    return item.state === "mine" ? { item, name: shown.twin.name, reasons: shown.twin.reasons } : null;
  }

  /** The judgment that can be taken over; why there is none is said. @param {Shown | null} shown @returns {Twin["item"] | null} */
  offered(shown) {
    const twin = this.judged(shown);
    if (!twin) panel.say(gettext("No near duplicate has a grade"));
    else if (twin.reasons.length)
      panel.showIgnored(gettext("Grade not copied: the documents differ in %(reasons)s", { reasons: twin.reasons.join(", ") }));
    else return twin.item;
    return null;
  }

  /** The way to take its grade over, or why there is none, beside a document that has no grade yet. @param {Shown | null} shown */
  show(shown) {
    const isOpen = shown !== null && this.queue.item(shown.document_id).state !== "mine";
    const twin = isOpen ? this.judged(shown) : null;
    const isOffered = twin !== null && !twin.reasons.length;
    hide(byId("twin"), !isOffered);
    hide(byId("twin-apart"), twin === null || isOffered);
    if (!twin) return;
    byId(isOffered ? "twin-title" : "twin-apart-title").textContent = twin.name;
    if (isOffered) byId("twin-grade").replaceChildren(panel.shapeOf(twin.item), panel.nameOfJudgment(twin.item, this.grades));
    else byId("twin-reasons").textContent = twin.reasons.join(", ");
  }
}
