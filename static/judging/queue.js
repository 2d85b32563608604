/**
 * One assessor's documents of one topic, in viewing order, with this assessor's own judgments.
 *
 * @typedef {{field: string, start: number, end: number, text: string}} Rationale
 * @typedef {{seq: number, kind: string, grade: number | null, comment: string, rationales: Rationale[], chosen?: number | null}} Judged
 * @typedef {object} Item
 * @property {string} document_id
 * @property {"open"|"mine"|"other"} state "other": another assessor has judged it; nothing more is known here
 * @property {string | null} kind
 * @property {number | null} grade
 * @property {number | null} seq the server's number of my judgment; null while it is on its way
 * @property {number | null} [given] by which of its numbers I gave it, where a later scale made another of it
 * @property {string | null} near names the documents that are almost the same; null for one that stands alone
 * @property {boolean} later put off by me
 * @property {string | null} [uuid] of my judgment while it is on its way
 * @property {string} [comment]
 * @property {Rationale[]} [rationales]
 * @property {number | null} [chosen] of several labels those that I chose, as the sum of 2^(number - 1)
 * @typedef {{document_id: string, against: string | null}} Place a document, and the near duplicate it is compared with
 */

/** The address of a document's frame. @param {string} frame up to the id @param {Place} place */
export function frameOf(frame, { document_id: documentId, against }) {
  return `${frame}${encodeURIComponent(documentId)}${against === null ? "" : `&against=${encodeURIComponent(against)}`}`;
}

/** Where in the log my judgment of a document was given. @param {Item} item */
const givenAt = ({ given, seq }) => given ?? seq ?? 0;

export class Queue {
  /** @param {Item[]} items @param {number} [size] how many documents the topic has: one that comes again is one more */
  constructor(items, size = items.length) {
    this.items = items;
    /** Judgments that are no item: of documents that came again. */
    this.earlier = size - items.length;
    this.index = new Map(items.map((item, at) => [item.document_id, at]));
    const mine = items.filter((item) => item.state === "mine" && item.seq !== null);
    /** Documents in the order I judged them last. @type {string[]} */
    this.history = mine.sort((one, other) => givenAt(one) - givenAt(other)).map((item) => item.document_id);
    /** How many steps of undo have been taken back from the end of the history. */
    this.undone = 0;
  }

  /** Takes in documents that have come into the topic since; says how many. @param {Item[]} items */
  add(items) {
    const fresh = items.filter((item) => !this.has(item.document_id));
    for (const item of fresh) this.index.set(item.document_id, this.items.push(item) - 1);
    return fresh.length;
  }

  /** @param {string} documentId @returns {Item} */
  item(documentId) {
    return this.items[/** @type {number} */ (this.index.get(documentId))];
  }

  has(/** @type {string | null} */ documentId) {
    return this.index.has(documentId ?? "");
  }

  /** @returns {{total: number, judged: number, cannotTell: number, later: number, open: number}} */
  counts() {
    const open = this.items.filter((item) => item.state === "open");
    const cannotTell = this.items.filter((item) => item.kind === "can't tell").length;
    const later = open.filter((item) => item.later).length;
    const total = this.items.length + this.earlier;
    return { total, judged: total - open.length - cannotTell, cannotTell, later, open: open.length };
  }

  /**
   * The next documents without a judgment, in viewing order after `documentId` and around the end up to itself; those put off come after
   * all others. @returns {string[]}
   */
  nextOpen(/** @type {string | null} */ documentId, /** @type {number} */ count = 1) {
    const from = this.index.get(documentId ?? "") ?? -1;
    const rotated = [...this.items.slice(from + 1), ...this.items.slice(0, from + 1)];
    const open = rotated.filter((item) => item.state === "open");
    const ordered = [...open.filter((item) => !item.later), ...open.filter((item) => item.later)];
    return ordered.slice(0, count).map((item) => item.document_id);
  }

  neighbour(/** @type {string | null} */ documentId, /** @type {1 | -1} */ step) {
    const at = documentId === null ? this.items.length : (this.index.get(documentId) ?? 0);
    return this.items[at + step]?.document_id ?? null;
  }

  /** The near duplicate just before a document in viewing order. @param {string} documentId @returns {string | null} */
  nearBefore(documentId) {
    const before = this.items[(this.index.get(documentId) ?? 0) - 1];
    const { near } = this.item(documentId);
    return near !== null && before?.near === near ? before.document_id : null;
  }

  /** @param {string} documentId @returns {Place} */
  place(documentId) {
    return { document_id: documentId, against: this.nearBefore(documentId) };
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

  /**
   * @param {string} documentId
   * @param {{kind: string, grade: number | null, uuid: string, comment: string, rationales?: Rationale[], chosen?: number | null}} judgment
   */
  record(documentId, { kind, grade, uuid, comment, rationales = [], chosen = null }) {
    const cleared = kind === "cleared";
    const state = cleared ? "open" : "mine";
    const item = this.item(documentId);
    Object.assign(item, { state, kind: cleared ? null : kind, grade, given: null, uuid, comment, rationales, chosen });
    if (!cleared) item.later = false;
    this.history = this.history.filter((other) => other !== documentId);
    if (!cleared) this.history.push(documentId);
    this.undone = 0;
  }

  /** Nothing is shown any more of my judgment of a document, which counts on; it comes after the next open one. */
  reopen(/** @type {string} */ documentId, /** @type {string | null} */ shown) {
    const item = this.item(documentId);
    if (item.state === "mine") this.earlier += 1;
    Object.assign(item, { state: "open", kind: null, grade: null, seq: null, near: null, comment: "", rationales: [], chosen: null });
    this.history = this.history.filter((other) => other !== documentId);
    this.undone = 0;
    const before = this.nextOpen(shown).find((other) => other !== documentId) ?? shown;
    const others = this.items.filter((other) => other !== item);
    const at = others.findIndex((other) => other.document_id === before);
    this.items = at < 0 ? [...others, item] : others.toSpliced(at + 1, 0, item);
    this.index = new Map(this.items.map((other, place) => [other.document_id, place]));
  }

  acknowledge(/** @type {string} */ documentId, /** @type {string} */ uuid, /** @type {number} */ seq) {
    if (!this.has(documentId)) return;
    const item = this.item(documentId);
    item.seq = seq;
    if (item.uuid === uuid) item.uuid = null;
  }

  /** What the server has is in force: mine was refused, or made elsewhere. @param {string} documentId @param {Judged | null} current */
  restore(documentId, current) {
    const { kind, grade, comment, rationales, chosen } = current ?? {
      kind: "cleared",
      grade: null,
      comment: "",
      rationales: [],
      chosen: null,
    };
    this.record(documentId, { kind, grade, comment, rationales, chosen, uuid: "" });
    Object.assign(this.item(documentId), { seq: current?.seq ?? null, uuid: null });
  }

  /** @param {number} count @returns {Item[]} */
  lastJudged(count) {
    return this.history
      .slice(-count)
      .reverse()
      .map((documentId) => this.item(documentId));
  }
}
