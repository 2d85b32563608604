/** The judging page: one key is a grade, its saving, and the next document. */
import { gettext } from "../messages.js";
import { byId, pageData, setAttribute } from "../elements.js";
import { Asked, keyed } from "./asked.js";
import { JudgingPage } from "./judging_page.js";
import { isBusy } from "./keys.js";
import { LongAnswer } from "./long_answer.js";
import { Twins } from "./near_duplicates.js";
import { NuggetKey } from "./nugget_key.js";
import * as panel from "./panel.js";
import { Reader } from "./reader.js";
import { Reading } from "./reading.js";
import { excessOf } from "./remarks.js";
import { SecondLook } from "./second_look.js";
import { Unit } from "./unit.js";
import { WayBack } from "./way_back.js";

const WITHIN = ".reading button:not(.letter, .letters)";

class JudgePage extends JudgingPage {
  constructor(/** @type {any} */ data) {
    super(data);
    const { session, queue } = this;
    this.finished = false;
    this.reading = new Reading(
      session.ofTopic,
      session.preferences,
      (inside) => this.frameLoaded(inside),
      (address) => this.reader.held(address),
    );
    this.viewer = this.reading.viewer;
    this.viewer.onsigns.push(() => session.pace.tick());
    this.reader = new Reader(this.viewer, queue, session.texts, data, {
      onleave: (next) => this.reading.leave(next),
      onwanted: () => this.showAround(),
      onsignedout: () => this.saving.signedOut(),
      onfailed: () => this.nothingShown(),
      onopen: (shown) => this.opened(shown),
      onshown: (shown) => this.arrived(shown),
    });
    this.twins = new Twins(queue, data.grades);
    this.unit = new Unit(queue, this.viewer, data.grades);
    this.answer = new LongAnswer(
      data.answer,
      (grade, input, chosen) => this.judge("grade", grade, input, { chosen }),
      () => this.focus(),
    );
    this.input.grades = keyed(data);
    this.asked = new Asked(session, this.input, this.keyboard, this.answer);
    this.nuggetKey = new NuggetKey(data, this.reading.remarks, () => this.saving.signedOut());
    this.secondLook = new SecondLook(
      data,
      queue,
      (documentId) => this.titleOf(documentId) || data.titles[documentId] || documentId,
      (documentId) => this.open(documentId),
    );
    this.wayBack = new WayBack(session, this.saving, (documentId) => this.next(documentId));
    this.input.add({
      ...this.reading.actions(() => this.reader.shown !== null || this.onScreen() !== null),
      "same as before": (input) => this.sameAsBefore(input),
      "keep remarks": (input) => this.keepRemarks(input),
      "save answer": (input) => this.answer.give(input),
      "second look": () => this.secondLook.again(),
      ...(data.nuggets && { nugget: () => this.addNugget() }),
    });
    // Nothing of a pair is marked as a rationale, and there is no passage of two texts.
    if (data.of_pairs) for (const name of ["rationale", "whole"]) this.input.actions.delete(name);
  }

  async begin() {
    document.addEventListener("close", (event) => this.dialogClosed(event), { capture: true });
    const asked = new URL(location.href).searchParams.get("document");
    this.showAround();
    if (asked !== null && this.queue.has(asked)) this.open(asked);
    else if (asked !== null) this.showInstead("not-here-template");
    else this.next(null);
    this.session.more.stored();
  }

  /** @param {string} name @returns {(() => void) | undefined} */
  actionOf(name) {
    if (name === "Escape" && this.reading.find.isOpen) return () => this.reading.find.close();
    if (name === "Escape" && this.wayBack.isOpen) return () => this.wayBack.leave();
    return this.answer.actionOf(name) ?? super.actionOf(name);
  }

  // ---- documents

  /** A frame has its document: it hears the page's keys, and what happens in it counts as reading. @param {Window} inside */
  frameLoaded(inside) {
    inside.document.addEventListener("keydown", this.onkeydown);
    this.unit.dress(inside.document);
    this.session.pace.watch(inside);
  }

  get wanted() {
    return this.reader.wanted;
  }

  isShown(/** @type {string} */ documentId) {
    return this.wanted === documentId;
  }

  open(/** @type {string} */ documentId) {
    if (this.asked.current?.documentId !== documentId) this.asked.close();
    void this.reader.open(documentId);
  }

