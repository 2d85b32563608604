/**
 * Judgments on their way to the server. An entry is kept here until the server has answered with what it stored. Entries are sent one at a
 * time in the order they were made, by pages of the campaign and account they belong to. One that changes an entry which is still on its
 * way names that one in `after`, and learns the `seq` it replaces from that one's answer. What is kept is in the browser's database, which
 * all tabs share; each has a copy in memory, and they tell each other what changes. That two tabs send the same entry does no harm: the
 * server stores a uuid once.
 */
import { Attempts } from "../attempts.js";
import { Database } from "./database.js";
import { NotSaid, Receipts, askServer, offeredAgain } from "./receipts.js";
import { uuid4 } from "../session.js";
import { ANOTHER_CAMPAIGN, SENT_BACK, following, isOlder, storedDifferently, troubleOf } from "./verdicts.js";

/**
 * @typedef {object} Change
 * @property {Entry[]} [put]
 * @property {string[]} [remove]
 * @property {Receipt[]} [receipts] to be kept
 * @property {string[]} [lost] receipts to be given up
 * @property {{entry: Entry, stored: any}} [acknowledged] for the other tabs to hear of
 */

const DRAWN_AFTER = 50;

export class Outbox {
  /**
   * @param {Owner & {receipt_days?: number, log?: string}} page `receipt_days` is for how many days what was acknowledged is kept, `log`
   * the mark of the log that the page is of @param {(judgment: Record<string, any>) => Promise<Answer>} post @param {OutboxListener}
   * listener @param {import("./receipts.js").Ask} [ask] which receipts the server does not know
   */
  constructor({ campaign, account, receipt_days: days, log }, post, listener, ask) {
    /** @type {Owner} */
    this.owner = { campaign, account };
    this.log = log;
    this.post = post;
    this.listener = listener;
    this.receipts = new Receipts(this.owner, ask ?? askServer(this.owner), days);
    this.database = /** @type {Database | null} */ (null);
    /** The entries of this campaign, of all accounts. @type {Map<string, Entry>} */
    this.mirror = new Map();
    /** Entries that are in memory alone. @type {Set<string>} */
    this.unkept = new Set();
    /** Who is notified that an entry has its answer. @type {Map<string, () => void>} */
    this.expected = new Map();
    /** The place in the log of each judgment that the page has heard to be stored. @type {Map<string, number>} */
    this.told = new Map();
    /** Where judgments that are offered again were in the log that was lost. @type {Map<string, number>} */
    this.lost = new Map();
    /** Refused entries for which the receipts have been gone through. @type {Set<string>} */
    this.lookedBack = new Set();
    this.mustLookBack = true;
    this.running = false;
    this.opening = /** @type {Promise<void> | null} */ (null);
    this.trouble = "";
    this.attempts = new Attempts(() => this.run());
    this.channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("workbench:outbox");
  }

  /** Opens the database and loads what waits in it; to be awaited before anything else is asked. */
  ready() {
    this.opening ??= this.open();
    return this.opening;
  }

  async open() {
    await this.use(await Database.open((late) => void this.use(late)));
    if (this.channel) this.channel.onmessage = ({ data }) => this.heard(data);
    this.attempts.listen();
    // A page that comes back from the browser's store of pages has heard nothing meanwhile.
    addEventListener("pageshow", (event) => event.persisted && void this.load());
  }

  async use(/** @type {Database | null} */ database) {
    this.database = database;
    await this.load();
    await this.receipts.use(database);
    this.mustLookBack = true;
    if (this.entries().length) void this.run();
  }

  async load() {
    const stored = await this.database?.under("outbox", "campaign", this.owner.campaign).catch(() => null);
    if (!stored) return;
    const unkept = [...this.unkept].map((uuid) => /** @type {Entry} */ (this.mirror.get(uuid)));
    this.mirror = new Map([...stored, ...unkept].map((entry) => [entry.uuid, entry]));
    this.listener.onchange();
  }

  /** @returns {Entry[]} */
  entries() {
    const own = [...this.mirror.values()].filter(({ account }) => account === this.owner.account);
    return own.sort((one, other) => one.order - other.order);
  }

  /** How many judgments of other accounts wait on this machine. @returns {{account: string, campaign: string, count: number}[]} */
  others() {
    const { campaign } = this.owner;
    const accounts = [...this.mirror.values()].map(({ account }) => account);
    const others = [...new Set(accounts)].filter((account) => account !== this.owner.account).sort();
    return others.map((account) => ({ account, campaign, count: accounts.filter((one) => one === account).length }));
  }

  /** @returns {OutboxState} */
  get state() {
    const entries = this.entries();
    const refused = entries.filter((entry) => entry.refused);
    const waiting = entries.length - refused.length;
    // What was refused is listed in any case; that nothing can be sent would be hidden behind it.
    const isOut = waiting > 0 && this.trouble === "signed out";
    const state = refused.length && !isOut ? "problem" : !waiting ? "saved" : this.trouble || "saving";
    const durable = this.database !== null && !this.unkept.size;
    return { state: /** @type {any} */ (state), waiting, refused, durable };
  }

