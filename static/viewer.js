/**
 * The document on the screen, and the proof that it has been there long enough to be judged.
 *
 * HTML is shown in a frame without scripts. Frames of coming documents load out of sight and stay where they are in
 * the page: a frame that is moved loads again.
 */
import { element } from "./elements.js";

/** A document must have been visible this long, in milliseconds, before a key may judge it. */
export const SEEN_FROM = 250;
const FRAMES_KEPT = 6;

/** @param {import("./documents.js").Shown} shown */
function heading(shown) {
  const head = element("header", { class: "document-head" });
  head.append(element("h1", { dir: "auto", class: shown.title ? "" : "untitled" }, shown.title || shown.document_id));
  const fields = element("dl", { class: "document-fields" });
  for (const { name, value } of shown.fields) {
    fields.append(element("div", {}, element("dt", { dir: "auto" }, name), element("dd", { dir: "auto" }, value)));
  }
  if (shown.title) {
    fields.append(element("div", {}, element("dt", {}, "document"), element("dd", { dir: "auto" }, shown.document_id)));
  }
  head.append(fields);
  return head;
}

/** @param {import("./documents.js").Shown} shown @returns {HTMLElement[]} */
function body(shown) {
  if (shown.state === "missing") {
    const advice = "The campaign has no text of this document, so it cannot be judged. An organiser can add it with ";
    return [element("p", { class: "notice" }, advice, element("code", {}, "workbench add documents"), ".")];
  }
  if (shown.state === "empty") {
    return [element("p", { class: "notice" }, "This document is empty. It can be judged as it is.")];
  }
  return shown.blocks.map(({ kind, text }) => element("p", { dir: "auto", class: `block-${kind}` }, text));
}

export class Viewer {
  /**
   * @param {HTMLElement} host
   * @param {(event: KeyboardEvent) => void} onkeydown for keys pressed inside a frame
   */
  constructor(host, onkeydown) {
    this.host = host;
    this.onkeydown = onkeydown;
    this.article = element("article", { class: "document", tabindex: "-1", "aria-label": "Document" });
    this.host.append(this.article);
    /** @type {Map<string, {frame: HTMLIFrameElement, loaded: Promise<boolean>}>} */
    this.frames = new Map();
    /** Whether what is shown has been painted and visible for long enough. */
    this.seen = false;
    this.painted = false;
    this.timer = 0;
    document.addEventListener("visibilitychange", () => (this.painted && !document.hidden ? this.arrived() : this.cover()));
  }

  /** Puts the focus on the document, so that Space and the arrows scroll it. */
  focus() {
    this.article.focus({ preventScroll: true });
  }

  /** From now on nothing counts as seen. */
  leave() {
    this.painted = false;
    this.cover();
  }

  cover() {
    this.seen = false;
    clearTimeout(this.timer);
    this.host.setAttribute("aria-busy", "true");
  }

  /** Loads the frame of a coming document. @param {import("./documents.js").Shown} shown */
  prepare(shown) {
    if (shown.state === "frame" && shown.frame) this.frameOf(shown.frame, shown.text_hash);
  }

  /**
   * Shows a document; resolves when it has been painted, to false when its frame brought something else.
   * @param {import("./documents.js").Shown} shown
   * @returns {Promise<boolean>}
   */
  async show(shown) {
    this.leave();
    this.article.replaceChildren(heading(shown), ...body(shown));
    const kept = shown.state === "frame" && shown.frame ? this.frameOf(shown.frame, shown.text_hash) : null;
    for (const { frame } of this.frames.values()) frame.classList.toggle("waiting", frame !== kept?.frame);
    scrollTo(0, 0);
    this.focus();
    if (kept && !(await kept.loaded)) return false;
    await new Promise((painted) => requestAnimationFrame(() => setTimeout(() => painted(true), 0)));
    return true;
  }

  /** What was shown last is on the screen now. */
  arrived() {
    this.painted = true;
    if (document.hidden) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.seen = true;
      this.host.setAttribute("aria-busy", "false");
    }, SEEN_FROM);
  }

  /** Shows a message in the place of a document. @param {...(Node | string)} content */
  tell(...content) {
    this.wait(...content);
    this.host.setAttribute("aria-busy", "false");
  }

  /** Shows a message in the place of a document that is on its way. @param {...(Node | string)} content */
  wait(...content) {
    this.leave();
    for (const { frame } of this.frames.values()) frame.classList.add("waiting");
    this.article.replaceChildren(...content);
    scrollTo(0, 0);
  }

  /** @param {string} address @param {string | null} textHash */
  frameOf(address, textHash) {
    let kept = this.frames.get(address);
    if (!kept) {
      const frame = /** @type {HTMLIFrameElement} */ (
        element("iframe", { sandbox: "allow-same-origin", class: "document-frame waiting", title: "Document", src: address })
      );
      /** @type {Promise<boolean>} */
      const loaded = new Promise((done) => {
        frame.addEventListener("load", () => done(this.fit(frame, textHash) || this.drop(address)), { once: true });
      });
      kept = { frame, loaded };
      this.host.append(frame);
    }
    this.frames.delete(address);
    this.frames.set(address, kept);
    this.dropOldFrames();
    return kept;
  }

  dropOldFrames() {
    for (const [address, { frame }] of this.frames) {
      if (this.frames.size <= FRAMES_KEPT) return;
      if (!frame.classList.contains("waiting")) continue;
      frame.remove();
      this.frames.delete(address);
    }
  }

  /** Forgets a frame, so that the next look loads it again. @param {string} address */
  drop(address) {
    this.frames.get(address)?.frame.remove();
    this.frames.delete(address);
    return false;
  }

  /**
   * Gives a frame the height of what is in it, and the page's keys; false when it is not the text that was asked for.
   * A browser fires `load` for its own error page too, and for whatever a network in between answers.
   * @param {HTMLIFrameElement} frame @param {string | null} textHash
   */
  fit(frame, textHash) {
    const inside = frame.contentDocument;
    if (inside?.querySelector("meta[name='text-hash']")?.getAttribute("content") !== textHash) return false;
    inside.addEventListener("keydown", this.onkeydown);
    const resize = () => {
      frame.style.height = `${inside.documentElement.getBoundingClientRect().height + 1}px`;
    };
    new ResizeObserver(resize).observe(inside.documentElement);
    resize();
    return true;
  }
}
