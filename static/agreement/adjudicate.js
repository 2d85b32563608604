/**
 * Adjudication by keys, as another view of a judging session: the page is a form that works as it is; here a key presses one
 * of its buttons. As on the judging page nothing can be decided before the document has been on the screen for a moment. A
 * decision is in the outbox until the server has said what became of it, and only then the next conflict comes.
 */
import { SignInAgain } from "../accounts/signin_again.js";
import { byId, counted, hide, pageData, write } from "../elements.js";
import { enterFrom } from "../judging/focus.js";
import { FocusRing } from "../judging/focus_ring.js";
import { InputHandler } from "../judging/input.js";
import { JudgingSession } from "../judging/judging_session.js";
import { keyMap, labelKeys } from "../judging/keyboard.js";
import { isBusy, keyListener } from "../judging/keys.js";
import { hears, keepFocus } from "../judging/quiet_frames.js";
import { SEEN_FROM, shownIn } from "../judging/viewer.js";
import { Storage } from "../storage.js";
import { BlindedGrades } from "./blinded_grades.js";

/** Milliseconds within which a decision is usually stored, and the next document on its way. */
const LONG = 400;

const PHONE = "(max-width: 860px)";

/** What is said of a decision that is held up. @type {Record<string, {words: string, after: string, way: string}>} */
const HELD_UP = {
  offline: { words: "The server does not respond.", after: "is kept here and will be sent automatically.", way: "Send it now" },
  saving: { words: "Too many requests in a minute.", after: "is kept here and will be sent automatically.", way: "Send it now" },
  "signed out": { words: "You are signed out.", after: "is kept here, and sent when you are signed in again.", way: "Sign in again" },
  outdated: { words: "This page is older than the server.", after: "is kept here and will be sent after the reload.", way: "Reload" },
};

class AdjudicatePage {
  constructor(/** @type {any} */ data) {
    this.data = data;
    this.form = /** @type {HTMLFormElement} */ (byId("decide"));
    this.frame = /** @type {HTMLIFrameElement} */ (byId("frame"));
    /** What has the focus for the document. @type {HTMLElement} */
    this.keeper = this.frame;
    this.note = /** @type {HTMLTextAreaElement} */ (byId("note"));
    this.session = new JudgingSession(data, this);
    this.outbox = this.session.outbox;
    this.notes = new Storage(`workbench:adjudication-note:${this.session.owner}:`);
    this.pair = JSON.stringify([data.topic_id, data.document_id]);
    this.blindedGrades = new BlindedGrades(byId("blinded-grades"));
    this.ring = new FocusRing(byId("stage"));
    this.signInAgain = new SignInAgain(
      data,
      () => this.outbox.attempts.hurry(),
      () => this.outbox.entries().length,
    );
    this.seen = false;
    /** What is here is not what the campaign holds any more: nothing is decided by it. */
    this.isPast = false;
    this.isLeaving = false;
    this.timer = 0;
    const map = keyMap(data.actions, this.session.preferences.get("keys"));
    const press = (/** @type {string} */ selector) => () => this.press(selector);
    this.input = new InputHandler({ map }, data.grades, (grade) => this.press(`.grade[value="${grade}"]`), {
      note: () => this.note.focus(),
      undo: () => /** @type {HTMLFormElement | null} */ (document.querySelector("#undo"))?.requestSubmit(),
      "next hit": () => this.blindedGrades.step(1),
      "previous hit": () => this.blindedGrades.step(-1),
      next: press("#next-pair"),
      previous: press("#previous-pair"),
    });
    labelKeys(map);
    this.onkeydown = keyListener((key) => this.input.actionOf(key));
  }

  async start() {
    document.addEventListener("keydown", this.onkeydown);
    document.addEventListener("submit", (event) => this.submitted(event));
    byId("sending-way").addEventListener("click", () => this.goOn());
    addEventListener("beforeunload", (event) => this.waiting && !this.isLeaving && event.preventDefault());
    // Back from the next page: what is here was decided.
    addEventListener("pageshow", (event) => event.persisted && location.reload());
    this.frame.addEventListener("load", () => this.loaded());
    if (this.frame.contentDocument?.readyState === "complete" && this.frame.contentDocument.URL !== "about:blank") this.loaded();
    document.querySelector("#next-reason")?.addEventListener("click", () => this.blindedGrades.step(1));
    // On a phone the topic opens at a touch: the document is what one came for.
    if (matchMedia(PHONE).matches) document.querySelector("details.topic")?.removeAttribute("open");
    this.keepNote();
    await this.outbox.ready();
    /** What an earlier page has left: sent, perhaps, but not acknowledged. */
    this.left = this.outbox.entries();
    await this.outbox.run();
  }

  /** The decision that is on its way; until it is stored nothing else is decided. */
  get waiting() {
    return this.outbox.entries().find(({ judgment, refused }) => judgment.decision && !refused);
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
    setTimeout(() => {
      this.seen = true;
      this.form.dataset.ready = "yes";
    }, SEEN_FROM);
  }

