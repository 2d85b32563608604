/** How long judging takes: the active seconds on one document, and the time left at one's own pace. */
import { gettext } from "../messages.js";
import { Storage } from "../storage.js";

/** Longest time in milliseconds between two signs of life that still counts as reading. */
const IDLE_FROM = 60_000;
const SIGNS = ["keydown", "pointerdown", "pointermove", "wheel", "scroll", "touchmove"];
const REMEMBERED = 30;
const ENOUGH = 3;

export class Pace {
  constructor(/** @type {string} */ owner) {
    this.storage = new Storage(`workbench:pace:${owner}:`);
    this.active = 0;
    this.since = performance.now();
    this.watch(window);
    document.addEventListener("visibilitychange", () => (document.hidden ? this.tick() : this.resume()));
  }

  watch(/** @type {Window} */ view) {
    for (const sign of SIGNS) view.addEventListener(sign, () => this.tick(), { passive: true, capture: true });
  }

  start() {
    this.active = 0;
    this.resume();
  }

  resume() {
    this.since = performance.now();
  }

  tick() {
    const now = performance.now();
    this.active += Math.min(now - this.since, IDLE_FROM);
    this.since = now;
  }

  /** Active seconds on this document until now, to a tenth. */
  seconds() {
    this.tick();
    return Math.round(this.active / 100) / 10;
  }

  remember(/** @type {number} */ seconds) {
    this.storage.put("seconds", [...this.remembered(), seconds].slice(-REMEMBERED));
  }

  /** @returns {number[]} */
  remembered() {
    const kept = this.storage.get("seconds");
    return Array.isArray(kept) ? kept.filter(Number.isFinite) : [];
  }

  /** The time left for a number of documents, as text; "" until there is something to go by. @param {number} open */
  timeLeft(open) {
    const kept = this.remembered().sort((one, other) => one - other);
    if (kept.length < ENOUGH || open === 0) return "";
    const middle = kept.length >> 1;
    const median = kept.length % 2 ? kept[middle] : (kept[middle - 1] + kept[middle]) / 2;
    return inWords(median * open);
  }
}

export function inWords(/** @type {number} */ seconds) {
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 60) return gettext("about %(minutes)s min left", { minutes });
  const rounded = minutes < 300 ? Math.round(minutes / 10) * 10 : Math.round(minutes / 60) * 60;
  const rest = rounded % 60;
  return gettext("about %(time)s left", { time: `${Math.floor(rounded / 60)} h${rest ? ` ${rest}` : ""}` });
}
