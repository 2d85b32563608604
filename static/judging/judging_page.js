/** What is around the documents while they are judged, one on the screen or many: keys, buttons, dialogs, progress, saving. */
import { gettext } from "../messages.js";
import { byId, hide } from "../elements.js";
import { CannotTell } from "./cannot_tell.js";
import { moveAmong } from "./grades.js";
import { actionsAround, InputHandler } from "./input.js";
import { JudgingSession } from "./judging_session.js";
import { Keyboard } from "./keyboard.js";
import { keyListener } from "./keys.js";
import { NextTopic } from "./next_topic.js";
import { watchNotices } from "./notices.js";
import * as panel from "./panel.js";
import { PreferencesDialog } from "./preferences.js";
import { Rest } from "./rest.js";
import { Saving } from "./saving.js";
import { Terms } from "./terms.js";
import { Tour } from "./tour.js";

/** @typedef {JudgingPage & Documents & Required<View>} Page */

/** Milliseconds within which the next document is usually on the screen. */
const DRAWN_AFTER = 30;

/** A page with its documents: each kind of page has its own. @param {JudgingPage} page @returns {Page} */
const whole = (page) => /** @type {Page} */ (page);

export class JudgingPage {
  constructor(/** @type {any} */ data) {
    const page = whole(this);
    this.data = data;
    this.timer = 0;
    this.session = new JudgingSession(data, page);
    this.queue = this.session.queue;
    this.preferences = this.session.preferences;
    this.rest = new Rest(this.session.owner, data.breaks, this.preferences, () => this.session.pace.start());
    this.keyboard = new Keyboard(byId("keyboard"), data.actions, this.preferences);
    this.tour = new Tour(this.keyboard);
    this.reasons = new CannotTell(data.reasons, (name) => this.keyboard.map.get(name));
    this.terms = new Terms(
      data,
      () => page.markAgain(),
      () => page.focus(),
    );
    this.nextTopic = new NextTopic(this.session);
    this.saving = new Saving(this.session.outbox, data, {
      isKept: () => this.session.offline.isKept,
      discarded: (entry) => this.session.discarded(entry),
      look: (entry) => page.lookAgain(entry),
      signedIn: () => this.signedIn(),
    });
    this.input = new InputHandler(this.keyboard, data.grades, (grade, input) => page.pressed(grade, input), {
      ...actionsAround(this.preferences, data.history_url),
      "cannot tell": (input) => page.cannotTell(input),
      later: () => page.putOff(),
      undo: () => page.undo(),
      clear: (input) => page.clear(input),
      previous: () => page.look(-1),
      next: () => page.look(1),
      stay: () => this.preferences.set("stay", !this.preferences.get("stay")),
      tour: () => {
        panel.closeDialogs();
        this.tour.start();
      },
    });
    this.onkeydown = keyListener((name) => page.actionOf(name));
  }

  /** @this {Page} */
  async start() {
    watchNotices();
    await this.session.begin();
    const copied = this.session.offline.ready().then(() => this.showReady());
    if (this.session.offline.downloaded) await copied;
    panel.fitScreen();
    moveAmong(byId("grades"));
    document.addEventListener("keydown", this.onkeydown);
    document.addEventListener("click", (event) => this.clicked(event));
    byId("other-machine-close").addEventListener("click", () => {
      hide(byId("other-machine"), true);
      this.focus();
    });
    new PreferencesDialog(byId("preferences"), this.preferences);
    this.saving.show();
    if (new URL(location.href).searchParams.has("tour")) this.tour.start();
    await this.begin();
    void this.session.outbox.run();
  }

  /** @param {string} name @returns {(() => void) | undefined} */
  actionOf(name) {
    return this.input.actionOf(name);
  }

  clicked(/** @type {MouseEvent} */ event) {
    this.input.clicked(event);
  }

  // ---- what the session says

  showSaving() {
    this.saving.show();
  }

  showOtherMachine() {
    hide(byId("other-machine"), false);
  }

  /** @param {Entry} _entry */
  stored(_entry) {
    this.nextTopic.stored();
  }

  /** @this {Page} @param {Versions} versions @param {boolean} isHere */
  heardVersions(versions, isHere) {
    if (isHere) this.checkVersions(versions);
    this.nextTopic.heardGuidelines(versions.guidelines);
  }

  /** @this {Page} @param {string} name of a preference that has changed */
  preferred(name) {
    if (name === "stay") panel.say(this.preferences.get("stay") ? gettext("Stay after grading: on") : gettext("Stay after grading: off"));
    if (name === "size" || name === "face") for (const frame of this.frames()) this.preferences.dress(frame.contentDocument);
  }

