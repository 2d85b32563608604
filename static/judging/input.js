/** What keys and buttons do where documents are judged. */
import { gettext } from "../messages.js";
import * as panel from "./panel.js";
import { step } from "./preferences.js";

/** What one does several times in a row: here the second click of a double click counts. */
const REPEATED = ["next", "previous", "next hit", "larger", "smaller"];

export class InputHandler {
  /**
   * @param {Pick<Keyboard, "map">} keyboard the action of each key
   * @param {GradeButton[]} grades
   * @param {(grade: number, input: Input) => unknown} judge
   * @param {Actions} actions
   */
  constructor(keyboard, grades, judge, actions) {
    this.keyboard = keyboard;
    this.grades = grades;
    this.judge = judge;
    this.actions = new Map(Object.entries(actions));
  }

  add(/** @type {Actions} */ actions) {
    for (const [name, action] of Object.entries(actions)) this.actions.set(name, action);
  }

  /** What a key does: a grade, an action, or for another digit a remark. @param {string} name @returns {(() => void) | undefined} */
  actionOf(name) {
    const action = this.keyboard.map.get(name);
    const button = this.grades.find((one) => action === one.action);
    if (button) return () => void this.judge(button.grade, "key");
    if (/^[0-9]$/.test(name)) return () => panel.showIgnored(gettext("%(digit)s is not a grade of this campaign", { digit: name }));
    const run = action === undefined ? undefined : this.actions.get(action);
    return run && (() => void run("key"));
  }

  clicked(/** @type {MouseEvent} */ event) {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (!button) return;
    const { action = "", grade = button.dataset.label } = button.dataset;
    // The second click of a double click was meant for the document that is gone.
    if (event.detail > 1 && !REPEATED.includes(action)) {
      if (grade ?? action) panel.showIgnored(gettext("Second click ignored"));
    } else if (grade !== undefined) void this.judge(Number(grade), "button");
    else void this.actions.get(action)?.("button");
  }
}

/** What is done around the documents. @param {Preferences} preferences @param {string} history @returns {Actions} */
export function actionsAround(preferences, history) {
  return {
    history: () => location.assign(history),
    larger: () => step(preferences, 1),
    smaller: () => step(preferences, -1),
    guidelines: () => panel.openDialog("guidelines"),
    keys: panel.openKeys,
    preferences: () => panel.openDialog("preferences"),
  };
}
