/**
 * The keys of one assessor: which there are, and how they are changed. The first key of an action can be changed; its further ones stay,
 * unless another action is given them. The server checks by the same rule (web/keys.py).
 */
import { gettext, withNodes } from "../messages.js";
import { element } from "../elements.js";
import { namesOf } from "./keys.js";

/** @typedef {Record<string, string>} OwnKeys the changed key of each action; "" is none */
/** @typedef {Map<string, string>} KeyMap the action of each key */

const NAMED = ["Backspace", "Enter", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];
const SHOWN = new Map(Object.entries({ ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", N: "Shift N" }));

/** Whether an action can have this key: a sign or small letter, or a key of NAMED; never a digit. @param {string} key */
function isPossible(key) {
  return NAMED.includes(key) || /^[^\p{Nd}\p{Z}\p{C}A-MO-Z]$/u.test(key);
}

/** The keys that can be changed come first. @param {Action[]} actions @param {OwnKeys} own @returns {KeyMap} */
export function keyMap(actions, own) {
  const map = /** @type {KeyMap} */ (new Map());
  for (const { name, keys } of actions) {
    const key = own[name] ?? keys[0] ?? "";
    if (key) map.set(key, name);
  }
  for (const { name, keys } of actions) {
    for (const further of keys.slice(1)) if (!map.has(further)) map.set(further, name);
  }
  return map;
}

export function shownKey(/** @type {string} */ key) {
  return SHOWN.get(key) ?? key;
}

/** The keys of an action, the one that can be changed first. @param {KeyMap} map @param {string | undefined} action */
const keysOf = (map, action) => [...map].filter(([, name]) => name === action).map(([key]) => key);

/** Writes the keys onto the page: into what carries `data-key-of`, and for screen readers onto its button or link. */
export function labelKeys(/** @type {KeyMap} */ map) {
  for (const sign of document.querySelectorAll("[data-key-of]")) {
    const keys = keysOf(map, /** @type {HTMLElement} */ (sign).dataset.keyOf);
    sign.textContent = shownKey(keys[0] ?? "");
    sign.toggleAttribute("hidden", keys.length === 0);
    const button = sign.closest("button, a");
    if (keys.length) button?.setAttribute("aria-keyshortcuts", keys.map((key) => (key === "N" ? "Shift+N" : key)).join(" "));
    else button?.removeAttribute("aria-keyshortcuts");
  }
}

export class Keyboard {
  constructor(/** @type {HTMLElement} */ place, /** @type {Action[]} */ actions, /** @type {Preferences} */ preferences) {
    this.place = place;
    this.actions = actions;
    this.listed = actions.filter(({ unlisted }) => !unlisted);
    this.preferences = preferences;
    /** The action that waits for its new key. @type {Action | null} */
    this.changing = null;
    this.status = element("p", { class: "keyboard-status", role: "status" });
    this.list = element("div");
    this.usual = this.button(gettext("Restore default keys"), () => void this.save({}, gettext("The default keys are restored.")));
    place.replaceChildren(this.status, this.list, this.usual);
    place.closest("dialog")?.addEventListener("keydown", (event) => this.pressed(event), { capture: true });
    place.closest("dialog")?.addEventListener("cancel", (event) => this.changing && event.preventDefault());
    place.closest("dialog")?.addEventListener("close", () => this.leave());
    preferences.listen((name) => {
      if (name === "keys") this.show();
    });
    this.show();
  }

  /** @returns {OwnKeys} */
  get own() {
    return this.preferences.get("keys");
  }

  get map() {
    return keyMap(this.actions, this.own);
  }

  /** The key of an action that can be changed, "" for none. @param {Action} action */
  firstOf({ name, keys }) {
    return this.own[name] ?? keys[0] ?? "";
  }

  show() {
    const groups = [...new Set(this.listed.map((action) => action.group))];
    this.list.replaceChildren(...groups.map((group) => this.group(group)));
    this.usual.hidden = Object.keys(this.own).length === 0;
    this.labelPage();
  }

  labelPage() {
    labelKeys(this.map);
  }

  group(/** @type {string} */ name) {
    const rows = this.listed.filter((action) => action.group === name).map((action) => this.row(action));
    return element("section", { class: "keyboard-group", "aria-label": name }, element("h3", {}, name), ...rows);
  }

  row(/** @type {Action} */ action) {
    const isChanging = this.changing === action;
    const keys = keysOf(this.map, action.name).map((key) => element("kbd", {}, shownKey(key)));
    const sign = isChanging ? [element("span", { class: "keyboard-wanted" }, gettext("press a key"))] : keys;
    const ways = isChanging ? [this.button("No key", () => this.take(action, "")), this.button("Cancel", () => this.leave())] : [];
    if (!isChanging && !action.fixed)
      ways.push(this.button(gettext("Change"), () => this.ask(action), gettext("Change the key of: %(action)s", { action: action.label })));
    return element(
      "div",
      { class: "keyboard-row", "data-row": action.name, "data-changing": isChanging },
      element("span", { class: "keyboard-keys" }, ...sign),
      element("span", { class: "keyboard-label", dir: "auto" }, action.label),
      element("span", { class: "keyboard-ways" }, ...ways),
    );
  }

  /** @param {string} text @param {() => void} action @param {string} [label] */
  button(text, action, label) {
    const made = element("button", { type: "button", class: "link", "aria-label": label }, text);
    made.addEventListener("click", action);
    return made;
  }

  ask(/** @type {Action} */ action) {
    this.changing = action;
    this.say(gettext("Press the new key of “%(action)s”. Esc cancels.", { action: action.label }));
    this.show();
    /** @type {HTMLElement | null} */ (this.list.querySelector("[data-changing] button:last-of-type"))?.focus();
  }

  leave() {
    const left = this.changing;
    this.changing = null;
    this.say("");
    this.show();
    if (left) this.focusOn(left);
  }

  pressed(/** @type {KeyboardEvent} */ event) {
    const action = this.changing;
    if (
      !action ||
      event.isComposing ||
      event.repeat ||
      ["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock", "Tab"].includes(event.key)
    )
      return;
    const isOnButton = event.target instanceof HTMLButtonElement && [" ", "Enter"].includes(event.key);
    if (isOnButton && event.key === " ") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") return this.leave();
    if (event.ctrlKey || event.altKey || event.metaKey)
      return this.say(gettext("Keys cannot be combined with Ctrl, Alt or similar. Press another key."));
    const [exact, other] = namesOf(event);
    const key = /^[A-MO-Z]$/.test(exact) ? other : exact;
    if (!isPossible(key))
      return this.say(
        /^\p{Nd}$/u.test(key)
          ? gettext("A digit always gives its grade. Press another key.")
          : gettext("%(key)s cannot be changed. Press another key.", { key: key === " " ? gettext("Space") : key }),
      );
    this.take(action, key);
  }

  /** Gives an action its key, if no other has it. @param {Action} action @param {string} key */
  take(action, key) {
    const holder = this.actions.find((other) => other !== action && this.firstOf(other) === key);
    if (key && holder) return this.offerSwap(action, holder, key);
    const keys = { ...this.own, [action.name]: key };
    if (key === (action.keys[0] ?? "")) delete keys[action.name];
    void this.save(
      keys,
      key
        ? gettext("%(key)s is now the key of “%(action)s”.", { key: shownKey(key), action: action.label })
        : gettext("“%(action)s” now has no key.", { action: action.label }),
    );
  }

  offerSwap(/** @type {Action} */ action, /** @type {Action} */ holder, /** @type {string} */ key) {
    if (holder.fixed)
      return this.say(gettext("%(key)s is always “%(action)s”. Press another key.", { key: shownKey(key), action: holder.label }));
    const first = this.firstOf(action);
    const keys = { ...this.own, [action.name]: key, [holder.name]: first };
    const labels = { action: action.label, holder: holder.label };
    const done = first
      ? gettext("“%(action)s” and “%(holder)s” swapped keys.", labels)
      : gettext("“%(holder)s” gave its key to “%(action)s”.", labels);
    const swap = this.button(first ? gettext("Swap") : gettext("Take it"), () => void this.save(keys, done));
    const asked = gettext("%(key)s is the key of “%(action)s”. %(swap)s, or press another key.", {
      key: shownKey(key),
      action: holder.label,
    });
    this.status.replaceChildren(...withNodes(asked, { swap }));
    swap.focus();
  }

  async save(/** @type {OwnKeys} */ keys, /** @type {string} */ done) {
    const action = this.changing;
    this.changing = null;
    const saved = this.preferences.set("keys", keys);
    this.say(done);
    if (action) this.focusOn(action);
    const refused = await saved;
    if (refused) this.say(refused);
  }

  focusOn(/** @type {Action} */ action) {
    /** @type {HTMLElement | null} */ (this.list.querySelector(`[data-row="${CSS.escape(action.name)}"] button`))?.focus();
  }

  say(/** @type {string} */ text) {
    this.status.textContent = text;
  }
}
