/** What is at hand while one document is read: its marked words, its folded parts, finding in it, and what is written of it. */
import { byId } from "../elements.js";
import { Find } from "./find.js";
import { Folds } from "./folds.js";
import { Hits } from "./hits.js";
import * as panel from "./panel.js";
import { Remarks } from "./remarks.js";
import { Viewer } from "./viewer.js";

export class Reading {
  /**
   * @param {string} owner what tells this campaign, account and topic from others
   * @param {Preferences} preferences
   * @param {(inside: Window) => void} onframe called for every frame, once its document is there
   * @param {(address: string) => string | null} [held] the document of an address, if it was fetched before
   */
  constructor(owner, preferences, onframe, held) {
    this.preferences = preferences;
    this.onframe = onframe;
    this.viewer = new Viewer(byId("document"), byId("stage"), (inside) => this.loaded(inside), held);
    this.hits = new Hits(this.viewer, panel.say);
    this.folds = new Folds(owner, this.viewer, panel.say);
    this.find = new Find(this.viewer, this.hits);
    this.remarks = new Remarks(owner, this.viewer, this.hits, panel.say);
    this.viewer.onsigns.push(() => this.folds.look());
    this.prefer();
  }

  prefer() {
    this.hits.opensPassage = this.preferences.get("opening") === "passage";
  }

  /** A frame has its document, and shows its text as large as wished. @param {Window} inside */
  loaded(inside) {
    this.onframe(inside);
    this.preferences.dress(inside.document);
    this.hits.watch(inside);
    this.folds.watch(inside.document);
  }

  open(/** @type {Shown} */ shown) {
    this.folds.open(shown.document_id);
    this.hits.open(shown);
  }

  arrived() {
    this.hits.arrived();
    this.remarks.mark();
  }

  leave(/** @type {string | null} */ next) {
    this.folds.leave();
    this.find.leave();
    this.remarks.leave(next);
  }

  /** What keys and buttons do within a document. @param {() => boolean} isShown whether there is one; it says why not @returns {Actions} */
  actions(isShown) {
    const { hits, folds, find, remarks } = this;
    const within = (/** @type {() => unknown} */ action) => () => void (isShown() && action());
    return {
      note: within(() => remarks.focus()),
      rationale: within(() => remarks.keepSelection()),
      "next hit": within(() => hits.jump(1)),
      "previous hit": within(() => hits.jump(-1)),
      whole: within(() => hits.toggleWhole()),
      folds: within(() => folds.toggle()),
      find: within(() => find.open()),
    };
  }
}
