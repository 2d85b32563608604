/** Why an assessor cannot tell: one more key chooses a reason of the campaign's list, which is the first line of the note. */
import { namesOf } from "./keys.js";

export class CannotTell {
  /** @param {string[]} reasons @param {(name: string) => string | undefined} actionOf the action of a key */
  constructor(reasons, actionOf) {
    this.reasons = reasons;
    this.actionOf = actionOf;
    this.dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById("reasons"));
    /** @type {(reason: string | null) => void} */
    this.answer = () => {};
    this.dialog?.addEventListener("keydown", (event) => this.pressed(event));
    this.dialog?.addEventListener("click", (event) => this.clicked(event));
    // Said a moment after it closes, when it may be open once more.
    this.dialog?.addEventListener("close", () => this.dialog?.open || this.answer(null));
  }

  /** The reason that is chosen, "" for none; null when the assessor leaves without one. @returns {Promise<string | null>} */
  ask() {
    const { dialog } = this;
    if (!dialog) return Promise.resolve("");
    this.answer(null);
    return new Promise((answer) => {
      this.answer = answer;
      dialog.showModal();
    });
  }

  pressed(/** @type {KeyboardEvent} */ event) {
    if (event.repeat || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    const names = namesOf(event);
    const chosen = names.map((name) => this.reasons[Number(name) - 1]).find(Boolean);
    const isAgain = names.some((name) => this.actionOf(name) === "cannot tell");
    if (chosen === undefined && !isAgain) return;
    event.preventDefault();
    this.choose(chosen ?? "");
  }

  clicked(/** @type {MouseEvent} */ { target }) {
    const button = target instanceof Element ? target.closest("button[data-reason]") : null;
    if (button instanceof HTMLElement) this.choose(button.dataset.reason ?? "");
  }

  choose(/** @type {string} */ reason) {
    this.answer(reason);
    this.dialog?.close();
  }

  /**
   * The note of a judgment with its reason in the first line, in place of the reason of a judgment before it.
   * @param {string} reason @param {string} note @param {boolean} hadReason whether the document was judged so before
   */
  note(reason, note, hadReason) {
    const [first, ...more] = note.split("\n");
    const rest = hadReason && this.reasons.includes(first) ? more.join("\n") : note;
    return [reason, rest.trim()].filter(Boolean).join("\n");
  }
}
