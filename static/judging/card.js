/**
 * A document as a card: its frame, as high as the document is. Near duplicates that one grade does for stand on the same
 * card, each with what differs from the one before it.
 */
import { gettext, ngettext } from "../messages.js";
import { element } from "../elements.js";
import { shapeOf } from "./panel.js";
import { GIVEN_UP_AFTER, shownIn } from "./viewer.js";

/** What scrolls sideways in a document (document.css): on a card nothing does. */
const WIDE = "html, main:has(.block-code), pre, .formula, .table";

/** What a document says of itself, before there is a frame of it. @param {string | null} html @returns {Shown | null} */
export function shownBefore(html) {
  return html === null ? null : shownIn(new DOMParser().parseFromString(html, "text/html"));
}

/** Loads the frame of a document; null when what came is no document of ours, or nothing came. @param {string} address @param {string | null} html @param {HTMLElement} place @returns {Promise<Member | null>} */
export function loadFrame(address, html, place) {
  const frame = element("iframe", { sandbox: "allow-same-origin", class: "card-frame", title: "Document", tabindex: "-1" });
  const loaded = new Promise((/** @type {(member: Member | null) => void} */ done) => {
    const arrived = () => {
      clearTimeout(late);
      const shown = shownIn(frame.contentDocument);
      if (!shown) frame.remove();
      done(shown && { shown, frame, wide: [...(frame.contentDocument?.querySelectorAll(WIDE) ?? [])] });
    };
    const late = setTimeout(arrived, GIVEN_UP_AFTER);
    frame.addEventListener("load", arrived, { once: true });
  });
  if (html === null) frame.src = address;
  else frame.srcdoc = html;
  place.append(frame);
  return loaded;
}

export class Card {
  /** @param {HTMLElement} place @param {Member[]} members @param {string} alone the address of the page that shows the first document alone */
  constructor(place, members, alone) {
    this.place = place;
    this.members = members;
    this.alone = alone;
    this.state = element("p", { class: "card-state" });
    this.why = element("p", { class: "card-why hint" });
    const open = element(
      "a",
      { class: "card-open", href: alone, "aria-label": gettext("Open %(name)s alone", { name: nameOf(members[0]) }) },
      gettext("Open"),
    );
    this.foot = element("div", { class: "card-foot" }, this.state, this.why, open);
    place.append(this.foot);
    members.forEach(({ frame, shown }, at) => {
      frame.title = shown.title || shown.document_id;
      frame.contentDocument?.body.classList.add("on-card", ...(at ? ["copy"] : []));
    });
    this.label();
    /** What is said of its judgment. */
    this.named = "";
    /** Since when it is in full view, in milliseconds. */
    this.since = Infinity;
  }

  /** @returns {Shown} */
  get first() {
    return this.members[0].shown;
  }

  has(/** @type {string} */ documentId) {
    return this.members.some(({ shown }) => shown.document_id === documentId);
  }

  label() {
    const copies = this.members.length - 1;
    const name = nameOf(this.members[0]);
    const more = { name };
    this.place.setAttribute(
      "aria-label",
      copies ? ngettext("%(name)s, and %(num)s near duplicate", "%(name)s, and %(num)s near duplicates", copies, more) : name,
    );
  }

  giveBack() {
    this.members.pop()?.frame.remove();
    this.label();
  }

  fit() {
    for (const { frame } of this.members) {
      const body = frame.contentDocument?.body;
      if (body) frame.style.height = `${Math.ceil(body.getBoundingClientRect().height)}px`;
    }
  }

  /** Its height by itself; beside a higher one it may be stretched. */
  get height() {
    const border = this.place.offsetHeight - this.place.clientHeight;
    return this.members.reduce((sum, { frame }) => sum + frame.offsetHeight, this.foot.offsetHeight + border);
  }

  /** Whether a document, or code or a formula in it, is wider than its place, so that a part of it cannot be seen. */
  get isCut() {
    return this.members.some(({ wide }) => wide.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1));
  }

  /** @param {{kind: string | null, grade: number | null} | null} judgment @param {string} name of it, or what is said instead */
  showJudged(judgment, name) {
    this.place.toggleAttribute("data-judged", judgment !== null);
    if (this.named === name) return; // every key shows all cards: only what changed is laid out
    this.named = name;
    this.state.replaceChildren(...(judgment ? [shapeOf(judgment), name] : [name]));
  }
}

const nameOf = (/** @type {Member} */ { shown }) => shown.title || shown.document_id;
