/**
 * The document on the screen, and the proof that it has been there long enough to be judged. Every document is in a frame without scripts.
 * Frames of coming documents are laid out at their full size behind the one that is seen, so that showing one is nothing but uncovering it.
 */
import { element, hide } from "../elements.js";
import { enterFrom } from "./focus.js";
import { FocusRing } from "./focus_ring.js";
import { isBusy } from "./keys.js";
import { hears, keepFocus, watchFor } from "./quiet_frames.js";

/** A document must have been visible this long, in milliseconds, before a key may judge it. */
export const SEEN_FROM = 250;
/** Milliseconds after which a document that does not come is given up. */
export const GIVEN_UP_AFTER = 60_000;
/** What follows once a document has been painted, which would hold up its way to the screen if it came at once. */
export const DRAWN_AFTER = 10;
const FRAMES_KEPT = 8;

/** What the document in a frame says of itself; null when it is not a document of ours (an error page of browser, proxy or server). */
export function shownIn(/** @type {Document | null} */ inside) {
  const meta = inside?.querySelector("meta[name='shown']");
  try {
    return /** @type {Shown} */ (JSON.parse(meta?.getAttribute("content") ?? "null"));
  } catch {
    return null;
  }
}

export class Viewer {
  /**
   * @param {HTMLElement} region that is busy while nothing may be judged @param {HTMLElement} stage on which the frames stand @param
   * {(inside: Window) => void} onload for every frame, once its document is there @param {(address: string) => string | null} [held] the
   * document of an address, if it was fetched before
   */
  constructor(region, stage, onload, held = () => null) {
    this.region = region;
    this.stage = stage;
    this.ring = new FocusRing(stage);
    enterFrom(stage, () => this.current?.contentWindow);
    this.onload = onload;
    this.held = held;
    /** What hears of signs of life in the document on the screen, where its own listeners do not run. @type {(() => void)[]} */
    this.onsigns = [];
    this.isQuiet = false;
    this.message = element("div", { class: "document-message", tabindex: "-1", hidden: true });
    this.stage.append(this.message);
    /** Frames by address, the one used last at the end. @type {Map<string, Kept>} */
    this.frames = new Map();
    this.current = /** @type {HTMLIFrameElement | null} */ (null);
    /** Whether what is shown has been painted and visible for long enough. */
    this.seen = false;
    this.painted = false;
    this.timer = 0;
    document.addEventListener("visibilitychange", () => (this.painted && !document.hidden ? this.begin() : this.cover()));
  }

  /** @returns {Document | null} */
  get inside() {
    return this.current?.contentDocument ?? null;
  }

  /**
   * Puts the focus on the document: on its place in the page, from where keys lead into it. The first key that a
   * document itself gets makes Chromium restyle it, and takes the turn of the screen that the next one could have.
   */
  focus() {
    const place = this.current ? this.stage : this.message;
    place.focus({ preventScroll: true });
  }

  leave() {
    this.painted = false;
    this.cover();
  }

  cover() {
    this.seen = false;
    clearTimeout(this.timer);
    this.region.setAttribute("aria-busy", "true");
  }

  /** The frame of an address, loading from now on if it was not there. @param {string} address @returns {Kept} */
  prepare(address) {
    const kept = this.frames.get(address) ?? this.load(address);
    this.frames.delete(address);
    this.frames.set(address, kept);
    this.dropOldFrames();
    return kept;
  }

  /** Prepares several; what is here already is not dropped for what is not. @param {string[]} addresses */
  prepareAll(addresses) {
    for (const address of addresses) if (this.frames.has(address)) this.prepare(address);
    for (const address of addresses) this.prepare(address);
  }

