/** The practice page: a document as on the judging page, with its marks, keys and note. A grade is a form, whose answer says what was right. */
import { gettext } from "../messages.js";
import { byId, pageData, setAttribute } from "../elements.js";
import { actionsAround, InputHandler } from "./input.js";
import { Keyboard } from "./keyboard.js";
import { keyListener } from "./keys.js";
import * as panel from "./panel.js";
import { Preferences, PreferencesDialog } from "./preferences.js";
import { Reading } from "./reading.js";
import { Terms } from "./terms.js";

class PracticePage {
  constructor(/** @type {any} */ data) {
    this.data = data;
    const owner = [data.campaign, data.account, "practice", data.topic_id].map(encodeURIComponent).join(":");
    this.preferences = new Preferences(data.preferences, data.account, (name) => this.preferred(name));
    this.keyboard = new Keyboard(byId("keyboard"), data.actions, this.preferences);
    this.onkeydown = keyListener((name) => this.actionOf(name));
    this.reading = new Reading(owner, this.preferences, (inside) => inside.document.addEventListener("keydown", this.onkeydown));
    this.viewer = this.reading.viewer;
    this.shown = /** @type {Shown | null} */ (null);
    this.terms = new Terms(
      data,
      () => this.markAgain(),
      () => this.viewer.focus(),
    );
    this.input = new InputHandler(this.keyboard, data.grades, (grade, input) => this.judge(grade, input), {
      ...actionsAround(this.preferences, data.history_url),
      ...this.reading.actions(() => this.shown !== null || this.onScreen() !== null),
    });
  }

  start() {
    panel.fitScreen();
    document.addEventListener("keydown", this.onkeydown);
    document.addEventListener("click", (event) => this.input.clicked(event));
    new PreferencesDialog(byId("preferences"), this.preferences);
    this.keyboard.labelPage();
    void this.show();
  }

  async show(/** @type {boolean} */ isAgain = false) {
    const kept = this.viewer.prepare(this.data.document_url);
    const shown = await kept.loaded;
    if (!shown) return this.viewer.tell(gettext("This document could not be loaded. Reload the page."));
    const painted = this.viewer.show(kept);
    this.reading.open(shown);
    if (!isAgain) this.reading.remarks.show(this.item);
    await painted;
    this.shown = shown;
    this.viewer.arrived(isAgain);
    this.reading.arrived();
    this.terms.count(shown);
    for (const button of document.querySelectorAll(".reading button")) setAttribute(button, "aria-disabled", "false");
  }

  /** What is written beside the document waits in this browser. @returns {Item} */
  get item() {
    return { document_id: this.data.document_id, state: "open", kind: null, grade: null, seq: null, near: null, later: false };
  }

  markAgain() {
    this.reading.hits.keepPlace();
    this.viewer.dropAll();
    void this.show(true);
  }

  /** @param {string} name @returns {(() => void) | undefined} */
  actionOf(name) {
    if (name === "Escape" && this.reading.find.isOpen) return () => this.reading.find.close();
    const isOnwards = name === "Enter" || this.keyboard.map.get(name) === "next";
    return isOnwards ? () => document.getElementById("onwards")?.click() : this.input.actionOf(name);
  }

  /** The document, once it has been on the screen for long enough; else it is said. */
  onScreen() {
    if (!this.viewer.seen) panel.showIgnored(gettext("Ignored: no document yet"));
    return this.viewer.seen ? this.shown : null;
  }

  /** A click on a grade sends the form by itself. @param {number} grade @param {Input} input */
  judge(grade, input) {
    const button = /** @type {HTMLButtonElement | null} */ (byId("grades").querySelector(`[data-grade="${grade}"]`));
    if (input === "key" && button && !button.disabled && this.onScreen()) button.click();
  }

  preferred(/** @type {string} */ name) {
    if (name === "opening") this.reading.prefer();
    if (name === "size" || name === "face") this.preferences.dress(this.viewer.inside);
  }
}

new PracticePage(pageData()).start();
