/**
 * The same account judges the same topic on another machine, or in another browser: noticed by rows of the log that are
 * neither in the page's queue nor known to have been sent from this browser.
 */
import { byId, hide } from "../elements.js";

/** Milliseconds within which other tabs of this browser have said what they stored. */
const SAID_WITHIN = 500;

export class OtherMachines {
  /**
   * @param {number} shown up to which row of the log the page has what this account judged
   * @param {() => import("./outbox.js").Outbox} outbox @param {() => Promise<void>} refresh shows what was judged there
   * @param {() => void} focus on the document, once the notice is closed
   */
  constructor(shown, outbox, refresh, focus) {
    this.shown = shown;
    this.outbox = outbox;
    this.refresh = refresh;
    /** Rows that may come from elsewhere. @type {Set<number>} */
    this.suspected = new Set();
    this.timer = 0;
    byId("other-machine-close").addEventListener("click", () => {
      hide(byId("other-machine"), true);
      focus();
    });
  }

  /** A row of this account in this topic is in the log. @param {number} seq */
  found(seq) {
    if (seq > this.shown) this.suspected.add(seq);
    if (this.suspected.size && !this.timer) this.timer = setTimeout(() => void this.look(), SAID_WITHIN);
  }

  async look() {
    this.timer = 0;
    const outbox = this.outbox();
    // What is on its way may be stored without our having heard of it; when its answer comes, it is looked again.
    if (outbox.next) return;
    const { suspected } = this;
    this.suspected = new Set();
    const receipts = await outbox.receipts.newest().catch(() => []);
    const own = new Set([...outbox.told.values(), ...receipts.map(({ seq }) => seq)]);
    const foreign = [...suspected].filter((seq) => seq > this.shown && !own.has(seq));
    if (!foreign.length) return;
    this.shown = Math.max(...foreign);
    hide(byId("other-machine"), false);
    await this.refresh();
  }
}
