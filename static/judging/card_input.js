/** What keys and buttons do on the page of cards. */
import { actionOfKey, clickedOn } from "./input.js";
import * as panel from "./panel.js";
import { step } from "./preferences.js";

/** @typedef {import("./cards.js").CardsPage} CardsPage */
/** @typedef {import("./input.js").Input} Input */

export class CardInputHandler {
  /** @param {CardsPage} page */
  constructor(page) {
    this.page = page;
    this.actions = actionsOf(page);
  }

  /** @param {string} name @returns {(() => void) | undefined} */
  actionOf(name) {
    return actionOfKey(this.page, this.actions, name);
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const target = event.target instanceof Element ? event.target : null;
    const place = target?.closest(".card");
    const card = place && this.page.stage.cards.find((one) => one.place === place);
    if (card && !target?.closest("a")) return this.page.choose(card);
    clickedOn(this.page, this.actions, event);
  }
}

/** What keys and buttons do besides grading, by name. @param {CardsPage} page @returns {Map<string, (input: Input) => void>} */
function actionsOf(page) {
  return new Map(
    Object.entries({
      "cannot tell": (/** @type {Input} */ input) => void page.cannotTell(input),
      later: () => void page.putOff(),
      undo: () => page.undo(),
      clear: (/** @type {Input} */ input) => page.clear(input),
      previous: () => page.look(-1),
      next: () => page.look(1),
      stay: () => void page.preferences.set("stay", !page.preferences.get("stay")),
      whole: () => page.stage.current && location.assign(page.stage.current.alone),
      larger: () => void step(page.preferences, 1),
      smaller: () => void step(page.preferences, -1),
      guidelines: () => panel.openDialog("guidelines"),
      history: () => location.assign(page.data.history_url),
      keys: panel.openKeys,
      preferences: () => panel.openDialog("preferences"),
      tour: () => {
        panel.closeDialogs();
        page.tour.start();
      },
    }),
  );
}