  signedIn() {
    this.session.signedIn();
  }

  /** A refused judgment was given up, and its document is shown as the server has it now. @this {Page} @param {Entry} entry */
  lookAgain(entry) {
    const { document_id: documentId, topic_id: topicId, norming } = entry.judgment;
    this.session.discarded(entry);
    if (this.session.isHere(entry.judgment)) return void this.open(documentId);
    const place = norming ? `norming=${norming}` : `topic=${encodeURIComponent(topicId)}`;
    location.assign(`?${place}&document=${encodeURIComponent(documentId)}`);
  }

  // ---- judging

  /** The key or button of a grade. @this {Page} @param {number} grade @param {Input} input */
  pressed(grade, input) {
    void this.judge("grade", grade, input);
  }

  /** The document that may be judged, and why not: what it says of itself, and the topic. @param {Shown[]} shown @returns {boolean} */
  canJudge(...shown) {
    if (shown.some(({ state }) => state === "missing")) panel.showIgnored(gettext("No text: this document cannot be judged"));
    else if (this.data.shut) panel.showIgnored(gettext("Not stored: the topic is not yours, or closed"));
    else return true;
    return false;
  }

  /**
   * The note of a judgment: with the reason why one cannot tell, and without that of a judgment before it.
   * @param {Shown} shown @param {string} kind @param {string | null} reason null leaves the note as it is @param {string} note
   */
  noteFor({ document_id: documentId }, kind, reason, note) {
    if (reason === null && kind !== "grade") return note;
    return this.reasons.note(reason ?? "", note, this.queue.item(documentId).kind === "can't tell");
  }

  /**
   * A judgment is kept, and the next document about to be on the screen: what would hold that up is done after it.
   * @param {Shown} shown @param {{kind: string, grade: number | null, active_seconds: number}} judgment @param {number} ignored how many keys had been when it was made
   * @param {GradeButton[]} [grades] of the question that it answers
   */
  async judged(shown, judgment, ignored, grades = this.data.grades) {
    const { kind, active_seconds: seconds } = judgment;
    this.saving.moved(shown.document_id);
    await new Promise((resolve) => setTimeout(resolve, DRAWN_AFTER));
    this.session.pace.remember(seconds);
    if (kind !== "cleared") this.rest.judged(seconds);
    // A key that was dropped meanwhile is to be seen; the judgment is seen on the list of the last ones.
    const isSeen = panel.ignoredSoFar() !== ignored || this.saving.isLeaving;
    if (!isSeen) panel.confirm(shown.title || shown.document_id, judgment, grades);
  }

  /** Asks for a reason, if the campaign wants one, and judges what could be judged then. @this {Page} @param {Input} input */
  async cannotTell(input) {
    const asked = this.judgeable();
    const reason = asked && (await this.reasons.ask());
    if (reason === null) return;
    if (this.current() === asked) void this.judge("can't tell", null, input, { reason });
    else panel.showIgnored(gettext("Not stored: what is shown has changed"));
  }

  /** @this {Page} @param {Input} input */
  clear(input) {
    if (this.isMine()) void this.judge("cleared", null, input);
    else panel.say(gettext("Nothing to clear"));
  }

  /** @this {Page} */
  undo() {
    const { undoing } = this.session;
    const { documentId, url } = undoing.step(this.wanted);
    if (documentId) return void this.open(documentId);
    if (!url) return panel.say(undoing.isUncut ? gettext("Nothing to undo") : gettext("Nothing more to undo until the server responds"));
    this.saving.goOn();
    location.assign(url);
  }

  // ---- what stands around the documents

  /** @this {Page} */
  showAround() {
    panel.showMine(this.item(), this.data.grades);
    panel.allowPostponing(this.canPostpone());
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.showProgress(), DRAWN_AFTER);
  }

  /** What can wait until the document has been drawn: it would be drawn later with this. @this {Page} */
  showProgress() {
    const { queue, data } = this;
    panel.showProgress(queue, this.session.pace.timeLeft(queue.counts().open));
    this.showReady();
    const titleOf = (/** @type {string} */ documentId) => this.titleOf(documentId) || data.titles[documentId] || documentId;
    panel.showLastJudged(queue, data.grades, titleOf, (documentId) => void this.open(documentId));
  }

  /** @this {Page} */
  showReady() {
    const { ready, open } = this.reach();
    panel.showReady(ready, open);
  }
}
