/**
 * How one assessor likes the judging page. A change applies immediately, is kept in this browser until the server has it,
 * and goes to the server when it can.
 */
import { gettext } from "../messages.js";
import { postJson } from "../session.js";
import { Storage } from "../storage.js";

const AGAIN = 15_000;

/** @typedef {{campaign: string, url: string, values: Record<string, any>}} Data `values`: every preference there is */
/** @typedef {(name: string, value: any) => void} Changed */

export class Preferences {
  /** @param {Data} data @param {string} account @param {Changed} onchange called for each change, not for what is there first */
  constructor({ campaign, url, values }, account, onchange) {
    this.url = url;
    this.account = account;
    this.stored = { ...values };
    this.listeners = /** @type {Changed[]} */ ([onchange]);
    /** Changes that the server does not have yet, by name. */
    this.unsent = new Storage(`preferences:${encodeURIComponent(campaign)}:${encodeURIComponent(account)}:`);
    this.sending = /** @type {Promise<string> | null} */ (null);
    this.timer = 0;
    addEventListener("online", () => void this.send());
    if (this.waiting().length) void this.send();
  }

  /** @param {string} name @returns {any} */
  get(name) {
    const unsent = this.unsent.get(name);
    return unsent?.value === undefined ? this.stored[name] : unsent.value;
  }

  /** Changes a preference here and now; the answer is a sentence when the server refused it, else "". @returns {Promise<string>} */
  async set(/** @type {string} */ name, /** @type {any} */ value) {
    this.unsent.put(name, { value });
    this.tell(name);
    return this.send();
  }

  dress(/** @type {Document | null} */ inside) {
    const style = inside?.documentElement.style;
    style?.setProperty("--size", `${this.get("size")}px`);
    style?.setProperty("--face", `var(--${this.get("face")})`);
  }

  listen(/** @type {Changed} */ listener) {
    this.listeners.push(listener);
  }

  /** Sends what waits, once what is on its way has been answered. @returns {Promise<string>} */
  async send() {
    while (this.sending) await this.sending;
    this.sending = this.sendWaiting();
    try {
      return await this.sending;
    } finally {
      this.sending = null;
    }
  }

  /** @returns {Promise<string>} */
  async sendWaiting() {
    clearTimeout(this.timer);
    let refused = "";
    for (let names = this.waiting(); names.length; names = this.waiting()) {
      const values = Object.fromEntries(names.map((name) => [name, this.get(name)]));
      const answer = await postJson(this.url, values, this.account).catch(() => null);
      if (answer?.status === 200) this.accept(values, answer.body);
      else if (answer?.status === 422) refused = this.giveUp(answer.body.field in values ? [answer.body.field] : names, answer.body);
      else {
        if (!answer || answer.status >= 500) this.timer = setTimeout(() => void this.send(), AGAIN);
        break;
      }
    }
    return refused;
  }

  /** The names of changes that the server does not have, and that this page knows. */
  waiting() {
    return this.unsent.names().filter((name) => name in this.stored);
  }

  accept(/** @type {Record<string, any>} */ sent, /** @type {Record<string, any>} */ stored) {
    const same = (/** @type {any} */ one, /** @type {any} */ other) => JSON.stringify(one) === JSON.stringify(other);
    Object.assign(this.stored, stored);
    // What was changed again meanwhile still has to be sent.
    for (const [name, value] of Object.entries(sent)) if (same(value, this.unsent.get(name)?.value)) this.unsent.remove(name);
  }

  /** The server's values count again. @param {string[]} names @param {{message?: string}} answer */
  giveUp(names, answer) {
    for (const name of names) {
      this.unsent.remove(name);
      this.tell(name);
    }
    return answer.message ?? gettext("The server did not accept this.");
  }

  tell(/** @type {string} */ name) {
    for (const listener of this.listeners) listener(name, this.get(name));
  }
}

/** Connects the dialog with the preferences: each field is named after one. */
export class PreferencesDialog {
  constructor(/** @type {HTMLDialogElement} */ dialog, /** @type {Preferences} */ preferences) {
    this.dialog = dialog;
    this.preferences = preferences;
    this.form = /** @type {HTMLFormElement} */ (dialog.querySelector("form"));
    this.form.addEventListener("change", (event) => this.changed(/** @type {HTMLInputElement} */ (event.target)));
    this.form.addEventListener("click", (event) => this.clicked(/** @type {Element} */ (event.target)));
    preferences.listen(() => this.show());
    this.show();
  }

  open() {
    this.show();
    this.dialog.showModal();
  }

  show() {
    for (const field of this.form.querySelectorAll("input")) {
      const value = this.preferences.get(field.name);
      if (field.type === "checkbox") field.checked = value;
      else if (field.type === "number") field.value = value ?? "";
      else field.checked = field.value === value;
    }
    const size = this.preferences.get("size");
    const [smaller, larger] = this.form.querySelectorAll("[data-step]");
    /** @type {HTMLElement} */ (this.form.querySelector("[data-size]")).textContent = `${size} px`;
    /** @type {HTMLButtonElement} */ (smaller).disabled = stepped(size, -1) === size;
    /** @type {HTMLButtonElement} */ (larger).disabled = stepped(size, 1) === size;
  }

  changed(/** @type {HTMLInputElement} */ field) {
    if (!field.checkValidity()) return void field.reportValidity();
    const number = field.value === "" ? null : Number(field.value);
    const value = field.type === "checkbox" ? field.checked : field.type === "number" ? number : field.value;
    void this.preferences.set(field.name, value);
  }

  clicked(/** @type {Element} */ target) {
    const button = target.closest("[data-step]");
    if (button instanceof HTMLElement) void step(this.preferences, Number(button.dataset.step));
  }
}

const SIZES = { smallest: 13, largest: 24 };

function stepped(/** @type {number} */ size, /** @type {number} */ by) {
  return Math.min(SIZES.largest, Math.max(SIZES.smallest, size + by));
}

/** Makes the text of documents larger or smaller, within limits. @param {Preferences} preferences @param {number} by */
export async function step(preferences, by) {
  const size = preferences.get("size");
  return stepped(size, by) === size ? "" : preferences.set("size", stepped(size, by));
}
