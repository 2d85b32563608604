/** The cards that come next, laid out behind those on the screen: first a few, then the others. */
import { frameOf } from "./queue.js";
import { DRAWN_AFTER } from "./viewer.js";

const TOGETHER = 12;
/** As many are there before any is shown, with their near duplicates; a laptop's screen has room for about as many. */
const AT_FIRST = 4;

/** Whether two judgments, or that there is none, are the same. @param {Item} one @param {Item} other */
const isSame = (one, other) => one.state === other.state && one.kind === other.kind && one.grade === other.grade;

export class NextCards {
  constructor(/** @type {JudgingSession} */ session, /** @type {CardStage} */ stage) {
    this.session = session;
    this.stage = stage;
    this.ahead = /** @type {Promise<Batch> | null} */ (null);
  }

  /** Those after the cards on the screen, which are loaded now if they were not before. @returns {Promise<Batch>} */
  async take() {
    const { ahead } = this;
    const batch = await (ahead ?? this.load(null));
    if (this.ahead === ahead) this.ahead = null;
    return batch;
  }

  /** Loads the cards after those on the screen, unless others are there by then. */
  prefetch() {
    const { batch, cards } = this.stage;
    const last = cards.at(-1)?.members.at(-1)?.shown.document_id ?? null;
    setTimeout(() => {
      if (this.stage.batch !== batch) return;
      this.ahead ??= this.load(last);
      void this.ahead.then((batch) => this.complete(batch));
    }, DRAWN_AFTER);
  }

  /** Other cards were shown while these were loaded, as those of a document that was opened: they are loaded after them. @param {(Batch | null)[]} batches */
  giveUp(...batches) {
    for (const batch of batches) if (batch && batch !== this.stage.batch) this.stage.drop(batch);
    this.ahead = null;
  }

  /** Loads the first of the next open documents; the rest waits for `complete`, unless none of them came. @param {string | null} after @param {string[]} [first] what comes before them @returns {Promise<Batch>} */
  async load(after, first = []) {
    const { queue } = this.session;
    const open = this.unseen([...first, ...queue.nextOpen(after, Infinity)]).slice(0, TOGETHER);
    let count = AT_FIRST;
    while (count < open.length && queue.nearBefore(open[count]) === open[count - 1]) count += 1; // one card may have both
    const batch = await this.stage.load(await this.wanted(open.slice(0, count)), open.slice(count));
    if (!batch.cards.length) await this.complete(batch);
    return batch;
  }

  /**
   * Begins with the cards from the document on that was opened alone (`&at=`), if one was; it is the first of them unless it was postponed.
   */
  returned() {
    const { data, queue } = this.session;
    const at = new URL(location.href).searchParams.get("at");
    if (at === null || !queue.has(at)) return;
    history.replaceState(null, "", `?topic=${encodeURIComponent(data.topic_id)}`);
    const [next] = queue.nextOpen(at);
    const { state, later } = queue.item(at);
    const isFirst = state === "open" ? !later : next !== undefined;
    this.ahead = this.load(at, isFirst ? [at] : []);
  }

  /** What is ahead is not shown next, but other cards or none. @param {Promise<Batch> | null} [instead] */
  drop(instead = null) {
    void this.ahead?.then((unseen) => unseen !== this.stage.batch && this.stage.drop(unseen));
    this.ahead = instead;
  }

  /** Loads these documents as cards, whether they are judged or not. @param {string[]} documentIds */
  async these(documentIds) {
    return this.stage.load(await this.wanted(documentIds));
  }

  /** The documents that were on the screen when one was judged, as far as that can be known: it and those judged before it, in viewing order. @param {string} documentId */
  judgedWith(documentId) {
    const { history, items } = this.session.queue;
    const at = history.indexOf(documentId);
    const last = new Set([...this.unseen(history.slice(Math.max(0, at - TOGETHER + 1), at + 1)), documentId]);
    return items.map((item) => item.document_id).filter((one) => last.has(one));
  }

  /** @param {Batch} batch @returns {Promise<void>} */
  complete(batch) {
    batch.whole ??= this.loadRest(batch);
    return batch.whole;
  }

  async loadRest(/** @type {Batch} */ batch) {
    if (!batch.rest.length) return;
    const wanted = await this.wanted(batch.rest);
    if (batch.list.isConnected) await this.stage.add(batch, wanted);
  }

  /** What cards are made of, once the texts of these documents are here; those of the ones after them are fetched too. @param {string[]} documentIds */
  async wanted(documentIds) {
    const { queue, texts } = this.session;
    const all = [...new Set([...documentIds, ...this.unseen(queue.nextOpen(documentIds.at(-1) ?? null, Infinity))])];
    const places = all.map((documentId) => queue.place(documentId));
    await texts.want(places, documentIds.length);
    return documentIds.map((documentId) => this.wantedOf(documentId));
  }

  unseen(/** @type {string[]} */ documentIds) {
    return [...new Set(documentIds)].filter((documentId) => this.stage.cardOf(documentId) === null);
  }

  /** @param {string} documentId @returns {Wanted} */
  wantedOf(documentId) {
    const { data, queue, texts } = this.session;
    const place = queue.place(documentId);
    const { against } = place;
    return {
      ...place,
      isApart: against !== null && !isSame(queue.item(documentId), queue.item(against)),
      address: frameOf(data.frame_url, place),
      html: texts.get(place),
      alone: `?topic=${encodeURIComponent(data.topic_id)}&document=${encodeURIComponent(documentId)}&back=cards`,
    };
  }
}
