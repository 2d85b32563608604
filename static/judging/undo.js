/** Undo: back over my own judgments in the order they were given, also into other topics, and to those that are not sent yet. */

/** @typedef {{seq: number, url: string}} Elsewhere a judgment in another topic, and the page that shows it */

export class Undo {
  constructor(/** @type {Pick<JudgingSession, "data" | "queue" | "outbox" | "offline">} */ session) {
    this.session = session;
    this.elsewhere = /** @type {Elsewhere[]} */ (session.data.elsewhere);
  }

  /** Undo on the page of another topic led to the document with which this page was opened. */
  arrive() {
    const { queue } = this.session;
    const { searchParams } = new URL(location.href);
    const at = searchParams.has("undone") ? queue.history.indexOf(searchParams.get("document") ?? "") : -1;
    if (at >= 0) queue.undone = queue.history.length - at;
  }

  add(/** @type {Record<string, any>} */ judgment, /** @type {number} */ seq) {
    if (this.isElsewhere(judgment)) this.elsewhere.push(placeOf(judgment, seq));
  }

  /** Whether it is one of another topic that undo can lead to. @param {Record<string, any>} judgment */
  isElsewhere({ log, topic_id: topicId, kind, norming, decision }) {
    const { data } = this.session;
    return log === data.log && !data.norming && !norming && !decision && kind !== "cleared" && topicId !== data.topic_id;
  }

  /** Whether every page that undo may lead to can be had now. */
  get isUncut() {
    return this.others().every((one) => this.isWithinReach(one));
  }

  /** What I judged before the document shown: a document of this topic, a page of another one, or nothing. @param {string | null} shown @returns {{documentId?: string, url?: string}} */
  step(shown) {
    const { queue } = this.session;
    const since = queue.history.length - queue.undone;
    const far = this.newestBefore(since < queue.history.length ? this.seqAt(since) : Infinity);
    const documentId = queue.previouslyJudged(shown);
    if (documentId === null) return far ? { url: far.url } : {};
    return far && far.seq > this.seqAt(queue.history.indexOf(documentId)) ? { url: far.url } : { documentId };
  }

  /** Where a judgment of this topic is in the log; one that is not stored comes after all of it, by its time in milliseconds. @param {number} at */
  seqAt(at) {
    const { queue, outbox } = this.session;
    const { seq, given, uuid } = queue.item(queue.history[at]);
    return uuid ? (outbox.mirror.get(uuid)?.order ?? Infinity) : (given ?? seq ?? Infinity);
  }

  others() {
    const waiting = this.session.outbox.entries().filter(({ judgment, refused }) => !refused && this.isElsewhere(judgment));
    return [...this.elsewhere, ...waiting.map(({ judgment, order }) => placeOf(judgment, order))];
  }

  /** @param {number} seq @returns {Elsewhere | undefined} */
  newestBefore(seq) {
    const before = this.others().filter((one) => one.seq < seq && this.isWithinReach(one));
    return before.sort((one, other) => other.seq - one.seq)[0];
  }

  /** Whether its page can be had: from the server, or from what was downloaded. @param {Elsewhere} judgment */
  isWithinReach({ url }) {
    const { outbox, offline } = this.session;
    const { searchParams } = new URL(url, location.href);
    const isCut = outbox.state.state === "offline" || !navigator.onLine;
    return !isCut || offline.holds(searchParams.get("topic") ?? "", searchParams.get("document") ?? "");
  }
}

/** @param {Record<string, any>} judgment @param {number} seq @returns {Elsewhere} */
function placeOf({ topic_id: topicId, document_id: documentId }, seq) {
  return { seq, url: `?${new URLSearchParams({ topic: topicId, document: documentId, undone: String(seq) })}` };
}
