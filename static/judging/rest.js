/** A break after a number of documents or minutes of judging, as the assessor chose, else as the organiser set. */
import { gettext } from "../messages.js";
import { byId, counted } from "../elements.js";
import { Storage } from "../storage.js";

/** Milliseconds without a judgment that are a break by themselves. */
const RESTED = 600_000;

/** @typedef {{documents: number, seconds: number, at: number}} Stretch */

export class Rest {
  /**
   * @param {string} owner what tells this campaign and account from others @param {{documents: number, minutes: number}} breaks what the
   * organiser set; 0 is never @param {Preferences} preferences @param {() => void} onback called after the break
   */
  constructor(owner, breaks, preferences, onback) {
    this.breaks = breaks;
    this.preferences = preferences;
    this.storage = new Storage(`workbench:rest:${owner}:`);
    this.dialog = byId("rest");
    this.dialog.addEventListener("close", () => {
      this.storage.remove("stretch");
      onback();
    });
  }

  /** @returns {Stretch} */
  stretch() {
    const kept = this.storage.get("stretch");
    const goesOn = Number.isFinite(kept?.documents) && Number.isFinite(kept?.seconds) && Date.now() - kept.at < RESTED;
    return goesOn ? kept : { documents: 0, seconds: 0, at: 0 };
  }

  /** One more document is judged; offers a break when it is time. @param {number} seconds the active ones */
  judged(seconds) {
    const before = this.stretch();
    const now = { documents: before.documents + 1, seconds: before.seconds + seconds, at: Date.now() };
    this.storage.put("stretch", now);
    if (this.isDue(now) && document.querySelector("dialog[open]") === null) this.offer(now);
  }

  isDue(/** @type {Stretch} */ { documents, seconds }) {
    const most = this.preferences.get("break_documents") ?? this.breaks.documents;
    const longest = this.preferences.get("break_minutes") ?? this.breaks.minutes;
    return (most > 0 && documents >= most) || (longest > 0 && seconds >= 60 * longest);
  }

  offer(/** @type {Stretch} */ { documents, seconds }) {
    const minutes = Math.round(seconds / 60);
    const values = { documents: counted(documents, "document"), time: counted(minutes, "minute") };
    byId("rest-done").textContent = minutes
      ? gettext("You judged %(documents)s in %(time)s since the last break.", values)
      : gettext("You judged %(documents)s since the last break.", values);
    this.dialog.showModal();
  }
}
