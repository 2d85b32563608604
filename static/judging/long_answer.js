/**
 * An answer that is no single key: several labels, each turned on and off by its key, or a number that is typed. Enter saves it. It begins
 * with every document from what I said of that one.
 */
import { gettext } from "../messages.js";
import { byId, setAttribute } from "../elements.js";
import * as panel from "./panel.js";

/** @typedef {{counts?: number[], ends?: [number, number]} | null} HowAnswered the grade of each number of labels; or the ends of a number */
/** @typedef {(grade: number, input: Input, chosen: number | null) => unknown} Save */

const LONGEST = 5;

export class LongAnswer {
  /** @param {HowAnswered} how @param {Save} save @param {() => void} leave what has the focus when the field loses it */
  constructor(how, save, leave) {
    this.how = how;
    this.save = save;
    this.place = /** @type {HTMLElement} */ (byId("grades"));
    this.chosen = 0;
    this.isShown = false;
    // What is typed into the field is its own, and no key of the page; Enter on a label does not turn it, as on any box to tick.
    this.place.addEventListener("keydown", (event) => this.typed(event, leave), { capture: true });
  }

  get field() {
    return /** @type {HTMLInputElement | null} */ (this.place.querySelector("#weight"));
  }

  /** @param {KeyboardEvent} event @param {() => void} leave */
  typed(event, leave) {
    const isField = event.target === this.field;
    const isLabel = /** @type {HTMLElement} */ (event.target).dataset.label !== undefined;
    if (isField) event.stopPropagation();
    if (event.isComposing || !(event.key === "Enter" ? isField || isLabel : isField && event.key === "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter" && !event.repeat) this.give("key");
    leave();
  }

  /** A document is there, with what I said of it. @param {{grade: number | null, chosen?: number | null} | null} item */
  show(item) {
    this.chosen = item?.chosen ?? 0;
    if (this.field) this.field.value = item?.grade === undefined ? "" : String(item?.grade ?? "");
    this.isShown = true;
    this.paint();
  }

  paint() {
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (this.place.querySelectorAll("[data-label]"))) {
      setAttribute(button, "aria-checked", String((this.chosen & bitOf(Number(button.dataset.label))) !== 0));
    }
  }

  toggle(/** @type {number} */ label) {
    this.chosen ^= bitOf(label);
    this.paint();
  }

  /** What a key does to a number, or to save; nothing for others. @param {string} name @returns {(() => void) | undefined} */
  actionOf(name) {
    const { field, how } = this;
    if (!how) return undefined;
    if (name === "Enter") return () => this.give("key");
    if (!field || !how.ends) return undefined;
    if (/^[0-9]$/.test(name)) return () => this.type((this.isShown ? "" : field.value) + name);
    if (name === "-" && how.ends[0] < 0) return () => this.type(field.value.startsWith("-") ? field.value.slice(1) : `-${field.value}`);
    if (name === "Backspace" && field.value && !this.isShown) return () => this.type(field.value.slice(0, -1));
    return undefined;
  }

  type(/** @type {string} */ text) {
    if (!this.field || this.field.disabled) return;
    this.field.value = text.slice(0, LONGEST);
    this.isShown = false;
  }

  give(/** @type {Input} */ input) {
    const { chosen, how } = this;
    if (how?.counts) return void this.save(how.counts[bitsIn(chosen)], input, chosen);
    const [least, most] = how?.ends ?? [0, 0];
    const weight = numberIn(this.field?.value ?? "", most);
    if (weight === null || weight < least || weight > most)
      panel.showIgnored(gettext("Type a number from %(least)s to %(most)s, then Enter", { least: String(least), most: String(most) }));
    else void this.save(weight, input, null);
  }
}

const bitOf = (/** @type {number} */ label) => 1 << (label - 1);

function bitsIn(/** @type {number} */ set) {
  let number = 0;
  for (let rest = set; rest; rest &= rest - 1) number += 1;
  return number;
}

/** A whole number as it was typed; where none is above 0 it needs no sign. @param {string} text @param {number} most @returns {number | null} */
function numberIn(text, most) {
  const digits = text.trim().replace("−", "-");
  if (!/^[+-]?[0-9]{1,4}$/.test(digits)) return null;
  return most <= 0 ? 0 - Math.abs(Number(digits)) : Number(digits);
}
