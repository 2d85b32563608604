/**
 * Documents that will be read next, fetched many at a time before they are needed, and kept in memory: with them one can
 * judge on while the network is slow or gone. A document that is not among them is asked for alone when it is opened.
 */
import { postJson } from "../session.js";

/** How far ahead documents are fetched, by the preference: how many, and how many bytes of them. */
const AHEAD = new Map(
  Object.entries({
    few: { documents: 3, size: 300_000 },
    many: { documents: 50, size: 1_000_000 },
    topic: { documents: 10_000, size: 20_000_000 },
  }),
);
const AROUND = 6;
/** The server takes no more at once. */
const PART = 25;
/** One document comes whatever its size. */
const AHEAD_OF_ONE = 1;
/** Milliseconds after which a failed attempt is repeated. */
const AGAIN = 3_000;

const UTF_8 = new TextEncoder();

const keyOf = (/** @type {Place} */ { document_id: documentId, against }) => JSON.stringify([documentId, against]);

export class Texts {
  /**
   * @param {{texts_url: string, topic_id: string, norming: number | null, account: string, texts: (Place & {html: string})[]}} page what the server put into the page
   * @param {() => string} ahead how far ahead documents are to be fetched, a word of AHEAD
   * @param {() => void} onchange when more or fewer are here
   */
  constructor(page, ahead, onchange) {
    this.page = page;
    this.ahead = ahead;
    this.onchange = onchange;
    /** What is here, with its size in bytes. @type {Map<string, {html: string, size: number}>} */
    this.held = new Map();
    this.kept = /** @type {Set<string>} */ (new Set());
    /** How many have been forgotten so far, for an answer that was on its way meanwhile. */
    this.cleared = 0;
    this.failedAt = -AGAIN;
    this.fetching = /** @type {Promise<void> | null} */ (null);
    this.take(page.texts ?? []);
  }

  get limit() {
    return AHEAD.get(this.ahead()) ?? { documents: 3, size: 300_000 };
  }

  get(/** @type {Place} */ place) {
    return this.held.get(keyOf(place))?.html ?? null;
  }

  has(/** @type {Place} */ place) {
    return this.held.has(keyOf(place));
  }

  /** The browser's copy has these documents: the worker answers with them without the network. @param {Place[]} places */
  keep(places) {
    this.kept = new Set(places.map(keyOf));
  }

  /** Whether a document can be had without the network. @param {Place} place */
  isReady(place) {
    return this.has(place) || this.kept.has(keyOf(place));
  }

  /** Fetches one document of the browser's copy, which is not here yet. @param {Place} place */
  async bring(place) {
    this.take((await this.part([place], AHEAD_OF_ONE)) ?? []);
  }

  forget(/** @type {Place} */ place) {
    this.held.delete(keyOf(place));
  }

  /** All are to be fetched again. */
  clear() {
    this.cleared += 1;
    this.held.clear();
  }

  /**
   * Fetches what is missing of these, the most likely first, once less than half of what may be kept is there, and
   * forgets all others. Waits until those that are urgent are here, and not for the rest.
   * @param {Place[]} wanted @param {number} urgent how many of the first are @returns {Promise<void>}
   */
  async want(wanted, urgent) {
    const isUrgent = () => wanted.slice(0, urgent).some((place) => !this.has(place));
    const keys = new Set(wanted.map(keyOf));
    for (const key of this.held.keys()) if (!keys.has(key)) this.held.delete(key);
    const ahead = Math.min(wanted.length, this.limit.documents);
    if (isUrgent() || (this.held.size < ahead && (this.held.size < ahead / 2 || this.isGrowing))) {
      this.fetching ??= this.fetch(wanted).finally(() => (this.fetching = null));
    }
    while (this.fetching && isUrgent()) await this.coming;
  }

  /** The part that is on its way. @type {ReturnType<Texts["part"]> | null} */
  coming = null;

  /** Whether it was filling up when it was asked last. */
  isGrowing = true;

  async fetch(/** @type {Place[]} */ wanted) {
    if (performance.now() - this.failedAt < AGAIN) return;
    this.isGrowing = true;
    for (let missing = this.missing(wanted); missing.length; missing = this.missing(wanted)) {
      const { cleared } = this;
      this.coming = this.part(missing.slice(0, PART));
      const fetched = await this.coming;
      if (this.cleared !== cleared) return;
      if (!fetched) {
        this.failedAt = performance.now();
        return;
      }
      if (!this.take(fetched)) return;
      this.onchange();
    }
    this.isGrowing = false;
  }

  /** What may still be fetched of these. @param {Place[]} wanted */
  missing(wanted) {
    const room = this.limit.size - this.size;
    return room > 0 ? wanted.slice(0, this.limit.documents + AROUND).filter((place) => !this.has(place)) : [];
  }

  get size() {
    return [...this.held.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** @param {Place[]} documents @param {number} [size] @returns {Promise<(Place & {html: string})[] | null>} */
  async part(documents, size = this.limit.size - this.size) {
    const { texts_url: address, topic_id, norming, account } = this.page;
    const sent = { topic_id, documents, size, ...(norming ? { norming } : {}) };
    const answer = await postJson(address, sent, account).catch(() => null);
    return answer?.status === 200 ? answer.body.texts : null;
  }

  /** @param {(Place & {html: string})[]} texts @returns {number} */
  take(texts) {
    for (const { html, ...place } of texts) this.held.set(keyOf(place), { html, size: UTF_8.encode(html).length });
    return texts.length;
  }
}
