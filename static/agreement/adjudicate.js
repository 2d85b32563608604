/**
 * Adjudication by keys: the page is a form that works as it is; here a key presses one of its buttons.
 *
 * As on the judging page nothing can be decided before the document has been on the screen for a moment. A decision is
 * sent until the server has said what became of it, and only then the next conflict comes: see deciding.js.
 */
import { Deciding } from "./deciding.js";
import { byId, counted, hide, write } from "../elements.js";
import { enterFrom } from "../judging/focus.js";
import { FocusRing } from "../judging/focus_ring.js";
import { isBusy, keyListener } from "../judging/keys.js";
import { hears, keepFocus } from "../judging/quiet_frames.js";
import { SignInAgain } from "../accounts/signin_again.js";
import { SEEN_FROM, shownIn } from "../judging/viewer.js";
import { Storage } from "../storage.js";
import { BlindedGrades } from "./blinded_grades.js";

/** @typedef {import("./deciding.js").Entry} Decision */
/** @typedef {import("./deciding.js").Trouble} Trouble */

/** Milliseconds within which a decision is usually stored, and the next document on its way. */
const LONG = 400;

const PHONE = "(max-width: 860px)";

/** What is said of a decision that is held up. @type {Record<Exclude<Trouble, "">, {words: string, after: string, way: string}>} */
const HELD_UP = {
  offline: { words: "The server does not respond.", after: "is kept here and will be sent automatically.", way: "Send it now" },
  saving: { words: "Too many requests in a minute.", after: "is kept here and will be sent automatically.", way: "Send it now" },
  "signed out": { words: "You are signed out.", after: "is kept here, and sent when you are signed in again.", way: "Sign in again" },
  outdated: { words: "This page is older than the server.", after: "is kept here and will be sent after the reload.", way: "Reload" },
};

class AdjudicatePage {
  constructor() {
    this.form = /** @type {HTMLFormElement} */ (byId("decide"));
    this.frame = /** @type {HTMLIFrameElement} */ (byId("frame"));
    /** What has the focus for the document. @type {HTMLElement} */
    this.keeper = this.frame;
    this.note = /** @type {HTMLTextAreaElement} */ (byId("note"));
    this.account = this.form.dataset.account ?? "";
    const owner = [this.form.dataset.campaign ?? "", this.account].map(encodeURIComponent).join(":");
    this.notes = new Storage(`workbench:adjudication-note:${owner}:`);
    this.pair = JSON.stringify([this.field("topic").value, this.field("document").value]);
    this.blindedGrades = new BlindedGrades(byId("blinded-grades"));
    this.ring = new FocusRing(byId("stage"));
    this.deciding = new Deciding(owner, this.account, {
      onwait: (trouble, entry) => this.waits(trouble, entry),
      onstored: (entry, next) => this.stored(entry, next),
      onrefused: (entry, message) => this.refused(entry, message),
    });
    const waiting = () => Number(this.deciding.entry !== null);
    this.signInAgain = new SignInAgain({ account: this.account }, () => this.deciding.attempts.hurry(), waiting);
    this.seen = false;
    /** What is here is not what the campaign holds any more: nothing is decided by it. */
    this.isPast = false;
    this.isLeaving = false;
    /** Milliseconds for which the page has been visible, and since when it is now. */
    this.spent = 0;
    this.since = document.hidden ? 0 : performance.now();
    this.timer = 0;
    this.onkeydown = keyListener((key) => this.actionOf(key));
  }

  start() {
    document.addEventListener("keydown", this.onkeydown);
    document.addEventListener("visibilitychange", () => this.clock());
    document.addEventListener("submit", (event) => this.submitted(event));
    byId("sending-way").addEventListener("click", () => this.goOn());
    addEventListener("beforeunload", (event) => this.deciding.entry && !this.isLeaving && event.preventDefault());
    // Back from the next page: what is here was decided.
    addEventListener("pageshow", (event) => event.persisted && location.reload());
    this.frame.addEventListener("load", () => this.loaded());
    if (this.frame.contentDocument?.readyState === "complete" && this.frame.contentDocument.URL !== "about:blank") this.loaded();
    document.querySelector("#next-reason")?.addEventListener("click", () => this.blindedGrades.step(1));
    // On a phone the topic opens at a touch: the document is what one came for.
    if (matchMedia(PHONE).matches) document.querySelector("details.topic")?.removeAttribute("open");
    this.keepNote();
    this.deciding.resume();
  }

