/** Undo: back over my own judgments in the order they were given, also into other topics. */

/** @typedef {{seq: number, url: string}} Elsewhere a judgment in another topic, and the page that shows it */

export class Undo {
  /** @param {import("./queue.js").Queue} queue @param {Elsewhere[]} elsewhere @param {string | null} arrival the document to which undo led from another topic */
  constructor(queue, elsewhere, arrival) {
    this.queue = queue;
    this.elsewhere = elsewhere;
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
    const far = this.newestBefore(since < history.length ? this.seqAt(since) : Infinity);
    const documentId = this.queue.previouslyJudged(shown);
    if (documentId === null) return far ? { url: far.url } : {};
    return far && far.seq > this.seqAt(history.indexOf(documentId)) ? { url: far.url } : { documentId };
  }

  /** Where a judgment of this topic is in the log; one on its way comes after all others. @param {number} at */
  seqAt(at) {
    const { seq, uuid } = this.queue.item(this.queue.history[at]);
    return uuid ? Infinity : (seq ?? Infinity);
  }

  /** @param {number} seq @returns {Elsewhere | undefined} */
  newestBefore(seq) {
    return this.elsewhere.filter((one) => one.seq < seq).sort((one, other) => other.seq - one.seq)[0];
  }
}
