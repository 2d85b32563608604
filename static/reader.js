/** Moving from document to document: each is fetched ahead, shown, and known to be on the screen. */
import { NoDocument } from "./documents.js";
import { byId, element } from "./elements.js";

const AHEAD = 3;
const LOADING_AFTER = 150;
const RETRY_AFTER = 3_000;
const RELOAD_AFTER = 1_000;

/** @typedef {import("./documents.js").Shown} Shown */

export class Reader {
  /**
   * @param {import("./documents.js").Documents} documents
   * @param {import("./viewer.js").Viewer} viewer
   * @param {import("./queue.js").Queue} queue
   * @param {{topic_id: string, topic_version: number, guideline_version: number}} page what stands beside the document
   * @param {{onleave: () => void, onwanted: () => void, onopen: (shown: Shown) => void, onshown: (shown: Shown) => void}} listener
   */
  constructor(documents, viewer, queue, page, listener) {
    this.documents = documents;
    this.viewer = viewer;
    this.queue = queue;
    this.page = page;
    this.listener = listener;
    /** The document on the screen; null while none is. @type {Shown | null} */
    this.shown = null;
    /** The document that was asked for last. @type {string | null} */
    this.wanted = null;
    this.failed = false;
    addEventListener("focus", () => this.wanted !== null && this.failed && void this.open(this.wanted));
  }

  /** The document that may be judged now: on the screen, and for long enough. */
  get seen() {
    return this.viewer.seen ? this.shown : null;
  }

  /** @param {string} documentId */
  async open(documentId) {
    this.leave();
    this.wanted = documentId;
    this.failed = false;
    this.listener.onwanted();
    const shown = this.documents.ready(documentId) ?? (await this.fetch(documentId));
    if (!shown || this.wanted !== documentId) return;
    if (this.isOutdated(shown)) return this.reload();
    const painted = this.viewer.show(shown);
    this.remember(documentId);
    this.listener.onopen(shown);
    const isThere = await painted;
    if (this.wanted !== documentId) return;
    if (!isThere) {
      this.documents.forget(documentId);
      return this.tellNoDocument(documentId, new NoDocument(0, "The server does not answer."));
    }
    this.shown = shown;
    this.viewer.arrived();
    this.listener.onshown(shown);
    void this.fetchAhead(documentId);
  }

  /** From here on no key can judge what was shown. */
  leave() {
    this.listener.onleave();
    this.wanted = null;
    this.shown = null;
    this.viewer.leave();
  }

  /** Shows something else in the place of the documents. @param {...Node} content */
  close(...content) {
    this.leave();
    this.viewer.tell(...content);
    this.remember(null);
  }

  /** Keeps the place in the address. @param {string | null} documentId */
  remember(documentId) {
    const query = `?topic=${encodeURIComponent(this.page.topic_id)}`;
    const place = documentId === null ? "" : `&document=${encodeURIComponent(documentId)}`;
    history.replaceState(null, "", query + place);
  }

  /** @param {string} documentId @returns {Promise<Shown | null>} */
  async fetch(documentId) {
    const tell = () => this.wanted === documentId && this.viewer.wait(element("p", { class: "notice" }, "Loading …"));
    const slow = setTimeout(tell, LOADING_AFTER);
    try {
      return await this.documents.fetch(documentId);
    } catch (error) {
      if (this.wanted === documentId) this.tellNoDocument(documentId, error);
      return null;
    } finally {
      clearTimeout(slow);
    }
  }

  /** @param {string} documentId @param {unknown} error */
  tellNoDocument(documentId, error) {
    this.failed = true;
    const status = error instanceof NoDocument ? error.status : 0;
    const why = status === 401 ? "You are signed out." : error instanceof Error ? error.message : String(error);
    byId("signed-out").hidden = status !== 401;
    const again = element("button", { type: "button", class: "small" }, "Try again");
    again.addEventListener("click", () => void this.open(documentId));
    this.viewer.tell(element("p", { class: "notice" }, `This document could not be loaded. ${why} `, again));
    if (status === 0 || status >= 500) {
      setTimeout(() => this.wanted === documentId && this.failed && void this.open(documentId), RETRY_AFTER);
    }
  }

  /** @param {string} documentId */
  async fetchAhead(documentId) {
    const around = [this.queue.neighbour(documentId, 1), this.queue.neighbour(documentId, -1)];
    const coming = [...this.queue.nextOpen(documentId, AHEAD), ...around, ...this.queue.history.slice(-1)];
    for (const next of new Set(coming)) {
      if (next === null || this.wanted !== documentId) continue;
      const shown = await this.documents.fetch(next).catch(() => null);
      if (shown) this.viewer.prepare(shown);
    }
  }

  /** Whether what stands beside the document is older than what the server has. @param {Shown} shown */
  isOutdated(shown) {
    const { topic_version: topic, guideline_version: guidelines } = this.page;
    return shown.topic_version !== topic || shown.guideline_version !== guidelines;
  }

  reload() {
    const words = "The topic or the guidelines have changed: they are loaded again.";
    this.viewer.wait(element("p", { class: "notice" }, words));
    setTimeout(() => location.reload(), RELOAD_AFTER);
  }
}