  /** What is written waits for the decision, over reloads too. */
  keepNote() {
    if (!this.note.value) this.note.value = this.notes.get(this.pair) ?? "";
    this.note.addEventListener("keydown", (event) => event.key === "Escape" && !event.isComposing && this.focusDocument());
    this.note.addEventListener("input", () => {
      if (this.note.value) this.notes.put(this.pair, this.note.value);
      else this.notes.remove(this.pair);
      this.checkNote();
    });
    this.checkNote();
  }

  /** A note that is too long is refused before the decision is sent: nothing of it is cut off. */
  checkNote() {
    const longest = Number(this.note.dataset.longest);
    // Characters as the server counts them, not UTF-16 units.
    const { length } = [...this.note.value];
    const words = `The reason has ${counted(length, "character")}; shorten it to ${longest.toLocaleString("en")}.`;
    this.note.setCustomValidity(length > longest ? words : "");
  }

  /** The frame has its document, if that is the one which the form is about. */
  loaded() {
    const inside = this.frame.contentDocument;
    inside?.addEventListener("keydown", this.onkeydown);
    const wrong = this.wrongIn(inside);
    if (wrong) return this.tell(wrong, "Reload");
    if (!inside) return;
    this.frame.title = inside.title || "Document";
    if (inside.defaultView) this.listenTo(inside.defaultView);
    this.blindedGrades.mark(inside);
    const way = /** @type {HTMLElement | null} */ (document.querySelector("#next-reason"));
    if (way) hide(way, this.blindedGrades.places.length === 0);
    if (!isBusy()) this.focusDocument();
    setTimeout(() => this.allow(), SEEN_FROM);
  }

  listenTo(/** @type {Window} */ inside) {
    this.ring.watch(inside);
    if (hears(inside)) return;
    this.frame.tabIndex = -1;
    this.keeper = byId("stage");
    keepFocus(this.keeper);
    enterFrom(this.keeper, () => inside);
  }

  focusDocument() {
    this.keeper.focus({ preventScroll: true });
  }

  /** From now on what is shown may be settled. */
  allow() {
    this.seen = true;
    this.form.dataset.ready = "yes";
  }

  /** Why nothing may be settled by what the frame shows; "" if it may. @param {Document | null} inside */
  wrongIn(inside) {
    const shown = shownIn(inside);
    if (!shown) return "The document could not be loaded.";
    if (shown.account !== this.account) return "Another account is signed in here now.";
    if (shown.text_hash !== this.field("text_hash").value) return "The text has changed.";
    return "";
  }

  /** Something is wrong with what is shown. @param {string} words @param {string} way the label of the link that reloads it */
  tell(words, way) {
    byId("trouble-words").textContent = words;
    byId("trouble-way").textContent = way;
    const place = byId("trouble");
    place.hidden = false;
    place.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} name @returns {HTMLInputElement} */
  field(name) {
    return /** @type {HTMLInputElement} */ (this.form.elements.namedItem(name));
  }

  /** What a key does. @param {string} key @returns {(() => void) | undefined} */
  actionOf(key) {
    if (key === "c") return () => this.note.focus();
    if (key === "u") return () => this.undo();
    if (key === "n") return () => this.blindedGrades.step(1);
    if (key === "N") return () => this.blindedGrades.step(-1);
    const place = /** @type {HTMLElement | null} */ (document.querySelector(`[data-key="${CSS.escape(key)}"]`));
    return place ? () => this.press(place) : undefined;
  }

  press(/** @type {HTMLElement} */ place) {
    if (this.deciding.entry) return;
    if (place.matches(".grade")) this.field("input").value = "key";
    place.click();
    this.field("input").value = "";
  }

