/**
 * Adjudication by keys: the page is a form that works as it is; here a key presses one of its buttons.
 *
 * As on the judging page nothing can be decided before the document has been on the screen for a moment, and a form
 * goes out once.
 */
import { byId } from "./elements.js";
import { isBusy, keyListener } from "./keys.js";

/** A document must have been visible this long, in milliseconds, before a key or a button settles it. */
const SEEN_FROM = 250;

class AdjudicatePage {
  constructor() {
    /** @type {HTMLFormElement} */
    this.form = byId("decide");
    /** @type {HTMLIFrameElement} */
    this.frame = byId("frame");
    /** @type {HTMLTextAreaElement} */
    this.note = byId("note");
    this.seen = false;
    this.sent = false;
    /** Milliseconds for which the page has been visible, and since when it is now. */
    this.spent = 0;
    this.since = document.hidden ? 0 : performance.now();
    this.onkeydown = keyListener((key) => this.actionOf(key));
  }

  start() {
    document.addEventListener("keydown", this.onkeydown);
    document.addEventListener("visibilitychange", () => this.clock());
    this.note.addEventListener("keydown", (event) => event.key === "Escape" && this.note.blur());
    this.form.addEventListener("submit", (event) => this.submitted(event));
    // Back from the next page the form is the one that went out: its uuid keeps it from being stored twice.
    addEventListener("pageshow", () => (this.sent = false));
    this.frame.addEventListener("load", () => this.loaded());
    if (this.frame.contentDocument?.readyState === "complete" && this.frame.contentDocument.URL !== "about:blank") this.loaded();
  }

  /** The frame has its document, if that is the one which the form is about. */
  loaded() {
    const inside = this.frame.contentDocument;
    inside?.addEventListener("keydown", this.onkeydown);
    const wrong = this.wrongIn(inside);
    if (wrong) return this.tell(wrong);
    this.frame.title = inside?.title || "Document";
    if (!isBusy()) this.frame.focus({ preventScroll: true });
    setTimeout(() => this.allow(), SEEN_FROM);
  }

  /** From now on what is shown may be settled. */
  allow() {
    this.seen = true;
    this.form.dataset.ready = "yes";
  }

  /** Why nothing may be settled by what the frame shows; "" if it may. @param {Document | null} inside */
  wrongIn(inside) {
    const meta = inside?.querySelector("meta[name='shown']")?.getAttribute("content");
    if (!meta) return "The document could not be loaded. Load the page again.";
    const shown = JSON.parse(meta);
    if (shown.account !== this.form.dataset.account) return "Somebody else is signed in here now. Load the page again.";
    if (shown.text_hash !== this.field("text_hash").value) return "The text has changed. Load the page again.";
    return "";
  }

  /** @param {string} words */
  tell(words) {
    const place = byId("trouble");
    place.textContent = words;
    place.hidden = false;
  }

  /** @param {string} name @returns {HTMLInputElement} */
  field(name) {
    return /** @type {HTMLInputElement} */ (this.form.elements.namedItem(name));
  }

  /** What a key does. @param {string} key @returns {(() => void) | undefined} */
  actionOf(key) {
    if (key === "c") return () => this.note.focus();
    if (key === "u") return () => this.undo();
    const place = /** @type {HTMLElement | null} */ (document.querySelector(`[data-key="${CSS.escape(key)}"]`));
    return place ? () => this.press(place) : undefined;
  }

  /** @param {HTMLElement} place */
  press(place) {
    if (place.matches(".grade")) this.field("input").value = "key";
    place.click();
  }

  undo() {
    const form = /** @type {HTMLFormElement | null} */ (document.querySelector("#undo"));
    if (form && !this.sent) {
      this.sent = true;
      form.submit();
    }
  }

  clock() {
    if (document.hidden && this.since) this.spent += performance.now() - this.since;
    this.since = document.hidden ? 0 : performance.now();
  }

  /** @param {SubmitEvent} event */
  submitted(event) {
    if (this.sent || !this.seen) {
      event.preventDefault();
      this.field("input").value = "";
      return;
    }
    this.sent = true;
    this.clock();
    this.field("seconds").value = String(Math.min(Math.round(this.spent / 1000), 999_999));
  }
}

new AdjudicatePage().start();
