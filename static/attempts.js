/** Trying again to send: at ever longer intervals, and at once when the network or the reader comes back. */
import { whenBack } from "./judging/presence.js";

const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 30_000;

export class Attempts {
  constructor(/** @type {() => unknown} */ run) {
    this.run = run;
    this.delay = FIRST_DELAY;
    this.timer = 0;
  }

  /** From now on it is heard when the network or the reader comes back. */
  listen() {
    addEventListener("online", () => this.hurry());
    whenBack(() => this.hurry());
  }

  hurry() {
    this.reset();
    void this.run();
  }

  /** An attempt has succeeded. */
  reset() {
    clearTimeout(this.timer);
    this.delay = FIRST_DELAY;
  }

  /** An attempt has failed. */
  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.run(), this.delay * (0.75 + Math.random() / 2));
    this.delay = Math.min(2 * this.delay, LONGEST_DELAY);
  }
}
