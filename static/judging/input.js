/** What keys and buttons do on the judging page. */
import * as panel from "./panel.js";
import { step } from "./preferences.js";

/** @typedef {"key" | "button" | "same"} Input */
/** @typedef {import("./judge.js").JudgePage} JudgePage */

/** What one does several times in a row: here the second click of a double click counts. */
const REPEATED = ["next", "previous", "next hit", "larger", "smaller"];

export class InputHandler {
  /** @param {JudgePage} page */
  constructor(page) {
    this.page = page;
    this.actions = actionsOf(page);
  }

  /** @param {string} name @returns {(() => void) | undefined} */
  actionOf(name) {
    if (name === "Escape" && this.page.find.isOpen) return () => this.page.find.close();
    if (name === "Escape" && this.page.wayBack.isOpen) return () => this.page.wayBack.leave();
    return actionOfKey(this.page, this.actions, name);
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    clickedOn(this.page, this.actions, event);
  }
}

/**
 * What a click on a button does on a page where documents are judged.
 *
 * @param {JudgePage | import("./cards.js").CardsPage} page
 * @param {Map<string, (input: Input) => void>} actions
 * @param {MouseEvent} event
 */
export function clickedOn(page, actions, event) {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  if (!button) return;
  // The second click of a double click was meant for the document that is gone.
  if (event.detail > 1 && !REPEATED.includes(button.dataset.action ?? "")) {
    if (button.dataset.grade ?? button.dataset.action) panel.showIgnored("Second click ignored");
    return;
  }
  if (button.dataset.grade !== undefined) void page.judge("grade", Number(button.dataset.grade), "button");
  else if (button.dataset.action) actions.get(button.dataset.action)?.("button");
}

/**
 * What a key does on a page where documents are judged: a grade, an action, or for another digit a remark.
 *
 * @param {JudgePage | import("./cards.js").CardsPage} page
 * @param {Map<string, (input: Input) => void>} actions
 * @param {string} name the key
 * @returns {(() => void) | undefined}
 */
export function actionOfKey(page, actions, name) {
  const action = page.keyboard.map.get(name);
  const button = page.data.grades.find((/** @type {panel.GradeButton} */ one) => action === `grade ${one.grade}`);
  if (button) return () => void page.judge("grade", button.grade, "key");
  if (/^[0-9]$/.test(name)) return () => panel.showIgnored(`${name} is not a grade of this campaign`);
  const run = action === undefined ? undefined : actions.get(action);
  return run && (() => run("key"));
}

/** What keys and buttons do besides grading, by name. @param {JudgePage} page @returns {Map<string, (input: Input) => void>} */
function actionsOf(page) {
  /** Without a document nothing is done within it, and it is said why. @param {() => void} action */
  const within = (action) => () => (page.reader.shown ? action() : void page.onScreen());
  return new Map(
    Object.entries({
      "cannot tell": (/** @type {Input} */ input) => void page.cannotTell(input),
      "same as before": (/** @type {Input} */ input) => page.sameAsBefore(input),
      later: () => page.putOff(),
      undo: () => page.undo(),
      clear: (/** @type {Input} */ input) => page.clear(input),
      previous: () => page.look(-1),
      next: () => page.look(1),
      note: within(() => page.remarks.focus()),
      rationale: within(() => page.remarks.keepSelection()),
      "keep remarks": (/** @type {Input} */ input) => page.keepRemarks(input),
      stay: () => page.preferences.set("stay", !page.preferences.get("stay")),
      "next hit": within(() => page.hits.jump(1)),
      "previous hit": within(() => page.hits.jump(-1)),
      whole: within(() => page.hits.toggleWhole()),
      folds: within(() => page.folds.toggle()),
      find: within(() => page.find.open()),
      larger: () => void step(page.preferences, 1),
      smaller: () => void step(page.preferences, -1),
      guidelines: () => panel.openDialog("guidelines"),
      history: () => location.assign(page.data.history_url),
      tour: () => {
        panel.closeDialogs();
        page.tour.start();
      },
      keys: panel.openKeys,
      preferences: () => panel.openDialog("preferences"),
    }),
  );
}
