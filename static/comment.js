/** The comment beside a document: what is typed waits for the judgment, also while one looks elsewhere. */
import { byId } from "./elements.js";

export class CommentBox {
  /** @param {() => void} onescape */
  constructor(onescape) {
    this.box = byId("comment");
    this.button = byId("keep-comment");
    /** Comments that were typed and not sent, by document. @type {Map<string, string>} */
    this.drafts = new Map();
    /** @type {import("./queue.js").Item | null} */
    this.item = null;
    this.box.addEventListener("input", () => this.offer());
    this.box.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape" && !event.isComposing) onescape();
    });
  }

  get text() {
    return this.box.value.trim();
  }

  focus() {
    this.box.focus();
  }

  /** Shows the comment of a document, or none. @param {import("./queue.js").Item | null} item */
  show(item) {
    this.item = item;
    this.box.value = item ? (this.drafts.get(item.document_id) ?? item.comment ?? "") : "";
    this.offer();
  }

  /** Remembers what was typed; the document is left without a judgment. */
  leave() {
    if (this.item && this.text !== (this.item.comment ?? "")) this.drafts.set(this.item.document_id, this.box.value);
    this.item = null;
  }

  /** The comment went with a judgment. */
  sent() {
    if (this.item) this.drafts.delete(this.item.document_id);
    this.item = null;
  }

  /** A changed comment of a document that is judged already can be stored by itself. */
  offer() {
    this.button.hidden = this.item?.state !== "mine" || this.text === (this.item.comment ?? "");
  }
}
