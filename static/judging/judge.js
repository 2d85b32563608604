/** The judging page: one key is a grade, its saving, and the next document. */
import { byId, pageData, setAttribute } from "../elements.js";
import { Answers } from "./answers.js";
import { CannotTell } from "./cannot_tell.js";
import { Find } from "./find.js";
import { moveAmong } from "./grades.js";
import { InputHandler } from "./input.js";
import { Folds } from "./folds.js";
import { Hits } from "./hits.js";
import { countJudgedEarlier } from "./judged_earlier.js";
import { Keyboard } from "./keyboard.js";
import { isBusy, keyListener } from "./keys.js";
import { Later } from "./later.js";
import { MoreDocuments } from "./more_documents.js";
import { watchNotices } from "./notices.js";
import { OfflineState } from "./offline_state.js";
import { Outbox } from "./outbox.js";
import { Pace } from "./pace.js";
import * as panel from "./panel.js";
import { Preferences, PreferencesDialog } from "./preferences.js";
import { Queue } from "./queue.js";
import { Reader } from "./reader.js";
import { Remarks, excessOf } from "./remarks.js";
import { Rest } from "./rest.js";
import { Saving } from "./saving.js";
import { submission } from "./submission.js";
import { Texts } from "./texts.js";
import { Terms } from "./terms.js";
import { Tour } from "./tour.js";
import { Twins } from "./near_duplicates.js";
import { Undo } from "./undo.js";
import { Viewer } from "./viewer.js";
import { WayBack } from "./way_back.js";

/** @typedef {import("./viewer.js").Shown} Shown */
/** @typedef {import("./input.js").Input} Input */

/** Milliseconds within which the next document is usually on the screen. */
const DRAWN_AFTER = 30;
/** Buttons of what is done within a document. */
const WITHIN = ".reading button:not(.letter, .letters)";

export class JudgePage {
  /** @param {any} data what the server put into the page */
  constructor(data) {
    this.data = data;
    this.finished = false;
    this.timer = 0;
    const owner = `${encodeURIComponent(data.campaign)}:${encodeURIComponent(data.account)}`;
    const ofTopic = `${owner}:${encodeURIComponent(data.topic_id)}${data.norming ? `:norming ${data.norming}` : ""}`;
    this.pace = new Pace(owner);
    this.queue = new Queue(data.queue, data.size);
    this.preferences = new Preferences(data.preferences, data.account, (name) => this.preferred(name));
    this.rest = new Rest(owner, data.breaks, this.preferences, () => this.pace.start());
    this.keyboard = new Keyboard(byId("keyboard"), data.actions, this.preferences);
    this.tour = new Tour(this.keyboard);
    this.reasons = new CannotTell(data.reasons, (name) => this.keyboard.map.get(name));
    this.onkeydown = keyListener((name) => this.input.actionOf(name));
    this.viewer = new Viewer(
      byId("document"),
      byId("stage"),
      (inside) => this.frameLoaded(inside),
      (address) => this.reader.held(address),
    );
    this.texts = new Texts(
      data,
      () => this.preferences.get("ahead"),
      () => this.showReady(),
    );
    this.viewer.onsigns.push(() => this.pace.tick());
    this.hits = new Hits(this.viewer, panel.say);
    this.folds = new Folds(ofTopic, this.viewer, panel.say);
    this.viewer.onsigns.push(() => this.folds.look());
    this.find = new Find(this.viewer, this.hits);
    this.remarks = new Remarks(ofTopic, this.viewer, this.hits, panel.say);
    this.later = new Later(ofTopic, data, this.queue);
    this.wayBack = new WayBack(this);
    this.more = new MoreDocuments(
      data,
      this.queue,
      () => this.moreCame(),
      () => this.answers.areUnsent(),
    );
    this.reader = new Reader(this.viewer, this.queue, this.texts, data, {
      onleave: (next) => this.left(next),
      onwanted: () => this.showAround(),
      onsignedout: () => this.saving.signedOut(),
      onfailed: () => this.nothingShown(),
      onopen: (shown) => this.opened(shown),
      onshown: (shown) => this.arrived(shown),
    });
    this.twins = new Twins(this.queue, data.grades);
    this.terms = new Terms(
      data,
      () => this.markAnew(),
      () => this.viewer.focus(),
    );
    this.answers = new Answers(this);
    this.undoing = new Undo(this);
    this.outbox = new Outbox(data, (judgment) => this.answers.post(judgment), {
      onchange: () => this.saving.show(),
      onstored: (...stored) => this.answers.stored(...stored),
      onrenewed: (...renewed) => this.answers.renewed(...renewed),
      ondiscarded: (entry) => this.answers.discarded(entry),
    });
    this.offline = new OfflineState(this);
    this.saving = new Saving(this.outbox, data, {
      isKept: () => this.offline.isKept,
      discarded: (entry) => this.answers.discarded(entry),
      look: (entry) => this.answers.lookAgain(entry),
      signedIn: () => this.signedIn(),
    });
    this.input = new InputHandler(this);
  }