  undo() {
    /** @type {HTMLFormElement | null} */ (document.querySelector("#undo"))?.requestSubmit();
  }

  clock() {
    if (this.since) this.spent += performance.now() - this.since;
    this.since = document.hidden ? 0 : performance.now();
  }

  /** One decision at a time, and none on what is not there any more. @param {SubmitEvent} event */
  submitted(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.method !== "post" || form.closest("dialog")) return;
    event.preventDefault();
    if (form === this.form) this.decide(/** @type {HTMLButtonElement | null} */ (event.submitter));
    else if (!this.deciding.entry) this.send(form, "The undo", null);
  }

  /** @param {HTMLButtonElement | null} button that was pressed */
  decide(button) {
    if (this.isPast) return byId("trouble-way").focus();
    if (!button || !this.seen || this.deciding.entry) return;
    this.clock();
    this.field("seconds").value = String(Math.min(Math.round(this.spent / 1000), 999_999));
    for (const grade of this.form.querySelectorAll(".grade")) grade.removeAttribute("aria-pressed");
    button.setAttribute("aria-pressed", "true");
    const name = button.querySelector(".grade-name")?.textContent ?? button.value;
    this.send(this.form, `Your decision “${name}”`, button);
  }

  send(/** @type {HTMLFormElement} */ form, /** @type {string} */ words, /** @type {HTMLButtonElement | null} */ button) {
    const fields = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
    delete fields.csrf_token;
    if (button) fields[button.name] = button.value;
    this.deciding.send({ url: form.action, fields, words });
  }

  waits(/** @type {Trouble} */ trouble, /** @type {Decision} */ entry) {
    clearTimeout(this.timer);
    if (trouble === "signed out") void this.signInAgain.offer();
    if (trouble) this.say(trouble, `${HELD_UP[trouble].words} ${entry.words} ${HELD_UP[trouble].after}`);
    else this.timer = setTimeout(() => this.say("", `${entry.words} is being sent …`), LONG);
  }

  say(/** @type {Trouble} */ trouble, /** @type {string} */ words) {
    const place = byId("sending");
    const way = byId("sending-way");
    place.hidden = false;
    place.dataset.state = trouble || "sending";
    hide(way, !trouble);
    if (trouble) way.textContent = HELD_UP[trouble].way;
    write(byId("sending-words"), words);
    if (trouble) place.scrollIntoView({ block: "nearest" });
  }

  /** What the button beside the words does, by why the decision is held up. */
  goOn() {
    const { state } = byId("sending").dataset;
    if (state === "signed out") return void this.signInAgain.show();
    if (state === "outdated") return this.leave(() => location.reload());
    this.deciding.attempts.hurry();
  }

  /** The server has it: now the next conflict comes; but not over what was not decided here. @param {Decision} entry @param {string} next */
  stored(entry, next) {
    clearTimeout(this.timer);
    if (!entry.fields.undo) this.notes.remove(pairOf(entry));
    if (this.isHere(entry)) return this.leave(() => location.assign(next));
    this.say("", "A decision that was waiting here is now stored.");
    this.deciding.resume();
  }

  /** Whether it was decided on what is here, or something was taken back. @param {Decision} entry */
  isHere(entry) {
    return entry.fields.undo !== undefined || pairOf(entry) === this.pair;
  }

  refused(/** @type {Decision} */ entry, /** @type {string} */ message) {
    clearTimeout(this.timer);
    byId("sending").hidden = true;
    this.isPast = this.isHere(entry);
    const about = this.isPast ? "" : ` of ${entry.fields.document}`;
    this.tell(`Nothing was stored${about}: ${message.replace(/\.$/, "")}. ${entry.words} was given up.`, "Show current state");
    byId("trouble-way").focus();
    this.deciding.resume();
  }

  leave(/** @type {() => void} */ go) {
    this.isLeaving = true;
    go();
  }
}

/** Topic and document that a decision is about. @param {Decision} entry */
function pairOf({ fields }) {
  return JSON.stringify([fields.topic, fields.document]);
}

new AdjudicatePage().start();
