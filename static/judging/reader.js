/** Moving from document to document: each is loaded ahead, shown, and known to be on the screen. */
import { gettext } from "../messages.js";
import { element } from "../elements.js";
import { whenBack } from "./presence.js";
import { frameOf } from "./queue.js";
import { getJson } from "../session.js";
import { GIVEN_UP_AFTER } from "./viewer.js";

/** How many of the next documents are laid out behind the one that is read. */
const AHEAD = 3;
const BEHIND = 2;
const LOADING_AFTER = 150;
const RETRY_AFTER = 3_000;
const RELOAD_AFTER = 1_000;
/** What is not urgent is done when the document has been drawn, and before it may be judged. */
const SETTLED_AFTER = 80;

export class Reader {
  /**
   * @param {Viewer} viewer
   * @param {Queue} queue
   * @param {Texts} texts which are fetched many at a time
   * @param {any} page what the server put into the page: addresses, account, versions of topic and guidelines
   * @param {{onleave: (next: string | null) => void, onwanted: () => void, onsignedout: () => void, onfailed: () => void, onopen: (shown: Shown) => void, onshown: (shown: Shown) => void}} listener
   */
  constructor(viewer, queue, texts, page, listener) {
    this.viewer = viewer;
    this.queue = queue;
    this.texts = texts;
    this.page = page;
    this.listener = listener;
    /** The document on the screen; null while none is. @type {Shown | null} */
    this.shown = null;
    this.wanted = /** @type {string | null} */ (null);
    this.failed = false;
    /** Whether the server has another version of the topic or the guidelines than the page. */
    this.isStale = false;
    this.timer = 0;
    whenBack(() => this.retry());
  }

  retry() {
    if (this.wanted !== null && this.failed) void this.open(this.wanted);
  }

  /** The document that may be judged now: on the screen, and for long enough. */
  get seen() {
    return this.viewer.seen ? this.shown : null;
  }

  /** Where the frame of a document is, with the near duplicate that comes before it. @param {string} documentId */
  address(documentId) {
    return frameOf(this.page.frame_url, this.queue.place(documentId));
  }

  held(/** @type {string} */ address) {
    const { searchParams } = new URL(address, location.href);
    return this.texts.get({ document_id: searchParams.get("document") ?? "", against: searchParams.get("against") });
  }

  /** The next look at a document asks the server for it. @param {string} documentId */
  forget(documentId) {
    this.texts.forget(this.queue.place(documentId));
    this.viewer.drop(this.address(documentId));
  }

  /** How many documents can be judged without asking the server for one. */
  get ready() {
    const open = this.queue.nextOpen(this.wanted, Infinity);
    const first = open.findIndex((documentId) => !this.texts.isReady(this.queue.place(documentId)) && this.known(documentId) === null);
    return first === -1 ? open.length : first;
  }

  known(/** @type {string} */ documentId) {
    return this.viewer.frames.get(this.address(documentId))?.shown ?? null;
  }