  async start() {
    await this.outbox.ready();
    await countJudgedEarlier(this);
    this.undoing.arrive();
    const copied = this.offline.ready();
    if (this.offline.downloaded) await copied;
    this.preferred("opening");
    panel.fitScreen();
    moveAmong(byId("grades"));
    document.addEventListener("keydown", this.onkeydown);
    document.addEventListener("click", (event) => this.input.clicked(event));
    document.addEventListener("close", (event) => this.dialogClosed(event), { capture: true });
    new PreferencesDialog(byId("preferences"), this.preferences);
    const { searchParams } = new URL(location.href);
    const asked = searchParams.get("document");
    this.saving.show();
    if (searchParams.has("tour")) this.tour.start();
    this.showAround();
    if (asked !== null && this.queue.has(asked)) void this.reader.open(asked);
    else if (asked !== null) this.showInstead("not-here-template");
    else this.next(null);
    this.more.begin();
    void this.outbox.run();
  }

  /** Whether a judgment is of this page: of its topic, or of its norming session. @param {Record<string, any>} judgment */
  isHere({ log, topic_id: topicId, document_id: documentId, norming }) {
    return log === this.data.log && topicId === this.data.topic_id && (norming ?? null) === this.data.norming && this.queue.has(documentId);
  }

  // ---- documents

  /** A frame has its document: it hears the page's keys, shows its text as large as wished, and counts as being here. @param {Window} inside */
  frameLoaded(inside) {
    inside.document.addEventListener("keydown", this.onkeydown);
    this.preferences.dress(inside.document);
    this.pace.watch(inside);
    this.hits.watch(inside);
    this.folds.watch(inside.document);
  }

  /** @param {string | null} next the document that comes, if it is known */
  left(next) {
    this.folds.leave();
    this.find.leave();
    this.remarks.leave(next);
  }

  /** @param {Shown} shown */
  opened(shown) {
    const { document_id: documentId, mine } = shown;
    const item = this.queue.item(documentId);
    // The server's word on my judgment counts, unless a newer one is on its way there or has come back since.
    if (mine && !item.uuid && mine.seq > (item.seq ?? 0)) this.answers.judgedElsewhere(documentId, mine);
    else if (mine && !item.uuid && mine.seq === item.seq && mine.kind !== "cleared") {
      Object.assign(item, { comment: mine.comment, rationales: mine.rationales });
    }
    this.finished = false;
    this.folds.open(documentId);
    this.hits.open(shown);
    this.remarks.show(item);
    this.twins.show(shown);
  }

  /** @param {Shown} shown */
  arrived(shown) {
    this.pace.start();
    this.saving.documentCame();
    this.hits.arrived();
    this.remarks.mark();
    this.terms.count(shown);
    panel.allowJudging(shown.state !== "missing" && !this.data.shut);
  }

  /** No document came: nothing of the one before stands around its place. */
  nothingShown() {
    this.hits.map.show([]);
    panel.allowJudging(false);
  }

  /** Goes to the next open document after this one. @param {string | null} documentId */
  next(documentId) {
    const next = this.queue.nextOpen(documentId)[0];
    if (next) void this.reader.open(next);
    else if (this.more.areAwaited) this.showInstead("awaited-template");
    else this.finish();
  }

