/** What an assessor says beside the grade: a note, and rationales. Both wait for the judgment, over reloads too. */
import { gettext, ngettext } from "../messages.js";
import { byId, element, hide, setAttribute } from "../elements.js";
import { colour, piecesIn, placed, rangesOf, selectedRange } from "./places.js";
import { firstWords, sentenceAround, wholeWords } from "./sentences.js";
import { Storage } from "../storage.js";

const SHOWN = 80;
/** What the server takes with one judgment: the most rationales, and the most characters of each. */
const MOST = 50;
const LONGEST = 5_000;
/** Characters of a note. A longer one that was pasted stays whole, so that its writer can shorten it. */
const LONGEST_NOTE = 10_000;
/** Milliseconds without a document after which nothing can be written. */
const LOCKED_AFTER = 40;

export const excessOf = (/** @type {string} */ note) => (note.length > LONGEST_NOTE ? Math.max(0, [...note].length - LONGEST_NOTE) : 0);

const keyOf = (/** @type {Rationale} */ { field, start, end }) => `${field}:${start}:${end}`;

export class Remarks {
  /** @param {string} owner @param {Viewer} viewer @param {Hits} hits @param {(why: string) => void} tell */
  constructor(owner, viewer, hits, tell) {
    this.viewer = viewer;
    this.hits = hits;
    this.tell = tell;
    this.drafts = new Storage(`workbench:remarks:${owner}:`);
    this.box = byId("note");
    this.button = byId("keep-remarks");
    this.list = byId("rationales");
    this.item = /** @type {Item | null} */ (null);
    this.rationales = /** @type {Rationale[]} */ ([]);
    this.stored = /** @type {Rationale[]} */ ([]);
    this.timer = 0;
    this.box.addEventListener("input", () => this.changed());
    this.box.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape" && !event.isComposing) viewer.focus();
    });
  }

  get note() {
    return this.box.value.trim();
  }

  get excess() {
    return excessOf(this.note);
  }

  focus() {
    this.box.focus();
  }

  show(/** @type {Item | null} */ item) {
    this.about(item);
    const draft = item && this.drafts.get(item.document_id);
    const note = draft?.note ?? item?.comment ?? "";
    // Setting a value lays the page out, even when it is the same.
    if (this.box.value !== note) this.box.value = note;
    this.stored = item?.rationales ?? [];
    this.rationales = draft?.rationales ?? this.stored;
    this.showRationales();
    this.showExcess();
    this.offer();
  }

  showExcess() {
    const words = this.excess
      ? ngettext(
          "The note is %(num)s characters too long: 10,000 can be stored. Shorten it.",
          "The note is %(num)s characters too long: 10,000 can be stored. Shorten it.",
          this.excess,
        )
      : "";
    if (byId("note-length").textContent === words) return;
    byId("note-length").textContent = words;
    setAttribute(this.box, "aria-invalid", String(Boolean(words)));
  }

  mark() {
    const { inside } = this.viewer;
    const view = inside?.defaultView;
    if (!view) return;
    this.stored = placed(inside, this.stored);
    this.rationales = placed(inside, this.rationales);
    colour(view, "rationale", rangesOf(view.document, this.rationales));
  }

  /** What is selected in the document; without a selection, the sentence of the marked word one has gone to. @returns {Rationale[]} */
  selected() {
    const { inside } = this.viewer;
    const { marked } = this.hits;
    const selected = inside && selectedRange(inside);
    const range = this.item ? ((selected && wholeWords(selected)) ?? (marked?.matches("mark") && sentenceAround(marked))) : null;
    return inside && range ? piecesIn(inside, range) : [];
  }

  /** Keeps what is selected. */
  keepSelection() {
    const { inside } = this.viewer;
    const pieces = this.selected();
    if (!pieces.length) return this.tell(gettext("Select some text first, or go to a marked word"));
    if (pieces.some(({ start, end }) => end - start > LONGEST)) return this.tell(gettext("A rationale can have at most 5,000 characters"));
    const known = new Set(this.rationales.map(keyOf));
    const rationales = [...this.rationales, ...pieces.filter((one) => !known.has(keyOf(one)))];
    if (rationales.length > MOST) return this.tell(gettext("A judgment can have at most 50 rationales"));
    this.rationales = rationales;
    inside?.getSelection()?.removeAllRanges();
    this.changed();
    this.showRationales();
    this.mark();
    if (!this.isJudged()) this.tell(gettext("Marked; it is saved with your grade"));
  }

  drop(/** @type {Rationale} */ rationale) {
    this.rationales = this.rationales.filter((one) => one !== rationale);
    this.changed();
    this.showRationales();
    this.mark();
    this.viewer.focus();
  }

  /** The document is left, unless it is shown again; a note that was not sent waits. @param {string | null} next */
  leave(next) {
    if (this.item?.document_id !== next) this.about(null);
  }

  /** What is written now is about this document; about none, nothing can be written. @param {Item | null} item */
  about(item) {
    this.item = item;
    clearTimeout(this.timer);
    // To lock the box draws the page, which would hold up a document that comes at once.
    if (item) this.lock(false);
    else this.timer = setTimeout(() => this.lock(true), LOCKED_AFTER);
  }

  lock(/** @type {boolean} */ isLocked) {
    if (this.box.readOnly !== isLocked) this.box.readOnly = isLocked;
  }

  sent() {
    if (this.item) this.drafts.remove(this.item.document_id);
    this.about(null);
  }

  /** A judgment was given up, and not what was said with it; its rationales may stand elsewhere now. @param {string} documentId @param {string} note */
  keepDraft(documentId, note) {
    if (note && !this.drafts.get(documentId)) this.drafts.put(documentId, { note, rationales: [] });
  }

  changed() {
    if (!this.item) return;
    if (this.differs()) this.drafts.put(this.item.document_id, { note: this.box.value, rationales: this.rationales });
    else this.drafts.remove(this.item.document_id);
    this.showExcess();
    this.offer();
  }

  isJudged() {
    return this.item?.state === "mine";
  }

  differs() {
    const stored = this.stored.map(keyOf).join(" ");
    return this.note !== (this.item?.comment ?? "") || this.rationales.map(keyOf).join(" ") !== stored;
  }

  /** What changed on a document that is judged already can be stored by itself. */
  offer() {
    hide(this.button, !this.isJudged() || !this.differs());
  }

  showRationales() {
    const rows = this.rationales.map((one) => {
      const drop = element("button", { type: "button", class: "drop", "aria-label": gettext("Remove this rationale") }, "×");
      drop.addEventListener("click", () => this.drop(one));
      return element("li", {}, element("q", { dir: "auto" }, firstWords(one.text, SHOWN)), drop);
    });
    if (rows.length || this.list.firstChild) this.list.replaceChildren(...rows);
    hide(this.list, rows.length === 0);
  }
}
