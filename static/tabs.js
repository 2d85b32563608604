/** Other tabs of this browser with the same topic: told of when they come, and when they are closed. */
import { uuid4 } from "./session.js";

/** How often a tab asks for the others, and how long one that is silent still counts, in milliseconds. */
const ASKS_EVERY = 20_000;
const SILENT_FOR = 65_000;

/** @typedef {{id: string, says: "who is there" | "here" | "gone"}} Message */

export class Tabs {
  /**
   * @param {string} topicKey the same for two tabs that would get into each other's way
   * @param {(count: number) => void} onother how many others there are, whenever that changes
   */
  constructor(topicKey, onother) {
    this.id = uuid4();
    this.onother = onother;
    /** When each other tab was heard last. @type {Map<string, number>} */
    this.heardAt = new Map();
    if (typeof BroadcastChannel === "undefined") return;
    this.channel = new BroadcastChannel(`workbench:tabs:${topicKey}`);
    this.channel.onmessage = ({ data }) => this.heard(data);
    addEventListener("pagehide", () => this.say("gone"));
    addEventListener("pageshow", (event) => event.persisted && this.ask());
    document.addEventListener("visibilitychange", () => document.hidden || this.ask());
    setInterval(() => this.ask(), ASKS_EVERY);
    this.ask();
  }

  say(/** @type {Message["says"]} */ says) {
    this.channel?.postMessage({ id: this.id, says });
  }

  /** Asks who is there, and forgets tabs that ended without a word. */
  ask() {
    this.count(() => {
      for (const [id, at] of this.heardAt) {
        if (Date.now() - at > SILENT_FOR) this.heardAt.delete(id);
      }
    });
    this.say("who is there");
  }

  heard(/** @type {Message} */ { id, says }) {
    this.count(() => (says === "gone" ? this.heardAt.delete(id) : this.heardAt.set(id, Date.now())));
    if (says === "who is there") this.say("here");
  }

  count(/** @type {() => void} */ change) {
    const before = this.heardAt.size;
    change();
    if (this.heardAt.size !== before) this.onother(this.heardAt.size);
  }
}