  /** Documents have come into the topic, or none is awaited any more. */
  moreCame() {
    if (this.reader.wanted === null) this.next(null);
    else this.showAround();
  }

  /** @param {1 | -1} step */
  look(step) {
    const documentId = this.queue.neighbour(this.reader.wanted, step);
    this.queue.undone = 0;
    if (documentId) void this.reader.open(documentId);
    else panel.say(step === 1 ? "This is the last document" : "This is the first document");
  }

  undo() {
    const documentId = this.undoing.back(this.reader.wanted);
    if (documentId) void this.reader.open(documentId);
  }

  putOff() {
    const documentId = this.onScreen()?.document_id;
    if (documentId === undefined) return;
    if (this.data.norming) return panel.say("Documents cannot be postponed in a norming session");
    if (this.queue.item(documentId).state !== "open") return panel.say("Only documents not yet judged can be postponed");
    const isLater = this.later.toggle(documentId);
    const isLast = this.queue.nextOpen(documentId)[0] === documentId;
    panel.say(isLater ? (isLast ? "Postponed, but no other document is open" : "Postponed until the end") : "No longer postponed");
    if (!isLater || isLast || this.preferences.get("stay")) this.showAround();
    else if (this.wayBack.isOpen) void this.wayBack.take(documentId);
    else this.next(documentId);
  }

  /** Words in the place of the documents. @param {string} template */
  showInstead(template) {
    this.reader.close(byId(template).content.cloneNode(true));
    panel.allowJudging(false);
    this.remarks.show(null);
    this.hits.map.show([]);
    this.showAround();
  }

  finish() {
    this.showInstead("finished-template");
    this.finished = true;
    this.keyboard.labelPage();
    const next = document.querySelector(".finished a.button");
    if (next instanceof HTMLElement) next.focus();
    else this.viewer.focus();
  }

  /** Other words are to be marked. */
  markAnew() {
    this.hits.keepPlace();
    this.reader.again();
  }

  // ---- judging

  /** The document that has been on the screen for long enough; without one the press is dropped, and that is seen. */
  onScreen() {
    const shown = this.saving.isLeaving ? null : this.reader.seen;
    if (!shown) panel.showIgnored(this.finished ? "Topic complete" : "Ignored: no document yet");
    return shown;
  }

  /**
   * Judges the document on the screen, if it has been there long enough; otherwise the key is dropped.
   * @param {string} kind @param {number | null} grade @param {Input} input @param {string | null} [sameAs] @param {string | null} [reason] why one cannot tell; null leaves the note as it is
   */
  async judge(kind, grade, input, sameAs = null, reason = null) {
    const shown = this.onScreen();
    if (!shown) return;
    if (shown.state === "missing") return panel.showIgnored("No text: this document cannot be judged");
    if (this.data.shut) return panel.showIgnored("Not stored: the topic is not yours, or closed");
    const documentId = shown.document_id;
    const { seq, uuid: unsent, kind: before } = this.queue.item(documentId);
    const judgment = { ...submission(this, shown, kind, grade, seq), input, same_as: sameAs };
    if (reason !== null || kind === "grade") judgment.comment = this.reasons.note(reason ?? "", judgment.comment, before === "can't tell");
    if (excessOf(judgment.comment)) return panel.showIgnored("Not stored: the note is too long");
    const ignored = panel.ignoredSoFar();
    this.saving.isMoving = true;
    const kept = this.outbox.add(judgment, unsent ?? null);
    this.queue.record(documentId, judgment);
    this.later.judged(documentId);
    this.more.judged();
    this.remarks.sent();
    this.reader.hold();
    await kept;
    const stays = kind === "cleared" || this.preferences.get("stay");
    if (this.reader.wanted === documentId) {
      if (stays) void this.reader.open(documentId);
      else if (!this.wayBack.isOpen) this.next(documentId);
    }
    this.saving.moved(documentId);
    await drawn();
    this.pace.remember(judgment.active_seconds);
    if (kind !== "cleared") this.rest.judged(judgment.active_seconds);
    // A key that was dropped meanwhile is to be seen; the judgment is seen on the list of the last ones.
    if (panel.ignoredSoFar() === ignored) panel.confirm(shown.title || documentId, judgment, this.data.grades);
    if (this.wayBack.isOpen && !stays) void this.wayBack.take(documentId);
  }

