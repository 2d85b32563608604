/**
 * Signing in again over the page, in the name that opened it; and a notice when another account is signed in now. The dialog is modal:
 * while it is open no key reaches the page. A reader who is merely signed out may postpone it and go on, what they judge is kept; while
 * another account is signed in, no judgment is saved under the first one's name.
 */
import { element } from "../elements.js";
import { whenBack } from "../judging/presence.js";
import { gettext, ngettext } from "../messages.js";
import { postForm, sessionState } from "../session.js";
import { addShowSwitch } from "./show_password.js";

/** @typedef {{account?: string, way: "password"|"link"|"demo", address: string | null, providers?: string[], csrf_token: string}} State */

/** Coming back to the window asks who is signed in, but not more often than this, in milliseconds. */
const ASKED_LATELY = 2_000;
/** Milliseconds without a key after which keys are meant for the dialog: before, they were to judge. */
const CALM = 600;

const CHANNEL = "workbench:signed in";

const NO_ANSWER = gettext("The server does not respond. Try again in a moment.");

export class SignInAgain {
  /** @param {{account: string}} page @param {() => void} onsignedin @param {() => number} [waiting] */
  constructor({ account }, onsignedin, waiting) {
    this.account = account;
    this.onsignedin = onsignedin;
    this.waiting = waiting ?? (() => 0);
    /** What is being asked, until it is answered. @type {Promise<void> | null} */
    this.asking = null;
    /** Asked once more while an answer was on its way: that one may be older than the reason for asking. */
    this.asksAgain = false;
    /** The dialog was put off, and comes back only when it is asked for. */
    this.isPutOff = false;
    /** Whether the account was signed out, or another account signed in, at the last check. */
    this.isOut = false;
    this.isOther = false;
    this.askedAt = Date.now();
    this.error = element("p", { class: "form-error", role: "alert", hidden: true });
    this.dialog = element("dialog", { class: "keys sign-in-again", "aria-labelledby": "sign-in-again", tabindex: "-1" });
    this.dialog.addEventListener("cancel", (event) => this.isOther && event.preventDefault());
    this.dialog.addEventListener("close", () => this.closed());
    document.body.append(this.dialog);
    this.channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(CHANNEL);
    if (this.channel) this.channel.onmessage = () => this.isOut && void this.offer();
    this.timer = 0;
    addEventListener("keydown", (event) => this.dialog.open && this.pressed(event), { capture: true });
    whenBack(() => Date.now() - this.askedAt > ASKED_LATELY && void this.offer());
  }

  /** Browsers close a dialog that is asked to close twice, whatever the page says; this one comes back while it must. */
  closed() {
    if (this.isOther) this.dialog.showModal();
    else this.isPutOff = this.isOut;
  }

  /** Until the dialog was left alone for a moment, keys that type go nowhere: they were to judge. @param {KeyboardEvent} event */
  pressed(event) {
    event.stopPropagation();
    if (document.activeElement !== this.dialog || ["Tab", "Escape"].includes(event.key)) return;
    event.preventDefault();
    this.enterWhenCalm();
  }

  /** Puts the focus into the form, unless its reader has done so before. */
  enterWhenCalm() {
    clearTimeout(this.timer);
    const enter = () =>
      document.activeElement === this.dialog &&
      /** @type {HTMLElement | null} */ (this.dialog.querySelector("[autofocus], [type=submit]"))?.focus();
    this.timer = setTimeout(enter, CALM);
  }

  /** Asks who is signed in, and shows the dialog if it is not this account, unless it was put off. */
  offer() {
    this.asksAgain = this.asking !== null;
    this.asking ??= this.ask();
    return this.asking;
  }

  async ask() {
    do {
      this.asksAgain = false;
      this.askedAt = Date.now();
      try {
        this.found((await sessionState()).body);
      } catch {
        // No answer says nothing about who is signed in.
      }
    } while (this.asksAgain);
    this.asking = null;
  }

  async show() {
    this.isPutOff = false;
    await this.offer();
  }

  found(/** @type {State} */ state) {
    if (!state.csrf_token) return;
    if (state.account === this.account) return this.signedIn();
    const isOther = state.account !== undefined;
    const isNews = !this.isOut || isOther !== this.isOther;
    this.isOut = true;
    this.isOther = isOther;
    if (isNews || (!this.dialog.open && !this.isPutOff)) this.open(state);
  }

  signedIn() {
    if (!this.isOut) return;
    this.isOut = false;
    this.isOther = false;
    this.isPutOff = false;
    this.dialog.close();
    this.channel?.postMessage("signed in");
    this.onsignedin();
  }

  open(/** @type {State} */ state) {
    this.tell("");
    const title =
      state.account === undefined ? gettext("Sign in again") : gettext("%(name)s is signed in here now", { name: state.account });
    this.dialog.replaceChildren(
      element("h2", { id: "sign-in-again", dir: "auto" }, title),
      element("p", {}, this.situation(state)),
      this.formFor(state),
    );
    if (!this.dialog.open) this.dialog.showModal();
    this.dialog.focus();
    this.enterWhenCalm();
  }

