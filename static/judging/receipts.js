/**
 * What the server has acknowledged, kept for a while: a server that was restored from an older backup gets it again. A new campaign under
 * an old name is another one. Its log has another mark, and receipts of judgments that were made for another log are left alone.
 */
import { postJson } from "../session.js";

/** For how many days a receipt is kept, unless the page says otherwise. */
const KEPT_DAYS = 14;
const DAY = 24 * 3_600_000;

/** How many the server is asked for at once; it takes no more. */
const PART = 500;

/** @typedef {(uuids: string[]) => Promise<Answer>} Ask */

/** Asks the campaign that the page belongs to. @param {{account: string}} owner @returns {Ask} */
export function askServer({ account }) {
  return (uuids) => postJson("api/receipts", { uuids }, account);
}

/** The server did not say which receipts it knows; `answer` is what it said instead. */
export class NotSaid extends Error {
  constructor(/** @type {Answer} */ answer) {
    super(`the server answered with ${answer.status}`);
    this.answer = answer;
  }
}

export class Receipts {
  /** @param {{campaign: string, account: string}} owner @param {Ask} ask @param {number} [days] for which receipts are kept */
  constructor(owner, ask, days = KEPT_DAYS) {
    this.owner = owner;
    this.days = days;
    this.ask = ask;
    this.database = /** @type {Database | null} */ (null);
    this.highest = 0;
  }

  async use(/** @type {Database | null} */ database) {
    this.database = database;
    const old = await database?.under("receipts", "time", IDBKeyRange.upperBound(Date.now() - this.days * DAY)).catch(() => []);
    if (old?.length) await database?.write({ remove: { receipts: old.map(({ uuid }) => uuid) } }, { strict: false }).catch(() => {});
  }

  /** @param {Entry} entry @param {{seq: number}} stored @returns {Receipt} */
  of({ campaign, account, uuid, judgment, order }, { seq }) {
    return { campaign, account, uuid, seq, judgment, order, time: Date.now() };
  }

  /** Whether a new row is before one that was acknowledged earlier: then the log was shortened, or is another. @param {{seq: number}} stored @param {boolean} repeated */
  showsLoss({ seq }, repeated) {
    const shows = !repeated && seq <= this.highest;
    this.highest = shows ? seq : Math.max(this.highest, seq);
    return shows;
  }

  /** Of these judgments, the ones that have been acknowledged. @param {string[]} uuids @returns {Promise<Receipt[]>} */
  async known(uuids) {
    return (await this.database?.find("receipts", uuids)) ?? [];
  }

  /**
   * What was acknowledged and is not there any more, oldest first. The newest receipts are asked for, if there are any; all of them only
   * when one of these is not known. Throws NotSaid, and what a request throws that gets no answer. @returns {Promise<Receipt[]>}
   */
  async lost() {
    const newest = await this.newest();
    const found = newest.length ? await this.unknown(newest) : [];
    if (!found.length) return [];
    const all = (await this.database?.under("receipts", "owner", this.range())) ?? [];
    const lost = [];
    for (let from = 0; from < all.length; from += PART) lost.push(...(await this.unknown(all.slice(from, from + PART))));
    return lost.sort((one, other) => one.order - other.order || one.seq - other.seq);
  }

  /** What was acknowledged last in this browser, newest first. @returns {Promise<Receipt[]>} */
  async newest() {
    return (await this.database?.last("receipts", "owner", this.range(), PART)) ?? [];
  }

  /** Those of the log that is served which it does not have. @param {Receipt[]} receipts @returns {Promise<Receipt[]>} */
  async unknown(receipts) {
    const answer = await this.ask(receipts.map(({ uuid }) => uuid));
    const { unknown, log } = answer.body;
    if (answer.status !== 200 || !Array.isArray(unknown)) throw new NotSaid(answer);
    return receipts.filter(({ uuid, judgment }) => judgment.log === log && unknown.includes(uuid));
  }

  /** What was acknowledged since a time, oldest first; nothing where the browser keeps nothing. @param {number} time @returns {Promise<Receipt[]>} */
  async since(time) {
    const { campaign, account } = this.owner;
    const range = IDBKeyRange.bound([campaign, account, time], [campaign, account, Infinity]);
    return (await this.database?.under("receipts", "owner", range).catch(() => [])) ?? [];
  }

  range() {
    const { campaign, account } = this.owner;
    return IDBKeyRange.bound([campaign, account, 0], [campaign, account, Infinity]);
  }
}

function place(/** @type {Record<string, any>} */ { log, topic_id: topicId, document_id: documentId }, /** @type {number | null} */ seq) {
  return JSON.stringify([log, topicId, documentId, seq]);
}

/**
 * Entries for what was lost, and those on their way that were to replace something lost: they follow it now. @param {Receipt[]} lost oldest
 * first @param {Entry[]} waiting @returns {Entry[]}
 */
export function offeredAgain(lost, waiting) {
  const uuids = /** @type {Map<string, string>} */ (new Map());
  const here = new Set(waiting.map(({ uuid }) => uuid));
  const after = (/** @type {Record<string, any>} */ judgment) => uuids.get(place(judgment, judgment.replaces)) ?? null;
  const offered = [];
  for (const { campaign, account, uuid, seq, judgment, order } of lost) {
    if (!here.has(uuid)) offered.push({ campaign, account, uuid, judgment, after: after(judgment), refused: null, order });
    uuids.set(place(judgment, seq), uuid);
  }
  const following = waiting.filter((entry) => !entry.after && after(entry.judgment));
  return [...offered, ...following.map((entry) => ({ ...entry, after: after(entry.judgment), refused: null }))];
}