  forget(/** @type {string} */ documentId) {
    this.reader.forget(documentId);
  }

  focus() {
    this.viewer.focus();
  }

  frames() {
    return [...this.viewer.frames.values()].map(({ frame }) => frame);
  }

  opened(/** @type {Shown} */ shown) {
    if (this.session.learn(shown)) this.showAround();
    this.finished = false;
    this.unit.show();
    this.answer.show(this.item());
    this.reading.open(shown);
    this.reading.remarks.show(this.queue.item(shown.document_id));
    this.twins.show(shown);
  }

  arrived(/** @type {Shown} */ shown) {
    this.session.pace.start();
    this.saving.documentCame();
    this.reading.arrived();
    this.terms.count(shown);
    panel.allowJudging(shown.state !== "missing" && !this.data.shut);
  }

  /** No document came: nothing of the one before stands around its place. */
  nothingShown() {
    this.reading.hits.map.show([]);
    panel.allowJudging(false);
  }

  next(/** @type {string | null} */ documentId) {
    const next = this.queue.nextOpen(documentId)[0];
    if (next) this.open(next);
    else if (this.session.more.areAwaited) this.showInstead("awaited-template");
    else this.finish();
  }

  moreCame() {
    if (this.wanted === null) this.next(null);
    else this.showAround();
  }

  look(/** @type {1 | -1} */ step) {
    const documentId = this.queue.neighbour(this.wanted, step);
    this.queue.undone = 0;
    if (documentId) this.open(documentId);
    else panel.say(step === 1 ? gettext("This is the last document") : gettext("This is the first document"));
  }

  putOff() {
    const documentId = this.onScreen()?.document_id;
    if (documentId === undefined) return;
    if (this.data.norming) return panel.say(gettext("Documents cannot be postponed in a norming session"));
    if (this.queue.item(documentId).state !== "open") return panel.say(gettext("Only documents not yet judged can be postponed"));
    const isLater = this.session.later.toggle(documentId);
    const isLast = this.queue.nextOpen(documentId)[0] === documentId;
    const postponed = isLast ? gettext("Postponed, but no other document is open") : gettext("Postponed until the end");
    panel.say(isLater ? postponed : gettext("No longer postponed"));
    if (!isLater || isLast || this.preferences.get("stay")) this.showAround();
    else if (this.wayBack.isOpen) void this.wayBack.take(documentId);
    else this.next(documentId);
  }

  showInstead(/** @type {string} */ template) {
    this.asked.close();
    this.reader.close(byId(template).content.cloneNode(true));
    this.nothingShown();
    this.reading.remarks.show(null);
    this.showAround();
  }

  finish() {
    this.showInstead("finished-template");
    this.finished = true;
    this.keyboard.labelPage();
    const next = document.querySelector(".finished a.button");
    if (next instanceof HTMLElement) next.focus();
    else this.focus();
  }

  markAgain() {
    this.reading.hits.keepPlace();
    this.reader.again();
  }

  checkVersions(/** @type {Versions} */ versions) {
    this.reader.heardVersions(versions);
  }

  // ---- judging

  current() {
    return this.reader.shown;
  }

  /** The same, if it has been there for long enough; otherwise the press is dropped, and that is seen. */
  onScreen() {
    const shown = this.saving.isLeaving ? null : this.reader.seen;
    if (!shown) panel.showIgnored(this.finished ? gettext("Topic complete") : gettext("Ignored: no document yet"));
    return shown;
  }

  judgeable() {
    const shown = this.onScreen();
    return shown && this.canJudge(shown) ? shown : null;
  }

  /** @this {JudgePage} @param {number} grade @param {Input} input */
  pressed(grade, input) {
    if (!this.answer.how) super.pressed(grade, input);
    else if (this.judgeable()) this.answer.toggle(grade);
  }

