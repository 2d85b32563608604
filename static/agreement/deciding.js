/**
 * A decision on its way to the server: kept in this browser, and sent under its own uuid until the server has said
 * what became of it, so that it is stored once however often it was sent.
 */
import { Attempts } from "../attempts.js";
import { postFields } from "../session.js";
import { Storage } from "../storage.js";
import { troubleOf } from "../judging/verdicts.js";

/**
 * @typedef {object} Entry
 * @property {string} url where it goes
 * @property {Record<string, string>} fields of its form, without a token
 * @property {string} words what was decided
 */
/** @typedef {"" | "offline" | "outdated" | "saving" | "signed out"} Trouble why nothing has become of a decision yet */
/**
 * @typedef {object} Listener
 * @property {(trouble: Trouble, entry: Entry) => void} onwait a decision is on its way, or held up
 * @property {(entry: Entry, next: string) => void} onstored the server has it; `next` is the address it leads to
 * @property {(entry: Entry, message: string) => void} onrefused nothing was stored
 */

export class Deciding {
  /** @param {string} owner what tells this campaign and account from others @param {string} account @param {Listener} listener */
  constructor(owner, account, listener) {
    this.account = account;
    this.listener = listener;
    this.kept = new Storage(`workbench:adjudication:${owner}:`);
    this.entry = /** @type {Entry | null} */ (null);
    this.isSending = false;
    this.attempts = new Attempts(() => this.run());
    this.attempts.listen();
  }

  /** Takes up what an earlier page has left: sent, perhaps, but not acknowledged. */
  resume() {
    const [uuid] = this.kept.names();
    const entry = uuid === undefined ? null : this.kept.get(uuid);
    if (entry) this.begin(entry);
    else if (uuid !== undefined) this.kept.remove(uuid);
  }

  send(/** @type {Entry} */ entry) {
    this.kept.put(entry.fields.uuid, entry);
    this.begin(entry);
  }

  begin(/** @type {Entry} */ entry) {
    this.entry = entry;
    this.listener.onwait("", entry);
    this.attempts.hurry();
  }

  async run() {
    if (!this.entry || this.isSending) return;
    this.isSending = true;
    const trouble = await this.attempt(this.entry);
    this.isSending = false;
    if (trouble) {
      this.attempts.wait();
      this.listener.onwait(trouble, this.entry);
    } else void this.run(); // another one may have been taken up meanwhile
  }

  /** @param {Entry} entry @returns {Promise<Trouble>} nothing once the server has said what became of it */
  async attempt(entry) {
    let answer;
    try {
      answer = await postFields(entry.url, entry.fields, this.account);
    } catch {
      return "offline";
    }
    if (answer.status === 200 && answer.body.next) this.settle(entry, () => this.listener.onstored(entry, answer.body.next));
    else {
      const trouble = troubleOf(answer);
      if (trouble) return trouble;
      this.settle(entry, () => this.listener.onrefused(entry, answer.body.message ?? ""));
    }
    return "";
  }

  settle(/** @type {Entry} */ entry, /** @type {() => void} */ tell) {
    this.kept.remove(entry.fields.uuid);
    this.entry = null;
    tell();
  }
}
