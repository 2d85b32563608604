/**
 * The same account judges the same topic on another machine, or in another browser: noticed by rows of the log that are
 * neither in the page's queue nor known to have been sent from this browser.
 */
/** Milliseconds within which other tabs of this browser have said what they stored. */
const SAID_WITHIN = 500;

export class OtherMachines {
  /**
   * @param {number} shown up to which row of the log the page has what this account judged
   * @param {Pick<Outbox, "next" | "told" | "receipts">} outbox
   * @param {() => Promise<void>} onfound shows that there is one, and what was judged there
   */
  constructor(shown, outbox, onfound) {
    this.shown = shown;
    this.outbox = outbox;
    this.onfound = onfound;
    this.suspected = /** @type {Set<number>} */ (new Set());
    this.timer = 0;
  }

  /** A row of this account in this topic is in the log. @param {number} seq */
  found(seq) {
    if (seq > this.shown) this.suspected.add(seq);
    if (this.suspected.size && !this.timer) this.timer = setTimeout(() => void this.look(), SAID_WITHIN);
  }

  async look() {
    this.timer = 0;
    const { outbox } = this;
    // What is on its way may be stored without our having heard of it; when its answer comes, it is looked again.
    if (outbox.next) return;
    const { suspected } = this;
    this.suspected = new Set();
    const receipts = await outbox.receipts.newest().catch(() => []);
    const own = new Set([...outbox.told.values(), ...receipts.map(({ seq }) => seq)]);
    const foreign = [...suspected].filter((seq) => seq > this.shown && !own.has(seq));
    if (!foreign.length) return;
    this.shown = Math.max(...foreign);
    await this.onfound();
  }
}
