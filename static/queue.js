/**
 * One assessor's documents of one topic, in viewing order, with this assessor's own judgments.
 *
 * @typedef {object} Item
 * @property {string} document_id
 * @property {"open"|"mine"|"other"} state "other": somebody else has judged it; nothing more is known here
 * @property {string | null} kind
 * @property {number | null} grade
 * @property {number | null} seq the server's number of my judgment; null while it is on its way
 * @property {string | null} [uuid] of my judgment while it is on its way
 * @property {string} [comment]
 */

export class Queue {
  /** @param {Item[]} items */
  constructor(items) {
    this.items = items;
    this.index = new Map(items.map((item, at) => [item.document_id, at]));
    const mine = items.filter((item) => item.state === "mine" && item.seq !== null);
    /** Documents in the order I judged them last. @type {string[]} */
    this.history = mine.sort((one, other) => (one.seq ?? 0) - (other.seq ?? 0)).map((item) => item.document_id);
    /** How many steps of undo have been taken back from the end of the history. */
    this.undone = 0;
  }

  /** @param {string} documentId @returns {Item} */
  item(documentId) {
    return this.items[/** @type {number} */ (this.index.get(documentId))];
  }

  /** @param {string | null} documentId */
  has(documentId) {
    return documentId !== null && this.index.has(documentId);
  }

  /** @returns {{total: number, judged: number, cannotTell: number, open: number}} */
  counts() {
    const open = this.items.filter((item) => item.state === "open").length;
    const cannotTell = this.items.filter((item) => item.kind === "can't tell").length;
    return { total: this.items.length, judged: this.items.length - open - cannotTell, cannotTell, open };
  }

  /**
   * The next documents without a judgment, in viewing order from `documentId` on and around the end.
   * @param {string | null} documentId @param {number} [count] @returns {string[]}
   */
  nextOpen(documentId, count = 1) {
    const from = documentId === null ? -1 : (this.index.get(documentId) ?? -1);
    const rotated = [...this.items.slice(from + 1), ...this.items.slice(0, Math.max(from, 0))];
    return rotated.filter((item) => item.state === "open").slice(0, count).map((item) => item.document_id);
  }

  /** The neighbour in viewing order, or null at an end. @param {string | null} documentId @param {1 | -1} step */
  neighbour(documentId, step) {
    const at = documentId === null ? this.items.length : (this.index.get(documentId) ?? 0);
    return this.items[at + step]?.document_id ?? null;
  }

  /** The document I judged before the one shown; each call goes one step further back. @param {string | null} shown */
  previouslyJudged(shown) {
    for (let at = this.history.length - 1 - this.undone; at >= 0; at--) {
      if (this.history[at] !== shown) {
        this.undone = this.history.length - 1 - at + 1;
        return this.history[at];
      }
    }
    return null;
  }

  /** @param {string} documentId @param {{kind: string, grade: number | null, uuid: string, comment: string}} judgment */
  record(documentId, { kind, grade, uuid, comment }) {
    const cleared = kind === "cleared";
    const state = cleared ? "open" : "mine";
    Object.assign(this.item(documentId), { state, kind: cleared ? null : kind, grade, uuid, comment });
    this.history = this.history.filter((other) => other !== documentId);
    if (!cleared) this.history.push(documentId);
    this.undone = 0;
  }

  /** The server's answer to what was recorded. @param {string} documentId @param {string} uuid @param {number} seq */
  acknowledge(documentId, uuid, seq) {
    if (!this.has(documentId)) return;
    const item = this.item(documentId);
    item.seq = seq;
    if (item.uuid === uuid) item.uuid = null;
  }

  /**
   * Takes a refused judgment back: what the server has is in force.
   * @param {string} documentId @param {{seq: number, kind: string, grade: number | null, comment: string} | null} current
   */
  restore(documentId, current) {
    const { kind, grade, comment } = current ?? { kind: "cleared", grade: null, comment: "" };
    this.record(documentId, { kind, grade, comment, uuid: "" });
    Object.assign(this.item(documentId), { seq: current?.seq ?? null, uuid: null });
  }

  /** My last judgments, newest first. @param {number} count @returns {Item[]} */
  lastJudged(count) {
    return this.history.slice(-count).reverse().map((documentId) => this.item(documentId));
  }
}