  async open(/** @type {string} */ documentId, /** @type {boolean} */ isAgain = false) {
    this.leave(documentId);
    this.wanted = documentId;
    this.failed = false;
    if (this.isInCopy(documentId)) {
      await this.texts.bring(this.queue.place(documentId));
      if (this.wanted !== documentId) return;
    }
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
    this.viewer.arrived(isAgain);
    this.listener.onshown(shown);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(documentId), SETTLED_AFTER);
  }

  /** Whether a document is neither here nor on its way, and in the browser's copy. @param {string} documentId */
  isInCopy(documentId) {
    const place = this.queue.place(documentId);
    return !this.viewer.frames.has(this.address(documentId)) && !this.texts.has(place) && this.texts.isReady(place);
  }

  /** Waits for a frame, though not for ever; after a moment the page says so. @param {string} documentId @param {Promise<Shown | null>} loaded */
  async arrival(documentId, loaded) {
    const tell = () => this.wanted === documentId && this.viewer.wait(element("p", { class: "notice" }, gettext("Loading …")));
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

  leave(/** @type {string | null} */ next = null) {
    this.hold(next);
    this.wanted = null;
  }

  /** @param {...Node} content */
  close(...content) {
    this.leave();
    this.viewer.tell(...content);
    this.remember(null);
  }

  again() {
    this.texts.clear();
    this.viewer.dropAll();
    if (this.wanted !== null) void this.open(this.wanted, true);
  }

  /** Keeps the place in the address, and the way back from it. @param {string | null} documentId */
  remember(documentId) {
    const { norming, topic_id: topic } = this.page;
    const query = norming ? `?norming=${norming}` : `?topic=${encodeURIComponent(topic)}`;
    const place = documentId === null ? "" : `&document=${encodeURIComponent(documentId)}`;
    const back = new URL(location.href).searchParams.get("back") === "cards" ? "&back=cards" : "";
    history.replaceState(null, "", query + place + back);
  }

  /** A frame did not bring its document: asks the server why. @param {string} documentId */
  async explain(documentId) {
    const headers = { "X-Account": encodeURIComponent(this.page.account) };
    const { status, body } = await getJson(this.page.document_url + encodeURIComponent(documentId), headers).catch(() => ({
      status: 0,
      body: { message: gettext("The server does not respond.") },
    }));
    if (this.wanted === documentId) this.tellNoDocument(documentId, status, body.message ?? "");
  }

  tellNoDocument(/** @type {string} */ documentId, /** @type {number} */ status, /** @type {string} */ message) {
    this.failed = true;
    this.listener.onfailed();
    this.forget(documentId);
    if (status === 401) this.listener.onsignedout();
    const why = status === 401 ? gettext("You are signed out.") : message;
    const again = element("button", { type: "button", class: "small" }, gettext("Try again"));
    again.addEventListener("click", () => void this.open(documentId));
    this.viewer.tell(element("p", { class: "notice" }, `${gettext("This document could not be loaded. %(why)s", { why })} `, again));
    if (status === 0 || status === 200 || status >= 500) {
      setTimeout(() => this.wanted === documentId && this.retry(), RETRY_AFTER);
    }
  }

  settle(/** @type {string} */ documentId) {
    if (this.wanted !== documentId) return;
    this.remember(documentId);
    void this.loadAround(documentId);
  }

  /** Loads what will be wanted next, the most likely first. @param {string} documentId */
  async loadAround(documentId) {
    const beside = [this.queue.neighbour(documentId, 1), this.queue.neighbour(documentId, -1)];
    const behind = this.queue.history.filter((other) => other !== documentId).slice(-BEHIND);
    const open = this.queue.nextOpen(documentId, Math.max(AHEAD, this.texts.limit.documents));
    const around = [documentId, ...open.slice(0, AHEAD), ...beside, ...behind.reverse()];
    const near = [...new Set(around)].filter((other) => other !== null);
    const ahead = [...new Set([...near, ...open])];
    const isAway = (/** @type {string} */ other) => !this.viewer.frames.has(this.address(other));
    const isHeld = (/** @type {string} */ other) => this.texts.has(this.queue.place(other));
    const places = (/** @type {string[]} */ some) =>
      some.filter((other) => isAway(other) || isHeld(other)).map((other) => this.queue.place(other));
    await this.texts.want(places(ahead), places(near).length);
    if (this.wanted === documentId) this.viewer.prepareAll(near.map((other) => this.address(other)));
  }

  isRight(/** @type {Shown} */ shown, /** @type {string} */ documentId) {
    return shown.document_id === documentId && shown.account === this.page.account && !this.isOutdated(shown);
  }

  /** The versions that the server has now: what was fetched under others is not judged any more. @param {{topic: number, guidelines: number}} now */
  heardVersions({ topic, guidelines }) {
    this.isStale = topic !== this.page.topic_version || guidelines !== this.page.guideline_version;
  }

  /** Whether the text around the document is older than what the server has. @param {Shown} shown */
  isOutdated(shown) {
    const { topic_version: topic, guideline_version: guidelines } = this.page;
    return this.isStale || shown.topic_version !== topic || shown.guideline_version !== guidelines;
  }

  reload(/** @type {string} */ documentId) {
    this.remember(documentId);
    const words = gettext("The topic or the guidelines have changed and were reloaded.");
    this.viewer.wait(element("p", { class: "notice" }, words));
    setTimeout(() => location.reload(), RELOAD_AFTER);
  }
}
