/**
 * Judgments on their way to the server. An entry is kept here until the server has answered with what it stored.
 *
 * Entries are sent one at a time in the order they were made. One that changes an entry which is still on its
 * way names that one in `after`, and learns the `seq` it replaces from that one's answer.
 */
import { uuid4 } from "./session.js";
import { Storage } from "./storage.js";

/**
 * @typedef {object} Entry
 * @property {string} uuid
 * @property {Record<string, any>} judgment what is sent, as the server expects it
 * @property {string | null} after uuid of the unsent entry that this one replaces
 * @property {{status: number, reason: string, message: string, current?: any} | null} refused with my judgment that is
 *   in force, null for none, or nothing when the answer did not say
 * @property {any} [stored] what the server has stored, for the other tabs to hear of; the entry is removed at once
 */
/** @typedef {{state: "saved"|"saving"|"offline"|"signed out"|"problem", waiting: number, refused: Entry[], durable: boolean}} State */

const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 30_000;
const SENT_BACK = ["uuid", "topic_id", "document_id", "kind", "grade", "text_hash"];

export class Outbox {
  /**
   * @param {string} owner what tells this campaign and account from others
   * @param {(judgment: Record<string, any>) => Promise<import("./session.js").Answer>} post
   * @param {{onchange: () => void, onstored: (entry: Entry, stored: any) => void}} listener
   */
  constructor(owner, post, listener) {
    this.storage = new Storage(`workbench:outbox:${owner}:`);
    this.post = post;
    this.listener = listener;
    this.running = false;
    this.trouble = "";
    this.delay = FIRST_DELAY;
    this.timer = 0;
    addEventListener("online", () => this.hurry());
    addEventListener("focus", () => this.hurry());
    addEventListener("storage", (event) => this.heard(event));
  }

  /** Another tab has put, sent or removed an entry. @param {StorageEvent} event */
  heard({ key, newValue }) {
    if (!key?.startsWith(this.storage.prefix)) return;
    const entry = newValue ? this.storage.parse(newValue) : null;
    if (entry?.stored) this.listener.onstored(entry, entry.stored);
    this.listener.onchange();
  }

  /** All entries, oldest first. @returns {(Entry & {name: string})[]} */
  entries() {
    const named = this.storage.names().map((name) => ({ name, ...this.storage.get(name) }));
    return named.filter((entry) => entry.uuid);
  }

  /** @returns {State} */
  get state() {
    const entries = this.entries();
    const refused = entries.filter((entry) => entry.refused);
    const waiting = entries.length - refused.length;
    const state = refused.length ? "problem" : !waiting ? "saved" : this.trouble || "saving";
    return { state: /** @type {any} */ (state), waiting, refused, durable: this.storage.durable };
  }

  /** Keeps a judgment and starts to send it. @param {Record<string, any>} judgment @param {string | null} after */
  add(judgment, after) {
    const last = this.storage.names().at(-1) ?? "";
    const order = Math.max(Number(last.split(":")[0]) || 0, Date.now()) + 1;
    const name = `${String(order).padStart(16, "0")}:${judgment.uuid}`;
    this.storage.put(name, { uuid: judgment.uuid, judgment, after, refused: null });
    this.listener.onchange();
    void this.run();
  }

  /** Tries again now, without waiting for the next attempt. */
  hurry() {
    clearTimeout(this.timer);
    this.delay = FIRST_DELAY;
    void this.run();
  }

  /** Sends a refused entry again as a change of what the server has now. @param {string} uuid */
  keepMine(uuid) {
    const entry = this.entries().find((one) => one.uuid === uuid);
    if (!entry?.refused) return;
    const { current, reason } = entry.refused;
    const fresh = reason === "uuid taken" ? uuid4() : uuid;
    const judgment = { ...entry.judgment, uuid: fresh, replaces: current === undefined ? entry.judgment.replaces : (current?.seq ?? null) };
    this.rewrite({ ...entry, uuid: fresh, judgment, refused: null });
    for (const later of this.entries()) {
      if (later.after === uuid) this.rewrite({ ...later, after: fresh });
    }
    this.listener.onchange();
    void this.run();
  }

  /** Gives up a refused entry, and those that were to change it. @param {string} uuid */
  discard(uuid) {
    for (const entry of this.entries()) {
      if (entry.uuid === uuid) this.storage.remove(entry.name);
      else if (entry.after === uuid) this.discard(entry.uuid);
    }
    this.listener.onchange();
  }

  async run() {
    if (this.running) return;
    this.running = true;
    try {
      for (let entry = this.next(); entry; entry = this.next()) {
        if (!(await this.send(entry))) break;
      }
    } finally {
      this.running = false;
    }
    this.listener.onchange();
  }

  /** The oldest entry that may be sent: not refused, and not waiting for one that is. */
  next() {
    const entries = this.entries();
    const held = new Set(entries.map((entry) => entry.uuid));
    return entries.find((entry) => !entry.refused && !(entry.after && held.has(entry.after)));
  }

  /** @param {Entry & {name: string}} entry @returns {Promise<boolean>} whether to go on with the next one */
  async send(entry) {
    let answer;
    try {
      answer = await this.post(entry.judgment);
    } catch {
      return this.wait("offline");
    }
    if (answer.status === 200 || answer.status === 201) return this.stored(entry, answer.body.stored);
    if (answer.status === 401) return this.wait("signed out");
    if (answer.status >= 500 || answer.status === 429 || answer.status === 408) return this.wait("offline");
    return this.refuse(entry, answer.status, answer.body);
  }

  /** @param {"offline"|"signed out"} trouble */
  wait(trouble) {
    this.trouble = trouble;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.run(), this.delay * (0.75 + Math.random() / 2));
    this.delay = Math.min(2 * this.delay, LONGEST_DELAY);
    return false;
  }

  /** @param {Entry & {name: string}} entry @param {any} stored */
  stored(entry, stored) {
    this.trouble = "";
    this.delay = FIRST_DELAY;
    const same = stored && SENT_BACK.every((field) => stored[field] === entry.judgment[field]);
    if (!same) return this.refuse(entry, 200, { reason: "stored differently", current: stored });
    for (const later of this.entries()) {
      if (later.after === entry.uuid) {
        this.rewrite({ ...later, after: null, judgment: { ...later.judgment, replaces: stored.seq } });
      }
    }
    this.rewrite({ ...entry, stored });
    this.storage.remove(entry.name);
    this.listener.onstored(entry, stored);
    this.listener.onchange();
    return true;
  }

  /** @param {Entry & {name: string}} entry @param {number} status @param {any} body */
  refuse(entry, status, body) {
    this.trouble = "";
    const { reason = "", message = "", current } = body;
    this.rewrite({ ...entry, refused: { status, reason, message, current } });
    this.listener.onchange();
    return true;
  }

  /** @param {Entry & {name: string}} entry */
  rewrite({ name, ...entry }) {
    this.storage.put(name, entry);
  }
}
