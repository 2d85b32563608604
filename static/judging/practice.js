/** The practice page: a document as on the judging page, with its marks, keys and note. A grade is a form, whose answer says what was right. */
import { byId, pageData, setAttribute } from "../elements.js";
import { Find } from "./find.js";
import { Folds } from "./folds.js";
import { Hits } from "./hits.js";
import { InputHandler } from "./input.js";
import { Keyboard } from "./keyboard.js";
import { keyListener } from "./keys.js";
import * as panel from "./panel.js";
import { Preferences, PreferencesDialog } from "./preferences.js";
import { Remarks } from "./remarks.js";
import { Terms } from "./terms.js";
import { Viewer } from "./viewer.js";

/** @typedef {import("./viewer.js").Shown} Shown */

class PracticePage {
  /** @param {any} data what the server put into the page */
  constructor(data) {
    this.data = data;
    const owner = [data.campaign, data.account, "practice", data.topic_id].map(encodeURIComponent).join(":");
    this.preferences = new Preferences(data.preferences, data.account, (name) => this.preferred(name));
    this.keyboard = new Keyboard(byId("keyboard"), data.actions, this.preferences);
    this.onkeydown = keyListener((name) => this.actionOf(name));
    this.viewer = new Viewer(byId("document"), byId("stage"), (inside) => this.frameLoaded(inside));
    this.hits = new Hits(this.viewer, panel.say);
    this.folds = new Folds(owner, this.viewer, panel.say);
    this.find = new Find(this.viewer, this.hits);
    this.remarks = new Remarks(owner, this.viewer, this.hits, panel.say);
    this.terms = new Terms(
      data,
      () => this.markAgain(),
      () => this.viewer.focus(),
    );
    /** What `InputHandler` asks of a page. */
    this.reader = { shown: /** @type {Shown | null} */ (null) };
    this.wayBack = { isOpen: false };
    this.input = new InputHandler(/** @type {any} */ (this));
    for (const { name, unlisted } of data.actions) if (unlisted) this.input.actions.delete(name);
  }

  start() {
    panel.fitScreen();
    document.addEventListener("keydown", this.onkeydown);
    document.addEventListener("click", (event) => this.input.clicked(event));
    new PreferencesDialog(byId("preferences"), this.preferences);
    this.keyboard.labelPage();
    this.hits.opensPassage = this.preferences.get("opening") === "passage";
    void this.show();
  }

  /** @param {boolean} [isAgain] whether the document is on the screen, and comes with other marks */
  async show(isAgain = false) {
    const kept = this.viewer.prepare(this.data.document_url);
    const shown = await kept.loaded;
    if (!shown) return this.viewer.tell("This document could not be loaded. Reload the page.");
    const painted = this.viewer.show(kept);
    this.folds.open(shown.document_id);
    this.hits.open(shown);
    if (!isAgain) this.remarks.show(this.item);
    await painted;
    this.reader.shown = shown;
    this.viewer.arrived(isAgain);
    this.hits.arrived();
    this.remarks.mark();
    this.terms.count(shown);
    for (const button of document.querySelectorAll(".reading button")) setAttribute(button, "aria-disabled", "false");
  }

  /** What is written beside the document waits in this browser. @returns {import("./queue.js").Item} */
  get item() {
    return { document_id: this.data.document_id, state: "open", kind: null, grade: null, seq: null, near: null, later: false };
  }

  /** @param {Window} inside */
  frameLoaded(inside) {
    inside.document.addEventListener("keydown", this.onkeydown);
    this.preferences.dress(inside.document);
    this.hits.watch(inside);
    this.folds.watch(inside.document);
  }

  markAgain() {
    this.hits.keepPlace();
    this.viewer.dropAll();
    void this.show(true);
  }

  /** @param {string} name of the key @returns {(() => void) | undefined} */
  actionOf(name) {
    const isOnwards = name === "Enter" || this.keyboard.map.get(name) === "next";
    return isOnwards ? () => document.getElementById("onwards")?.click() : this.input.actionOf(name);
  }

  /** The document, once it has been on the screen for long enough; else it is said. */
  onScreen() {
    if (!this.viewer.seen) panel.showIgnored("Ignored: no document yet");
    return this.viewer.seen ? this.reader.shown : null;
  }

  /** A click on a grade sends the form by itself. @param {string} _ @param {number} grade @param {import("./input.js").Input} input */
  judge(_, grade, input) {
    const button = /** @type {HTMLButtonElement | null} */ (byId("grades").querySelector(`[data-grade="${grade}"]`));
    if (input === "key" && button && !button.disabled && this.onScreen()) button.click();
  }

  /** @param {string} name */
  preferred(name) {
    if (name === "opening") this.hits.opensPassage = this.preferences.get(name) === "passage";
    if (name === "size" || name === "face") this.preferences.dress(this.viewer.inside);
  }
}

new PracticePage(pageData()).start();
