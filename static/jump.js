/** The jump field: one key opens a dialog that finds pages, topics, runs, people and documents of the campaign; Enter opens the marked one. */
import { gettext } from "./messages.js";
import { element } from "./elements.js";
import { getJson } from "./session.js";
import { Storage } from "./storage.js";

/** Milliseconds without a key after which is asked. */
const PAUSE = 120;

/** @typedef {{kind: string, name: string, note: string, address: string}} Target */

/** Whether a key goes to what is typed, or to an open dialog, rather than to the page. @param {EventTarget | null} place */
function isTaken(place) {
  if (document.querySelector("dialog[open]")) return true;
  return place instanceof HTMLElement && (place.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(place.tagName));
}

export class Jump {
  /** @param {HTMLElement} way the button that opens it, with the address that answers */
  constructor(way) {
    this.address = /** @type {string} */ (way.dataset.address);
    this.list = element("ul", { id: "jump-list", role: "listbox", "aria-label": gettext("Found") });
    this.said = element("p", { class: "hint", role: "status" });
    this.field = element("input", {
      type: "text",
      inputmode: "search",
      role: "combobox",
      maxlength: "200",
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: "false",
      "aria-label": gettext("Jump to"),
      "aria-controls": "jump-list",
      "aria-expanded": "true",
      "aria-autocomplete": "list",
      placeholder: gettext("Name or id"),
    });
    /** Whether "/" opens it in this browser: a single key can be turned off. */
    this.chosen = new Storage("workbench:jump:");
    this.slash = element("input", { type: "checkbox" });
    this.slash.checked = this.chosen.get("slash") !== false;
    const choice = element("label", {}, this.slash, gettext("Also open with the key /"));
    this.dialog = element("dialog", { class: "jump", "aria-label": gettext("Jump to") }, this.field, this.list, this.said, choice);
    document.body.append(this.dialog);
    /** @type {Target[]} */
    this.targets = [];
    this.marked = 0;
    this.asked = 0;
    /** What was typed for the targets that are shown. @type {string | null} */
    this.shown = null;
    this.timer = 0;
    way.hidden = false;
    way.addEventListener("click", () => this.open());
    document.addEventListener("keydown", (event) => this.pressedOnPage(event));
    this.field.addEventListener("keydown", (event) => this.pressed(event));
    this.field.addEventListener("input", () => {
      if (this.timer) clearTimeout(this.timer);
      this.timer = setTimeout(() => this.find(), PAUSE);
    });
    this.slash.addEventListener("change", () => this.chosen.put("slash", this.slash.checked));
    this.dialog.addEventListener("click", ({ target }) => target === this.dialog && this.dialog.close());
  }

  open() {
    if (this.dialog.open) return;
    this.dialog.showModal();
    this.field.select();
    void this.find();
  }

  pressedOnPage(/** @type {KeyboardEvent} */ event) {
    const isChord = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k";
    const isSlash = this.slash.checked && event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTaken(event.target);
    if (event.defaultPrevented || !(isSlash || (isChord && !document.querySelector("dialog[open]")))) return;
    event.preventDefault();
    this.open();
  }

  /** Asks for what is typed; an answer to what was typed before is dropped. */
  async find() {
    const number = ++this.asked;
    const typed = this.field.value;
    try {
      const { status, body } = await getJson(`${this.address}?${new URLSearchParams({ q: typed })}`);
      if (number !== this.asked) return;
      this.shown = typed;
      this.show(status === 200 ? body.targets : [], status === 200 ? gettext("Nothing found.") : body.message);
    } catch {
      if (number === this.asked) this.show([], gettext("The server does not answer."));
    }
  }

  show(/** @type {Target[]} */ targets, /** @type {string} */ otherwise) {
    this.targets = targets;
    this.said.textContent = targets.length ? "" : otherwise;
    this.list.replaceChildren(...targets.map((target, place) => this.line(target, place)));
    this.mark(0);
  }

  line(/** @type {Target} */ { kind, name, note, address }, /** @type {number} */ place) {
    const words = [element("bdi", {}, name), " ", element("span", { class: "jump-note", dir: "auto" }, note), " "];
    const line = element("li", { id: `jump-${place}`, role: "option" }, ...words, element("span", { class: "jump-kind" }, kind));
    line.addEventListener("click", () => location.assign(address));
    line.addEventListener("pointermove", () => this.mark(place));
    return line;
  }

  /** Marks the option that Enter opens. */
  mark(/** @type {number} */ place) {
    this.marked = place;
    for (const [at, line] of [...this.list.children].entries()) line.setAttribute("aria-selected", String(at === place));
    const line = this.list.children[place];
    this.field.setAttribute("aria-activedescendant", line?.id ?? "");
    line?.scrollIntoView({ block: "nearest" });
  }

  pressed(/** @type {KeyboardEvent} */ event) {
    const { length } = this.targets;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.isComposing || !(step || event.key === "Enter")) return;
    event.preventDefault();
    if (!step) void this.enter();
    else if (length) this.mark((this.marked + step + length) % length);
  }

  /** Opens the marked target; what was typed a moment ago is found first. */
  async enter() {
    if (this.timer) clearTimeout(this.timer);
    if (this.shown !== this.field.value) await this.find();
    const target = this.targets[this.marked];
    if (target && this.shown === this.field.value) location.assign(target.address);
  }
}
