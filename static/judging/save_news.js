/**
 * What screen readers say of saving. That a judgment was saved is no news to an assessor who makes hundreds of them: it is
 * said when judgments are not saved, once, and when all of them are again.
 */
import { gettext } from "../messages.js";

/** A judgment that waits longer than this, in milliseconds, is news. */
const LONG = 10_000;

const NEWS = new Map(
  Object.entries({
    saving: gettext("Judgments are waiting to be saved."),
    offline: gettext("Offline. Judgments are kept here."),
    outdated: gettext("This page is older than the server. Judgments are kept here."),
    "signed out": gettext("Signed out. Judgments are kept here."),
    saved: gettext("All judgments are saved."),
  }),
);

export class SaveNews {
  constructor(/** @type {HTMLElement} */ place) {
    this.place = place;
    this.told = "saved";
    this.state = "saved";
    this.timer = 0;
  }

  /** @param {string} state of the outbox; its "problem" is an alert of the page's own */
  heard(state) {
    if (state === this.state) return;
    this.state = state;
    clearTimeout(this.timer);
    if (state === "saving") this.timer = setTimeout(() => this.tell(state), LONG);
    else this.tell(state);
  }

  tell(/** @type {string} */ state) {
    if (state === this.told) return;
    this.told = state;
    this.place.textContent = NEWS.get(state) ?? "";
  }
}
