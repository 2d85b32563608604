/** A model's label of the document that was judged last, once the server has that judgment; never of the control group. */
import { gettext, withNodes } from "../messages.js";
import { byId, element, hide } from "../elements.js";
import { postJson } from "../session.js";
import { nameOfJudgment, shapeOf } from "./panel.js";

export class SecondLook {
  /** @param {any} data of the page @param {Queue} queue @param {(documentId: string) => string} titleOf @param {(documentId: string) => void} open */
  constructor(data, queue, titleOf, open) {
    this.data = data;
    this.queue = queue;
    this.titleOf = titleOf;
    this.open = open;
    /** The documents whose label was shown: what is said of them now is the second look itself. @type {Set<string>} */
    this.shown = new Set();
    this.documentId = /** @type {string | null} */ (null);
    if (data.second_look_url) byId("second-look-keep").addEventListener("click", () => this.close());
  }

  /** A judgment is stored: asks for the label, if it is of what was judged last. @param {Record<string, any>} judgment */
  async stored({ log, topic_id, document_id: documentId, kind }) {
    const { second_look_url: address, account } = this.data;
    if (!address || this.queue.lastJudged(1)[0]?.document_id !== documentId) return;
    this.close();
    if (kind !== "grade" || this.shown.has(documentId)) return;
    const answer = await postJson(address, { log, topic_id, document_id: documentId }, account).catch(() => null);
    if (answer?.status !== 200 || answer.body.grade === null) return;
    this.shown.add(documentId);
    this.show(documentId, answer.body);
  }

  /** @param {string} documentId @param {{judge: string, grade: number}} label */
  show(documentId, { judge, grade }) {
    const given = { kind: "grade", grade };
    this.documentId = documentId;
    byId("second-look-words").replaceChildren(
      ...withNodes(gettext("%(title)s: %(judge)s gave %(grade)s"), {
        title: element("bdi", { class: "twin-title" }, this.titleOf(documentId)),
        judge: element("bdi", {}, judge),
        grade: element("span", {}, shapeOf(given), element("b", { dir: "auto" }, nameOfJudgment(given, this.data.grades))),
      }),
    );
    hide(byId("second-look"), false);
  }

  close() {
    this.documentId = null;
    if (this.data.second_look_url) hide(byId("second-look"), true);
  }

  again() {
    const { documentId } = this;
    this.close();
    if (documentId !== null) this.open(documentId);
  }
}
