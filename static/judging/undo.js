/** Undo: back over my own judgments in the order they were given, also into other topics. */

/** @typedef {{seq: number, url: string}} Elsewhere a judgment in another topic, and the page that shows it */

/** The place in the log of what is on its way, after all that have one; and the last before it. */
const UNSENT = Infinity;
const LAST = Number.MAX_SAFE_INTEGER;

export class Undo {
  /**
   * @param {import("./queue.js").Queue} queue @param {Elsewhere[]} elsewhere
   * @param {string | null} arrival the document to which undo led from another topic
   * @param {() => string | null} onItsWay the page of the last judgment of another topic that is not stored yet
   */
  constructor(queue, elsewhere, arrival, onItsWay) {
    this.queue = queue;
    this.elsewhere = elsewhere;
    this.onItsWay = onItsWay;
    const at = arrival === null ? -1 : queue.history.indexOf(arrival);
    if (at >= 0) queue.undone = queue.history.length - at;
  }

  /** A judgment of another topic was stored meanwhile. @param {Elsewhere} judgment */
  add(judgment) {
    this.elsewhere.push(judgment);
  }

  /** What I judged before the document shown: a document of this topic, a page of another one, or nothing. @param {string | null} shown @returns {{documentId?: string, url?: string}} */
  step(shown) {
    const { history, undone } = this.queue;
    const since = history.length - undone;
    const far = this.newestBefore(since < history.length ? this.seqAt(since) : UNSENT);
    const documentId = this.queue.previouslyJudged(shown);
    if (documentId === null) return far ? { url: far.url } : {};
    return far && far.seq > this.seqAt(history.indexOf(documentId)) ? { url: far.url } : { documentId };
  }

  /** Where a judgment of this topic is in the log; one on its way comes after all others. @param {number} at */
  seqAt(at) {
    const { seq, uuid } = this.queue.item(this.queue.history[at]);
    return uuid ? UNSENT : (seq ?? UNSENT);
  }

  /** One of another topic on its way was given before the page, and is older than all of this topic that are on theirs. @param {number} seq @returns {Elsewhere | undefined} */
  newestBefore(seq) {
    const url = seq === UNSENT ? this.onItsWay() : null;
    if (url !== null) return { seq: LAST, url };
    return this.elsewhere.filter((one) => one.seq < seq).sort((one, other) => other.seq - one.seq)[0];
  }
}