  /** Asks for a reason, if the campaign wants one, and judges the document that was on the screen then. @param {Input} input */
  async cannotTell(input) {
    const shown = this.onScreen();
    const canBeJudged = shown !== null && shown.state !== "missing" && !this.data.shut;
    const reason = canBeJudged ? await this.reasons.ask() : "";
    if (shown === null || reason === null) return;
    if (this.reader.shown === shown) void this.judge("can't tell", null, input, null, reason);
    else panel.showIgnored("Not stored: the document was shown again");
  }

  /** The grade of the near duplicate that was judged before, for this one too. @param {Input} input */
  sameAsBefore(input) {
    const twin = this.twins.offered(this.reader.shown);
    if (twin) void this.judge(String(twin.kind), twin.grade, input === "key" ? "same" : input, twin.document_id);
  }

  /** My judgment of the document on the screen, if there is one. */
  mine() {
    const item = this.reader.shown && this.queue.item(this.reader.shown.document_id);
    return item?.state === "mine" ? item : null;
  }

  /** @param {Input} input */
  clear(input) {
    if (this.mine()) void this.judge("cleared", null, input);
    else panel.say("Nothing to clear");
  }

  /** Sends the judgment of this document again, with note and rationales as they are now. @param {Input} input */
  keepRemarks(input) {
    const mine = this.mine();
    if (mine) void this.judge(String(mine.kind), mine.grade, input);
  }

  signedIn() {
    this.reader.retry();
    void this.preferences.send();
    void this.later.send();
  }

  // ---- what the assessor prefers

  /** Browsers do not give the focus back to a frame that had it before a dialog. @param {Event} event */
  dialogClosed({ target }) {
    const { activeElement } = document;
    const isLost = activeElement === document.body || /** @type {Node} */ (target).contains(activeElement);
    if (isLost && !isBusy()) this.viewer.focus();
  }

  /** A preference has changed, or is to be put into effect. @param {string} name */
  preferred(name) {
    const value = this.preferences.get(name);
    if (name === "opening") this.hits.opensPassage = value === "passage";
    if (name === "stay") panel.say(value ? "Stay after grading: on" : "Stay after grading: off");
    if (name === "size" || name === "face") {
      for (const { frame } of this.viewer.frames.values()) this.preferences.dress(frame.contentDocument);
    }
  }

  // ---- what stands around the document

  showAround() {
    const { wanted } = this.reader;
    const item = wanted === null ? null : this.queue.item(wanted);
    panel.showMine(item, this.data.grades);
    panel.allowPostponing(item?.state === "open" && !this.data.norming);
    this.twins.show(wanted === null ? null : this.reader.known(wanted));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.showProgress(), DRAWN_AFTER);
  }

  /** What can wait until the document has been drawn: it would be drawn later with this. */
  showProgress() {
    panel.showProgress(this.queue, this.pace.timeLeft(this.queue.counts().open));
    for (const button of document.querySelectorAll(WITHIN)) setAttribute(button, "aria-disabled", String(this.reader.wanted === null));
    this.showReady();
    panel.showLastJudged(
      this.queue,
      this.data.grades,
      (documentId) => this.titleOf(documentId),
      (documentId) => void this.reader.open(documentId),
    );
  }

  /** @param {string} documentId @returns {string} */
  titleOf(documentId) {
    return this.reader.known(documentId)?.title || this.data.titles[documentId] || documentId;
  }

  /** How far one can go without the network. */
  showReady() {
    panel.showReady(this.reader.ready, this.queue.counts().open);
  }
}

/** Resolves when the next document is usually on the screen. @returns {Promise<void>} */
const drawn = () => new Promise((resolve) => setTimeout(resolve, DRAWN_AFTER));

watchNotices();
void new JudgePage(pageData()).start();