  // ---- what the page asks for

  /**
   * Keeps a judgment and starts to send it; resolves when it is safe: on this machine's disk, or, where that cannot be, when the server has
   * answered.
   */
  async add(/** @type {Record<string, any>} */ judgment, /** @type {string | null} */ after) {
    if (!this.database) await this.ready();
    const { uuid } = judgment;
    const entry = { ...this.owner, uuid, judgment, after, refused: null, order: this.nextOrder() };
    const written = this.change({ put: [entry] }, true);
    this.listener.onchange();
    const kept = await written;
    // What is safe here can wait until the next document has been drawn.
    setTimeout(() => void this.run(), kept ? DRAWN_AFTER : 0);
    if (!kept) await this.answered(uuid);
  }

  /**
   * Takes in entries that were made elsewhere and are known neither here nor as acknowledged; says how many.
   * @param {Entry[]} entries oldest first
   */
  async take(entries) {
    const acknowledged = await this.receipts.known(entries.map(({ uuid }) => uuid));
    const seqs = new Map(acknowledged.map(({ uuid, seq }) => [uuid, seq]));
    const fresh = entries.filter(({ uuid }) => !this.mirror.has(uuid) && !seqs.has(uuid));
    const order = this.nextOrder();
    const put = fresh.map((entry, at) => ({ ...following(entry, seqs), ...this.owner, refused: null, order: order + at }));
    await this.change({ put }, true);
    this.listener.onchange();
    void this.run();
    return put.length;
  }

  /** Sends a refused entry again as a change of what the server has now; one of another campaign for that of the page. @param {string} uuid */
  async keepMine(uuid) {
    const entry = this.mirror.get(uuid);
    if (!entry?.refused) return;
    const { current, reason } = entry.refused;
    // What was stored under this uuid stays; what is sent now is another judgment.
    const isTaken = reason === "uuid taken" || current?.uuid === uuid;
    const fresh = isTaken ? uuid4() : uuid;
    const replaces = current === undefined ? entry.judgment.replaces : (current?.seq ?? null);
    const log = reason === ANOTHER_CAMPAIGN ? this.log : entry.judgment.log;
    const renewed = { ...entry, uuid: fresh, refused: null, judgment: { ...entry.judgment, uuid: fresh, log, replaces } };
    const later = this.chain(uuid).map((one) => ({
      ...one,
      after: one.after === uuid ? fresh : one.after,
      judgment: { ...one.judgment, log },
    }));
    const written = this.change({ put: [renewed, ...later], remove: fresh === uuid ? [] : [uuid] }, true);
    this.listener.onchange();
    this.listener.onrenewed?.(renewed, uuid);
    await written;
    void this.run();
  }

  async discard(/** @type {string} */ uuid) {
    const given = [uuid, ...this.chain(uuid).map((later) => later.uuid)];
    const written = this.change({ remove: given }, true);
    this.listener.onchange();
    await written;
  }

  // ---- sending

  async run() {
    if (this.running) return;
    this.running = true;
    try {
      await this.ready();
      while ((await this.lookBack()) && (await this.sendNext()));
    } finally {
      this.running = false;
    }
    this.listener.onchange();
  }

  /** The oldest entry that may be sent: not refused, and not waiting for another. */
  get next() {
    const entries = this.entries();
    const held = new Set(entries.map((entry) => entry.uuid));
    return entries.find(({ refused, after }) => !refused && !(after && held.has(after)));
  }

  /** @returns {Promise<boolean>} */
  async sendNext() {
    const { next } = this;
    if (!next) return false;
    // Another tab may have sent what this one was made after, before it heard of this one.
    const entry = following(next, this.told);
    const answer = await this.post(entry.judgment).catch(() => null);
    if (!answer) return this.wait("offline");
    if (!this.mirror.has(entry.uuid)) return true; // another tab was quicker
    const { stored, repeated, before, again } = answer.body;
    if (stored && (answer.status === 200 || answer.status === 201)) return this.stored(entry, { ...stored, before, again }, repeated);
    const trouble = troubleOf(answer);
    return trouble ? this.wait(trouble) : this.refuse(entry, answer.status, answer.body);
  }

  /**
   * Asks, when a server may be another than before, whether it still has what it acknowledged, and offers it again
   * what it has lost. @returns {Promise<boolean>} whether to go on
   */
  async lookBack() {
    if (!this.mustLookBack) return true;
    try {
      await this.offer(await this.receipts.lost());
    } catch (error) {
      if (!(error instanceof NotSaid)) return this.wait("offline");
      const trouble = troubleOf(error.answer);
      if (trouble) return this.wait(trouble);
    }
    this.mustLookBack = false;
    return true;
  }

  async offer(/** @type {Receipt[]} */ lost) {
    for (const { uuid, seq } of lost) this.lost.set(uuid, seq);
    const put = offeredAgain(lost, this.entries());
    if (!put.length) return;
    await this.change({ put, lost: lost.map(({ uuid }) => uuid) }, true);
    this.listener.onchange();
  }