  situation(/** @type {State} */ state) {
    const waiting = this.waiting();
    const name = this.account;
    if (state.account !== undefined) {
      const opened = gettext("This page was opened by %(name)s.", { name });
      const kept = ngettext(
        "%(num)s judgment of %(name)s waits in this browser until %(name)s signs in.",
        "%(num)s judgments of %(name)s wait in this browser until %(name)s signs in.",
        waiting,
        { name },
      );
      return waiting ? `${opened} ${kept}` : opened;
    }
    const kept = ngettext(
      "%(num)s judgment is kept in this browser, and sent when you are signed in again.",
      "%(num)s judgments are kept in this browser, and sent when you are signed in again.",
      waiting,
    );
    return waiting ? `${gettext("You are signed out.")} ${kept}` : gettext("You are signed out.");
  }

  formFor(/** @type {State} */ state) {
    const fields = { password: () => this.passwordFields(state), demo: () => [], link: () => this.linkFields() }[state.way]();
    const name = this.account;
    const label = {
      password: gettext("Sign in as %(name)s", { name }),
      demo: gettext("Continue as %(name)s", { name }),
      link: gettext("I have signed in"),
    }[state.way];
    const submit = element("button", { type: "submit", class: "button" }, label);
    const foot = element("div", { class: "dialog-foot" }, submit, this.wayOut(state));
    const form = element("form", { class: "form" }, ...fields, this.error, foot);
    addShowSwitch(form);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.submit(form, state);
    });
    return form;
  }

  /** The name cannot be changed: the page and what waits in it are this account's. */
  passwordFields(/** @type {State} */ state) {
    const id = { name: "sign-in-again-name", password: "sign-in-again-password" };
    return [
      element("label", { for: id.name }, gettext("Name")),
      element("input", { id: id.name, name: "name", value: this.account, readonly: true, autocomplete: "username", dir: "auto" }),
      element("label", { for: id.password }, gettext("Password")),
      element("input", {
        id: id.password,
        name: "password",
        type: "password",
        autocomplete: "current-password",
        required: true,
        autofocus: true,
      }),
      ...this.providerWay(state),
    ];
  }

  /** The other tab tells this one; or coming back here asks who is signed in. */
  providerWay(/** @type {State} */ { providers = [], address }) {
    if (!providers.length || address === null) return [];
    const words = gettext("Sign in with %(names)s, in a new tab", { names: providers.join(" · ") });
    return [element("a", { class: "turn", href: address, target: "_blank" }, words)];
  }

  linkFields() {
    const words = gettext(
      "This server has no accounts. Open the link that it printed in its terminal in another tab, create the account %(name)s, then return to this tab.",
      { name: this.account },
    );
    return [element("p", {}, words)];
  }

  wayOut(/** @type {State} */ state) {
    const isOther = state.account !== undefined;
    const words = isOther ? gettext("Continue as %(name)s", { name: state.account }) : gettext("Not now");
    const button = element("button", { type: "button", class: "link" }, words);
    button.addEventListener("click", () => (isOther ? location.reload() : this.dialog.close()));
    return button;
  }

  async submit(/** @type {HTMLFormElement} */ form, /** @type {State} */ state) {
    const button = /** @type {HTMLButtonElement} */ (form.querySelector("[type=submit]"));
    button.disabled = true;
    this.tell("");
    try {
      this.tell(await this.attempt(form, state));
    } catch {
      this.tell(NO_ANSWER);
    }
    button.disabled = false;
  }

  /** @param {HTMLFormElement} form @param {State} state @returns {Promise<string>} */
  async attempt(form, state) {
    // The session may have changed since the dialog opened, and with it the token.
    const now = /** @type {State} */ ((await sessionState()).body);
    if (now.account !== this.account && state.address !== null) {
      const password = /** @type {HTMLInputElement | null} */ (form.querySelector("[name=password]"));
      const code = /** @type {HTMLInputElement | null} */ (form.querySelector("[name=code]"));
      const fields = {
        name: this.account,
        csrf_token: now.csrf_token,
        ...(password && { password: password.value }),
        ...(code && { code: code.value }),
      };
      const { status, body } = await postForm(state.address, fields);
      if (body.reason === "code") return this.askForCode(form, body.message);
      if (password) password.value = "";
      if (status !== 200) return body.message || NO_ANSWER;
    }
    await this.offer();
    return this.isOut ? gettext("%(name)s is not signed in yet.", { name: this.account }) : "";
  }

  /** The password was right, and the account has a second factor. @param {HTMLFormElement} form @param {string} message */
  askForCode(form, message) {
    let field = /** @type {HTMLInputElement | null} */ (form.querySelector("[name=code]"));
    if (!field) {
      const id = "sign-in-again-code";
      field = element("input", { id, name: "code", autocomplete: "one-time-code", required: true });
      this.error.before(element("label", { for: id }, gettext("Code")), field);
    }
    field.value = "";
    field.focus();
    return message;
  }

  tell(/** @type {string} */ message) {
    this.error.textContent = message;
    this.error.hidden = !message;
  }
}