  /**
   * @param {string} kind @param {number | null} grade @param {Input} input
   * @param {{reason?: string | null, sameAs?: string | null, chosen?: number | null}} [more] why one cannot tell, the near duplicate whose
   * grade it is, and the labels that were chosen
   */
  async judge(kind, grade, input, { reason = null, sameAs = null, chosen = null } = {}) {
    const shown = this.judgeable();
    if (!shown) return;
    const { document_id: documentId } = shown;
    const { remarks } = this.reading;
    const { isOpen: answers } = this.asked;
    const note = answers ? (reason ?? "") : this.noteFor(shown, kind, reason, remarks.note);
    const given = { kind, grade, input, sameAs, chosen, note, rationales: remarks.rationales };
    const judgment = this.asked.answer(this.session.judgmentOf(shown, given));
    if (excessOf(judgment.comment)) return panel.showIgnored(gettext("Not stored: the note is too long"));
    const ignored = panel.ignoredSoFar();
    const { grades } = this.asked.current?.panel.data ?? this.data;
    this.saving.isMoving = true;
    const kept = answers ? this.session.outbox.add(judgment, null) : this.session.keep(judgment);
    if (!answers) remarks.sent();
    this.reader.hold();
    await kept;
    this.asked.close();
    const stays = kind === "cleared" || this.preferences.get("stay");
    if (!answers) this.asked.begin(judgment);
    if (this.wanted === documentId) {
      if (stays) this.open(documentId);
      else if (!this.wayBack.isOpen) await this.goOn(documentId);
    }
    await this.judged(shown, judgment, ignored, grades);
    if (this.wayBack.isOpen && !stays) void this.wayBack.take(documentId);
  }

  /** Asks what else is asked about a document, or opens the next one. @param {string} documentId */
  async goOn(documentId) {
    const isAsked = await this.asked.follow(documentId);
    if (this.wanted !== documentId) return;
    if (isAsked) this.open(documentId);
    else this.next(documentId);
  }

  /** From a question about a document the first step leads back to its relevance. @this {JudgePage} */
  undo() {
    const { current } = this.asked;
    this.asked.close();
    if (current) this.open(current.documentId);
    else super.undo();
  }

  sameAsBefore(/** @type {Input} */ input) {
    if (this.asked.isOpen) return;
    const twin = this.twins.offered(this.reader.shown);
    if (twin)
      void this.judge(String(twin.kind), twin.grade, input === "key" ? "same" : input, { sameAs: twin.document_id, chosen: twin.chosen });
  }

  /** Sends the judgment of this document again, with note and rationales as they are now. @param {Input} input */
  keepRemarks(input) {
    const item = this.isMine() ? this.item() : null;
    if (item) void this.judge(String(item.kind), item.grade, input, { chosen: item.chosen });
  }

  addNugget() {
    const shown = this.onScreen();
    if (shown) void this.nuggetKey.add(shown);
  }

  signedIn() {
    this.reader.retry();
    super.signedIn();
  }

  /** @param {Entry} entry */
  stored(entry) {
    super.stored(entry);
    if (this.session.isHere(entry.judgment)) void this.secondLook.stored(entry.judgment);
  }

  keepDraft(/** @type {string} */ documentId, /** @type {string} */ note) {
    this.reading.remarks.keepDraft(documentId, note);
  }

  /** Browsers do not give the focus back to a frame that had it before a dialog. @param {Event} event */
  dialogClosed({ target }) {
    const { activeElement } = document;
    const isLost = activeElement === document.body || /** @type {Node} */ (target).contains(activeElement);
    if (isLost && !isBusy()) this.focus();
  }

  /** @this {JudgePage} @param {string} name */
  preferred(name) {
    super.preferred(name);
    if (name === "opening") this.reading.prefer();
  }

  // ---- what stands around the document

  item() {
    return this.wanted === null || this.asked.isOpen ? null : this.queue.item(this.wanted);
  }

  isMine() {
    return this.reader.shown !== null && this.item()?.state === "mine";
  }

  canPostpone() {
    return this.item()?.state === "open" && !this.data.norming;
  }

  showAround() {
    super.showAround();
    this.twins.show(this.wanted === null ? null : this.reader.known(this.wanted));
  }

  showProgress() {
    for (const button of document.querySelectorAll(WITHIN)) setAttribute(button, "aria-disabled", String(this.wanted === null));
    super.showProgress();
  }

  titleOf(/** @type {string} */ documentId) {
    return this.reader.known(documentId)?.title;
  }

  reach() {
    return { ready: this.reader.ready, open: this.queue.counts().open };
  }
}

void new JudgePage(pageData()).start();
