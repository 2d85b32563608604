/** Moving from document to document: each is loaded ahead, shown, and known to be on the screen. */
import { element } from "../elements.js";
import { whenBack } from "./presence.js";
import { getJson } from "../session.js";

const AHEAD = 3;
const BEHIND = 2;
const LOADING_AFTER = 150;
const GIVEN_UP_AFTER = 60_000;
const RETRY_AFTER = 3_000;
const RELOAD_AFTER = 1_000;
/** What is not urgent is done when the document has been drawn, and before it may be judged. */
const SETTLED_AFTER = 80;

/** @typedef {import("./viewer.js").Shown} Shown */

export class Reader {
  /**
   * @param {import("./viewer.js").Viewer} viewer
   * @param {import("./queue.js").Queue} queue
   * @param {any} page what the server put into the page: addresses, account, versions of topic and guidelines
   * @param {{onleave: (next: string | null) => void, onwanted: () => void, onsignedout: () => void, onfailed: () => void, onopen: (shown: Shown) => void, onshown: (shown: Shown) => void}} listener
   */
  constructor(viewer, queue, page, listener) {
    this.viewer = viewer;
    this.queue = queue;
    this.page = page;
    this.listener = listener;
    /** The document on the screen; null while none is. @type {Shown | null} */
    this.shown = null;
    /** The document that was asked for last. @type {string | null} */
    this.wanted = null;
    this.failed = false;
    this.timer = 0;
    whenBack(() => this.retry());
  }

  /** Tries once more to open a document that could not be had. */
  retry() {
    if (this.wanted !== null && this.failed) void this.open(this.wanted);
  }

  /** The document that may be judged now: on the screen, and for long enough. */
  get seen() {
    return this.viewer.seen ? this.shown : null;
  }

  /** Where the frame of a document is, with the near duplicate that comes before it. @param {string} documentId */
  address(documentId) {
    const before = this.queue.nearBefore(documentId);
    const against = before === null ? "" : `&against=${encodeURIComponent(before)}`;
    return `${this.page.frame_url}${encodeURIComponent(documentId)}${against}`;
  }

  /** What a frame that is here says of its document. @param {string} documentId */
  known(documentId) {
    return this.viewer.frames.get(this.address(documentId))?.shown ?? null;
  }