  listenTo(/** @type {Window} */ inside) {
    this.session.preferences.dress(inside.document);
    this.session.pace.watch(inside);
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

  /** Why nothing may be settled by what the frame shows; "" if it may. @param {Document | null} inside */
  wrongIn(inside) {
    const shown = shownIn(inside);
    if (!shown) return "The document could not be loaded.";
    if (shown.account !== this.data.account) return "Another account is signed in here now.";
    if (shown.text_hash !== this.field("text_hash").value) return "The text has changed.";
    return "";
  }

  /** Something is wrong with what is shown. @param {string} words @param {string} way */
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

  /** What a key presses; nothing while a decision is on its way. @param {string} selector */
  press(selector) {
    const place = this.waiting ? null : /** @type {HTMLElement | null} */ (document.querySelector(selector));
    if (!place) return;
    if (place.matches(".grade")) this.field("input").value = "key";
    place.click();
    this.field("input").value = "";
  }

  /** One decision at a time, and none on what is not there any more. @param {SubmitEvent} event */
  submitted(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.method !== "post" || form.closest("dialog")) return;
    event.preventDefault();
    if (form === this.form) this.decide(/** @type {HTMLButtonElement | null} */ (event.submitter));
    else if (!this.waiting) void this.send(form, "The undo", null);
  }

  decide(/** @type {HTMLButtonElement | null} */ button) {
    if (this.isPast) return byId("trouble-way").focus();
    if (!button || !this.seen || this.waiting) return;
    this.field("seconds").value = String(Math.round(this.session.pace.seconds()));
    for (const grade of this.form.querySelectorAll(".grade")) grade.removeAttribute("aria-pressed");
    button.setAttribute("aria-pressed", "true");
    // Of a number that is typed the button says only that it is saved.
    const name = (button.value && button.querySelector(".grade-name")?.textContent) || new FormData(this.form, button).get("grade");
    void this.send(this.form, `Your decision “${name}”`, button);
  }

  async send(/** @type {HTMLFormElement} */ form, /** @type {string} */ words, /** @type {HTMLButtonElement | null} */ button) {
    const { csrf_token: _, ...fields } = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form, button)));
    const { topic = form.dataset.topic, document = form.dataset.document, uuid, log, text_hash = null, grade } = fields;
    const given = grade === undefined ? { kind: "cleared", grade: null } : { kind: "grade", grade: Number(grade) };
    const decision = { url: form.getAttribute("action"), fields, words };
    await this.outbox.add({ uuid, log, topic_id: topic, document_id: document, text_hash, ...given, decision }, null);
    await this.outbox.run();
  }

  // ---- what the session says

  /** What became of decisions so far. */
  showSaving() {
    clearTimeout(this.timer);
    for (const entry of this.outbox.entries()) if (entry.judgment.decision && entry.refused) this.refused(entry);
    const { waiting } = this;
    const { trouble } = this.outbox;
    if (!waiting) return hide(byId("sending"), byId("sending").dataset.state !== "stored");
    const { words } = waiting.judgment.decision;
    if (trouble === "signed out") void this.signInAgain.offer();
    if (trouble) this.say(trouble, `${HELD_UP[trouble].words} ${words} ${HELD_UP[trouble].after}`);
    else this.timer = setTimeout(() => this.say("sending", `${words} is being sent …`), LONG);
  }

  say(/** @type {string} */ state, /** @type {string} */ words) {
    const place = byId("sending");
    const trouble = HELD_UP[state];
    place.hidden = false;
    place.dataset.state = state;
    hide(byId("sending-way"), !trouble);
    write(byId("sending-words"), words);
    if (!trouble) return;
    byId("sending-way").textContent = trouble.way;
    place.scrollIntoView({ block: "nearest" });
  }

  /** What the button beside the words does, by why the decision is held up. */
  goOn() {
    const { state } = byId("sending").dataset;
    if (state === "signed out") return void this.signInAgain.show();
    if (state === "outdated") return this.leave(() => location.reload());
    this.outbox.attempts.hurry();
  }

  /** The server has it: now the next conflict comes; but not over what was not decided here. */
  stored(/** @type {Entry} */ entry, /** @type {any} */ stored) {
    if (!entry.judgment.decision) return;
    const isLeft = this.left?.some(({ uuid }) => uuid === entry.uuid);
    if (entry.judgment.kind === "grade") this.notes.remove(pairOf(entry));
    const isHere = pairOf(entry) === this.pair || (entry.judgment.kind === "cleared" && !isLeft);
    if (isHere) this.leave(() => location.assign(stored.next));
    else if (isLeft) this.say("stored", "A decision that was waiting here is now stored.");
  }

  refused(/** @type {Entry} */ entry) {
    const { judgment, uuid, refused } = entry;
    const isHere = pairOf(entry) === this.pair || judgment.kind === "cleared";
    this.isPast ||= isHere;
    const about = isHere ? "" : ` of ${judgment.document_id}`;
    const why = (refused?.message ?? "").replace(/\.$/, "");
    this.tell(`Nothing was stored${about}: ${why}. ${judgment.decision.words} was discarded.`, "Show current state");
    byId("trouble-way").focus();
    void this.outbox.discard(uuid);
  }

  leave(/** @type {() => void} */ go) {
    this.isLeaving = true;
    go();
  }
}

/** Topic and document that a decision is about. @param {Entry} entry */
function pairOf({ judgment }) {
  return JSON.stringify([judgment.topic_id, judgment.document_id]);
}

void new AdjudicatePage(pageData()).start();
