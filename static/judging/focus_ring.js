/** Shows that Tab has led into a document: the style sheet of a page cannot see the focus inside a frame. */

export class FocusRing {
  constructor(/** @type {HTMLElement} */ stage) {
    this.stage = stage;
    this.isByTab = false;
    this.watchKeys(document);
    // Where Tab leads to the stage itself it does not lead into a document: see quiet_frames.js.
    addEventListener("focusin", ({ target }) =>
      stage.toggleAttribute("data-tabbed", this.isByTab && target === stage && stage.tabIndex === 0),
    );
  }

  watch(/** @type {Window} */ inside) {
    this.watchKeys(inside.document);
    inside.addEventListener("focus", () => this.stage.toggleAttribute("data-tabbed", this.isByTab));
    inside.addEventListener("blur", () => this.hide());
  }

  hide() {
    this.stage.removeAttribute("data-tabbed");
  }

  watchKeys(/** @type {Document} */ place) {
    place.addEventListener("keydown", ({ key }) => (this.isByTab = key === "Tab"), { capture: true });
    place.addEventListener("pointerdown", () => (this.isByTab = false), { capture: true });
  }
}