  /** @param {string} documentId */
  async open(documentId) {
    this.leave(documentId);
    this.wanted = documentId;
    this.failed = false;
    const kept = this.viewer.prepare(this.address(documentId));
    // What is here is shown first of all: the sooner it is asked for, the sooner the screen's next turn has it.
    const isHere = kept.shown !== null && this.isRight(kept.shown, documentId);
    if (!isHere) this.listener.onwanted();
    const shown = kept.shown ?? (await this.arrival(documentId, kept.loaded));
    if (this.wanted !== documentId) return;
    if (shown?.document_id !== documentId) return this.explain(documentId);
    if (shown.account !== this.page.account) return this.tellNoDocument(documentId, 401, "");
    if (this.isOutdated(shown)) return this.reload(documentId);
    const painted = this.viewer.show(kept);
    if (isHere) this.listener.onwanted();
    this.listener.onopen(shown);
    await painted;
    if (this.wanted !== documentId) return;
    this.shown = shown;
    this.viewer.arrived();
    this.listener.onshown(shown);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(documentId), SETTLED_AFTER);
  }

  /** Waits for a frame, though not for ever; after a moment the page says so. @param {string} documentId @param {Promise<Shown | null>} loaded */
  async arrival(documentId, loaded) {
    const tell = () => this.wanted === documentId && this.viewer.wait(element("p", { class: "notice" }, "Loading …"));
    const slow = setTimeout(tell, LOADING_AFTER);
    let late = 0;
    const never = new Promise((/** @type {(nothing: null) => void} */ giveUp) => (late = setTimeout(giveUp, GIVEN_UP_AFTER, null)));
    const shown = await Promise.race([loaded, never]);
    clearTimeout(slow);
    clearTimeout(late);
    return shown;
  }

  /** From here on no key can judge what is shown, until a document is opened. @param {string | null} [next] which, if that is known */
  hold(next = null) {
    this.listener.onleave(next);
    this.shown = null;
    this.viewer.leave();
  }

  /** @param {string | null} [next] */
  leave(next = null) {
    this.hold(next);
    this.wanted = null;
  }

  /** Shows something else in the place of the documents. @param {...Node} content */
  close(...content) {
    this.leave();
    this.viewer.tell(...content);
    this.remember(null);
  }

  /** Reloads the document on the screen, and those around it. */
  again() {
    this.viewer.dropAll();
    if (this.wanted !== null) void this.open(this.wanted);
  }

  /** Keeps the place in the address. @param {string | null} documentId */
  remember(documentId) {
    const { norming, topic_id: topic } = this.page;
    const query = norming ? `?norming=${norming}` : `?topic=${encodeURIComponent(topic)}`;
    const place = documentId === null ? "" : `&document=${encodeURIComponent(documentId)}`;
    history.replaceState(null, "", query + place);
  }

  /** A frame did not bring its document: asks the server why. @param {string} documentId */
  async explain(documentId) {
    const headers = { "X-Account": encodeURIComponent(this.page.account) };
    const { status, body } = await getJson(this.page.document_url + encodeURIComponent(documentId), headers).catch(() => ({
      status: 0,
      body: { message: "The server does not respond." },
    }));
    if (this.wanted === documentId) this.tellNoDocument(documentId, status, body.message ?? "");
  }

  /** @param {string} documentId @param {number} status 0 for no answer @param {string} message */
  tellNoDocument(documentId, status, message) {
    this.failed = true;
    this.listener.onfailed();
    this.viewer.drop(this.address(documentId));
    if (status === 401) this.listener.onsignedout();
    const why = status === 401 ? "You are signed out." : message;
    const again = element("button", { type: "button", class: "small" }, "Try again");
    again.addEventListener("click", () => void this.open(documentId));
    this.viewer.tell(element("p", { class: "notice" }, `This document could not be loaded. ${why} `, again));
    if (status === 0 || status === 200 || status >= 500) {
      setTimeout(() => this.wanted === documentId && this.retry(), RETRY_AFTER);
    }
  }

  /** @param {string} documentId */
  settle(documentId) {
    if (this.wanted !== documentId) return;
    this.remember(documentId);
    this.loadAround(documentId);
  }

  /** Loads what will be wanted next, the most likely first. @param {string} documentId */
  loadAround(documentId) {
    const beside = [this.queue.neighbour(documentId, 1), this.queue.neighbour(documentId, -1)];
    const behind = this.queue.history.filter((other) => other !== documentId).slice(-BEHIND);
    const wanted = [documentId, ...this.queue.nextOpen(documentId, AHEAD), ...beside, ...behind.reverse()];
    const addresses = [...new Set(wanted.filter((other) => other !== null).map((other) => this.address(other)))];
    this.viewer.prepareAll(addresses);
  }

  /** Whether a frame can be shown as it is. @param {Shown} shown @param {string} documentId */
  isRight(shown, documentId) {
    return shown.document_id === documentId && shown.account === this.page.account && !this.isOutdated(shown);
  }

  /** Whether the text around the document is older than what the server has. @param {Shown} shown */
  isOutdated(shown) {
    const { topic_version: topic, guideline_version: guidelines } = this.page;
    return shown.topic_version !== topic || shown.guideline_version !== guidelines;
  }

  /** @param {string} documentId the document that is shown then */
  reload(documentId) {
    this.remember(documentId);
    const words = "The topic or the guidelines have changed and were reloaded.";
    this.viewer.wait(element("p", { class: "notice" }, words));
    setTimeout(() => location.reload(), RELOAD_AFTER);
  }
}
