/** The way back to the cards from a document that was opened from them, as `&back=cards` in the address says. */
import { sessionState } from "../session.js";

/** Milliseconds without an answer after which one goes on here. */
const PATIENCE = 3_000;

export class WayBack {
  constructor(/** @type {JudgingSession} */ session, /** @type {Saving} */ saving, /** @type {(documentId: string) => void} */ next) {
    this.session = session;
    this.saving = saving;
    this.next = next;
    /** Whether a document that is judged or postponed leads back to the cards. */
    this.isOpen = !session.data.norming && new URL(location.href).searchParams.get("back") === "cards";
  }

  /**
   * Leads back to the cards, to those from a document on. No browser keeps the cards: where the server does not respond, the next document
   * comes here, until one is judged when it does. What is unsent waits on the disk for the page of cards.
   */
  async take(/** @type {string} */ documentId) {
    const { saving } = this;
    const { data, outbox, view } = this.session;
    const isThere = await Promise.race([this.responds(), late()]);
    if (isThere) await closed(document.querySelector("dialog[open]"));
    if (view.wanted !== documentId || saving.isLeaving) return;
    if (!isThere) return this.next(documentId);
    saving.isLeaving = outbox.state.durable;
    location.replace(`?topic=${encodeURIComponent(data.topic_id)}&at=${encodeURIComponent(documentId)}`);
  }

  /** @returns {Promise<boolean>} */
  async responds() {
    const answer = await sessionState().catch(() => null);
    return answer?.status === 200 && answer.body.account === this.session.data.account;
  }

  leave() {
    /** @type {HTMLElement | null} */ (document.querySelector(".strip-back"))?.click();
  }
}

/** @returns {Promise<boolean>} */
const late = () => new Promise((resolve) => setTimeout(resolve, PATIENCE, false));

/** Resolves once a dialog, as that of a break, is closed. @param {Element | null} dialog */
async function closed(dialog) {
  if (dialog) await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
}