  /** @param {string} address @returns {Kept} */
  load(address) {
    const frame = element("iframe", { sandbox: "allow-same-origin", class: "document-frame", title: "Document" });
    /** @type {Kept} */
    const kept = { frame, shown: null, loaded: Promise.resolve(null), isScrolled: false };
    kept.loaded = new Promise((done) => {
      const arrived = () => {
        kept.shown = shownIn(frame.contentDocument);
        if (kept.shown && frame.contentWindow) this.here(kept, frame.contentWindow);
        else this.drop(address);
        done(kept.shown);
      };
      frame.addEventListener("load", arrived, { once: true });
    });
    const html = this.held(address);
    if (html === null) frame.src = address;
    else frame.srcdoc = html;
    this.stage.append(frame);
    return kept;
  }

  here(/** @type {Kept} */ kept, /** @type {Window} */ inside) {
    kept.frame.title = inside.document.title;
    this.ring.watch(inside);
    inside.addEventListener("scroll", () => (kept.isScrolled = true), { passive: true });
    inside.addEventListener("click", openLink);
    if (!hears(inside)) this.lookInto(kept.frame);
    this.onload(inside);
  }

  /** A document tells nothing: the focus is kept out of it, and what happens there is looked for. @param {HTMLIFrameElement} frame */
  lookInto(frame) {
    frame.tabIndex = -1;
    if (this.isQuiet) return;
    this.isQuiet = true;
    keepFocus(this.stage);
    watchFor(
      () => this.current?.contentWindow,
      () => this.onsigns.forEach((listener) => listener()),
    );
  }

  /** Uncovers a frame that is there; resolves once it has been painted. @param {Kept} kept @returns {Promise<void>} */
  show(kept) {
    this.leave();
    if (kept.frame !== this.current) this.hide();
    hide(this.message, true);
    if (kept.isScrolled || this.isQuiet) kept.frame.contentWindow?.scrollTo(0, 0);
    kept.isScrolled = false;
    kept.frame.classList.add("current");
    this.current = kept.frame;
    this.stage.setAttribute("aria-label", kept.frame.title);
    return new Promise((painted) => requestAnimationFrame(() => setTimeout(painted, DRAWN_AFTER)));
  }

  hide() {
    if (!this.current) return;
    this.current.classList.remove("current");
    if (![...this.frames.values()].some(({ frame }) => frame === this.current)) this.current.remove();
    this.current = null;
  }

  /**
   * What was shown last is on the screen now: keys go to it, but never while the reader types, and a document that only came again takes
   * the focus from nothing beside it.
   */
  arrived(/** @type {boolean} */ isAgain = false) {
    this.painted = true;
    const isElsewhere = isAgain && document.activeElement !== document.body;
    if (!isBusy() && !isElsewhere) this.focus();
    this.begin();
  }

  begin() {
    if (document.hidden) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.seen = true;
      this.region.setAttribute("aria-busy", "false");
    }, SEEN_FROM);
  }

  /** @param {...(Node | string)} content */
  tell(...content) {
    this.wait(...content);
    this.region.setAttribute("aria-busy", "false");
  }

  /** Shows a message in the place of a document that is on its way. @param {...(Node | string)} content */
  wait(...content) {
    this.leave();
    this.hide();
    this.message.replaceChildren(...content);
    this.message.hidden = false;
  }

  dropOldFrames() {
    for (const [address, { frame }] of this.frames) {
      if (this.frames.size <= FRAMES_KEPT) return;
      if (frame !== this.current) this.drop(address);
    }
  }

  drop(/** @type {string} */ address) {
    const kept = this.frames.get(address);
    this.frames.delete(address);
    if (kept && kept.frame !== this.current) kept.frame.remove();
  }

  /** Forgets all frames; the one on the screen stays until another one is shown. */
  dropAll() {
    for (const address of [...this.frames.keys()]) this.drop(address);
  }
}

/** A link of a document's fields: its frame may open no window itself. @param {MouseEvent} event */
function openLink(event) {
  const link = /** @type {Element | null} */ (event.target)?.closest?.("a[href]");
  if (!link) return;
  event.preventDefault();
  window.open(link.getAttribute("href") ?? "", "_blank", "noopener,noreferrer");
}