  wait(/** @type {"offline"|"outdated"|"signed out"|"saving"} */ trouble) {
    this.trouble = trouble;
    this.mustLookBack = true;
    this.attempts.wait();
    return false;
  }

  stored(/** @type {Entry} */ entry, /** @type {any} */ stored, /** @type {boolean} */ repeated) {
    this.trouble = "";
    this.attempts.reset();
    const same = SENT_BACK.every((field) => stored[field] === entry.judgment[field]);
    if (!same) return this.refuse(entry, 200, storedDifferently(entry, stored));
    const seqs = new Map([[entry.uuid, stored.seq]]);
    const put = this.followers(entry.uuid).map((later) => following(later, seqs));
    const receipts = [this.receipts.of(entry, stored)];
    void this.change({ put, remove: [entry.uuid], receipts, acknowledged: { entry, stored } }, false);
    if (this.receipts.showsLoss(stored, repeated)) this.mustLookBack = true;
    this.tell(entry, stored);
    return true;
  }

  /** Tells the page once, whichever tabs have sent the entry. @param {Entry} entry @param {any} stored */
  tell(entry, stored) {
    if (this.told.get(entry.uuid) !== stored.seq) {
      this.told.set(entry.uuid, stored.seq);
      this.listener.onstored(entry, stored, this.lost.get(entry.uuid));
    }
    this.listener.onchange();
  }

  refuse(/** @type {Entry} */ entry, /** @type {number} */ status, /** @type {any} */ body) {
    this.trouble = "";
    const { reason = "", message = "", current } = body;
    if (reason === "replaced elsewhere" && isOlder(current, entry.judgment.replaces) && !this.lookedBack.has(entry.uuid)) {
      this.lookedBack.add(entry.uuid);
      this.mustLookBack = true;
      return true;
    }
    void this.change({ put: [{ ...entry, refused: { status, reason, message, current } }] }, true);
    this.listener.onchange();
    return true;
  }

  // ---- keeping

  /** Changes the copy in memory at once, then the database, then tells the other tabs. @param {Change} change @param {boolean} strict */
  async change(change, strict) {
    const { put = [], remove = [], acknowledged } = change;
    this.reflect(put, remove);
    const kept = await this.keep(change, strict);
    for (const { uuid } of put) {
      if (kept) this.unkept.delete(uuid);
      else if (this.mirror.has(uuid)) this.unkept.add(uuid);
    }
    this.channel?.postMessage({ campaign: this.owner.campaign, put: kept ? put : [], remove, acknowledged });
    return kept;
  }

  /** @param {Change} change @param {boolean} strict @returns {Promise<boolean>} */
  async keep({ put = [], remove = [], receipts = [], lost = [] }, strict) {
    if (!this.database) return false;
    try {
      await this.database.write({ put: { outbox: put, receipts }, remove: { outbox: remove, receipts: lost } }, { strict });
      return true;
    } catch {
      return false;
    }
  }

  reflect(/** @type {Entry[]} */ put, /** @type {string[]} */ remove) {
    for (const uuid of remove) {
      this.mirror.delete(uuid);
      this.unkept.delete(uuid);
    }
    for (const entry of put) this.mirror.set(entry.uuid, entry);
    for (const [uuid, tell] of this.expected) {
      const entry = this.mirror.get(uuid);
      if (entry && !entry.refused) continue;
      this.expected.delete(uuid);
      tell();
    }
  }

  /** Another tab has put, sent or removed entries. @param {Change & {campaign: string}} change */
  heard({ campaign, put = [], remove = [], acknowledged }) {
    if (campaign !== this.owner.campaign) return;
    const before = this.entries();
    this.reflect(put, remove);
    if (!acknowledged) this.tellOfChanges(before, put);
    if (acknowledged?.entry.account !== this.owner.account) return this.listener.onchange();
    this.receipts.highest = Math.max(this.receipts.highest, acknowledged.stored.seq);
    this.tell(acknowledged.entry, acknowledged.stored);
  }

  /** What another tab gave up, or sends under a new uuid. @param {Entry[]} before @param {Entry[]} put */
  tellOfChanges(before, put) {
    const kept = new Map(put.map((entry) => [entry.judgment.document_id, entry]));
    for (const entry of before.filter(({ uuid }) => !this.mirror.has(uuid))) {
      const renewed = kept.get(entry.judgment.document_id);
      if (renewed) this.listener.onrenewed?.(renewed, entry.uuid);
      else this.listener.ondiscarded?.(entry);
    }
  }

  /** @param {string} uuid @returns {Promise<void>} */
  answered(uuid) {
    const entry = this.mirror.get(uuid);
    if (!entry || entry.refused) return Promise.resolve();
    return new Promise((resolve) => this.expected.set(uuid, resolve));
  }

  followers(/** @type {string} */ uuid) {
    return this.entries().filter(({ after }) => after === uuid);
  }

  /** Those, the ones that wait for them, and so on. @param {string} uuid */
  chain(uuid) {
    const found = this.followers(uuid);
    for (const one of found) found.push(...this.followers(one.uuid));
    return found;
  }

  nextOrder() {
    return Math.max(Date.now(), ...this.entries().map(({ order }) => order + 1));
  }
}
