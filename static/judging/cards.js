/** The judging page for short documents: many on a screen, one key for each. What is stored is the same as on the page for one. */
import { byId, pageData } from "../elements.js";
import { Answers } from "./answers.js";
import { CannotTell } from "./cannot_tell.js";
import { CardInputHandler } from "./card_input.js";
import { CardStage } from "./card_stage.js";
import { moveAmong } from "./grades.js";
import { keyListener } from "./keys.js";
import { countJudgedEarlier } from "./judged_earlier.js";
import { Keyboard } from "./keyboard.js";
import { Later } from "./later.js";
import { MoreDocuments } from "./more_documents.js";
import { NextCards } from "./next_cards.js";
import { watchNotices } from "./notices.js";
import { OfflineState } from "./offline_state.js";
import { markAgain, openCard, returned } from "./open_card.js";
import { Outbox } from "./outbox.js";
import { Pace } from "./pace.js";
import * as panel from "./panel.js";
import { Preferences, PreferencesDialog } from "./preferences.js";
import { Queue } from "./queue.js";
import { Rest } from "./rest.js";
import { Saving } from "./saving.js";
import { submission } from "./submission.js";
import { Terms } from "./terms.js";
import { Texts } from "./texts.js";
import { Tour } from "./tour.js";
import { Undo } from "./undo.js";

/** @typedef {import("./card.js").Card} Card */
/** @typedef {import("./card_stage.js").Batch} Batch */
/** @typedef {import("./input.js").Input} Input */

const DRAWN_AFTER = 30;
const RELOAD_AFTER = 1_000;
const AGAIN = 3_000;

export class CardsPage {
  /** @param {any} data what the server put into the page */
  constructor(data) {
    this.data = data;
    const owner = `${encodeURIComponent(data.campaign)}:${encodeURIComponent(data.account)}`;
    this.pace = new Pace(owner);
    this.queue = new Queue(data.queue, data.size);
    this.preferences = new Preferences(data.preferences, data.account, (name) => this.preferred(name));
    this.rest = new Rest(owner, data.breaks, this.preferences, () => this.pace.start());
    this.keyboard = new Keyboard(byId("keyboard"), data.actions, this.preferences);
    this.tour = new Tour(this.keyboard);
    this.reasons = new CannotTell(data.reasons, (name) => this.keyboard.map.get(name));
    this.texts = new Texts(
      data,
      () => this.preferences.get("ahead"),
      () => this.showReady(),
    );
    this.stage = new CardStage(byId("cards"), (card) => this.loaded(card));
    this.later = new Later(`${owner}:${encodeURIComponent(data.topic_id)}`, data, this.queue);
    this.more = new MoreDocuments(
      data,
      this.queue,
      () => this.moreCame(),
      () => this.answers.areUnsent(),
    );
    this.coming = new NextCards(this);
    this.terms = new Terms(
      data,
      () => void markAgain(this),
      () => this.stage.current?.place.focus({ preventScroll: true }),
    );
    this.isStale = false;
    this.timer = 0;
    /** What `Answers` asks of a page: which document is on the screen, and to show one again. */
    this.reader = {
      wanted: /** @type {string | null} */ (null),
      forget: (/** @type {string} */ documentId) => this.forget(documentId),
      open: (/** @type {string} */ documentId) => this.open(documentId),
      heardVersions: (/** @type {{topic: number, guidelines: number}} */ now) => this.heardVersions(now),
    };
    this.remarks = { keepDraft: () => {} };
    this.offline = new OfflineState(this);
    this.answers = new Answers(this);
    this.undoing = new Undo(this);
    this.outbox = new Outbox(data, (judgment) => this.answers.post(judgment), {
      onchange: () => this.saving.show(),
      onstored: (...stored) => this.answers.stored(...stored),
      onrenewed: (...renewed) => this.answers.renewed(...renewed),
      ondiscarded: (entry) => this.answers.discarded(entry),
    });
    this.saving = new Saving(this.outbox, data, {
      discarded: (entry) => this.answers.discarded(entry),
      look: (entry) => this.answers.lookAgain(entry),
      signedIn: () => this.signedIn(),
      isKept: () => this.offline.isKept,
    });
    this.input = new CardInputHandler(this);
  }

  async start() {
    await this.outbox.ready();
    await countJudgedEarlier(this);
    void this.offline.ready();
    panel.fitScreen();
    moveAmong(byId("grades"));
    document.addEventListener(
      "keydown",
      keyListener((name) => this.input.actionOf(name)),
    );
    document.addEventListener("click", (event) => this.input.clicked(event));
    new PreferencesDialog(byId("preferences"), this.preferences);
    this.saving.show();
    if (new URL(location.href).searchParams.has("tour")) this.tour.start();
    this.more.begin();
    this.coming.ahead = returned(this);
    await this.nextBatch();
    void this.outbox.run();
  }

  /** Whether a judgment is of this page. @param {Record<string, any>} judgment */
  isHere({ log, topic_id: topicId, document_id: documentId, norming }) {
    return log === this.data.log && topicId === this.data.topic_id && (norming ?? null) === null && this.queue.has(documentId);
  }

  /** Shows the next cards, once all that are on the screen are judged. */
  async nextBatch() {
    const before = this.stage.batch;
    let batch = await this.coming.take();
    if (!batch.cards.some((card) => this.isOpen(card))) {
      this.stage.drop(batch);
      batch = await this.coming.load(null);
    }
    if (this.stage.batch !== before) return this.coming.giveUp(batch, before);
    if (!batch.cards.length) return this.nothingLeft(batch);
    if (this.isStale) return this.reload();
    const painted = this.stage.show(batch);
    const first = batch.cards.find((card) => this.isOpen(card));
    if (first) this.choose(first); // in the frame that shows it
    if (before) setTimeout(() => this.stage.drop(before), DRAWN_AFTER); // taking away frames is slow; nobody waits for it
    await painted;
    this.pace.start();
    this.saving.documentCame();
    if (!first) return void this.nextBatch(); // what was judged elsewhere meanwhile was taken away
    void this.coming.complete(batch).then(() => {
      if (this.isStale) this.reload();
      else if (this.stage.batch === batch) this.coming.prefetch();
    });
  }

  /** @param {Batch} batch without a card */
  nothingLeft(batch) {
    this.stage.drop(batch);
    if (!this.queue.counts().open) return this.showInstead(this.more.areAwaited ? "awaited-template" : "finished-template");
    const left = this.stage.cards.find((card) => this.isOpen(card));
    if (left) return this.choose(left);
    this.showAround();
    panel.say("The next documents could not be loaded; trying again");
    setTimeout(() => void this.nextBatch(), AGAIN);
  }

  /** Words in the place of the cards. @param {string} template */
  showInstead(template) {
    if (this.stage.batch) this.stage.drop(this.stage.batch);
    this.stage.leave();
    this.reader.wanted = null;
    byId("cards-message").replaceChildren(byId(template).content.cloneNode(true));
    this.keyboard.labelPage();
    panel.allowJudging(false);
    this.showAround();
    /** @type {HTMLElement | null} */ (document.querySelector(".finished a.button"))?.focus();
  }

  /** Documents have come into the topic, or none is awaited any more. */
  moreCame() {
    if (this.stage.batch === null) void this.nextBatch();
    else this.showAround();
  }

  /** A card has its documents. @param {Card} card */
  loaded(card) {
    for (const { shown, frame } of card.members) {
      if (shown.account !== this.data.account) return this.saving.signedOut();
      if (shown.topic_version !== this.data.topic_version || shown.guideline_version !== this.data.guideline_version) this.isStale = true;
      this.preferences.dress(frame.contentDocument);
      const item = this.queue.item(shown.document_id);
      const { mine } = shown;
      if (!mine || item.uuid || mine.seq < (item.seq ?? 0)) continue;
      if (mine.seq > (item.seq ?? 0)) this.queue.restore(shown.document_id, mine);
      else if (mine.kind !== "cleared") Object.assign(item, { comment: mine.comment, rationales: mine.rationales });
    }
    this.showCard(card);
  }

  /** @param {Card} card */
  showCard(card) {
    const item = this.queue.item(card.first.document_id);
    const isMine = item.state === "mine" && !this.isOpen(card);
    card.showJudged(isMine ? item : null, isMine ? panel.nameOfJudgment(item, this.data.grades) : this.isLater(card) ? "Postponed" : "");
  }

  /** Whether a document of a card has no judgment. @param {Card} card */
  isOpen(card) {
    return card.members.some(({ shown }) => this.queue.item(shown.document_id).state === "open");
  }

  /** @param {Card} card */
  choose(card) {
    if (this.saving.isLeaving) return;
    this.stage.choose(card);
    this.reader.wanted = card.first.document_id;
    byId("cards-message").replaceChildren();
    panel.allowJudging(card.first.state !== "missing" && !this.data.shut);
    this.showAround();
  }

  /** Goes to the next card without a judgment; without `card`, to the first one. @param {Card | null} card */
  async next(card) {
    const following = this.openAfter(card);
    if (following) return this.choose(following);
    const { batch, current } = this.stage;
    if (batch) await this.coming.complete(batch);
    if (this.stage.batch !== batch || this.stage.current !== current) return; // another card was chosen meanwhile
    const more = this.openAfter(card);
    if (more) this.choose(more);
    else await this.nextBatch();
  }

  /** @param {Card | null} card */
  openAfter(card) {
    const { cards } = this.stage;
    const at = card ? cards.indexOf(card) : -1;
    return [...cards.slice(at + 1), ...cards.slice(0, at + 1)].find((one) => this.isOpen(one) && !this.isLater(one));
  }

  /** @param {Card} card */
  isLater(card) {
    return Boolean(this.queue.item(card.first.document_id).later);
  }

  /** Shows the card of a document. @param {string} documentId */
  open(documentId) {
    return openCard(this, documentId);
  }

  /** What is here of a document is not shown any more. @param {string} documentId */
  forget(documentId) {
    this.texts.forget({ document_id: documentId, against: this.queue.nearBefore(documentId) });
    const card = this.stage.cardOf(documentId);
    if (!card || !this.stage.batch) return;
    this.stage.batch.cards = this.stage.cards.filter((one) => one !== card);
    card.place.remove();
    if (this.stage.current === card) this.stage.leave();
    this.stage.refit();
  }

  /** @param {1 | -1} by */
  look(by) {
    const card = this.stage.neighbour(by);
    this.queue.undone = 0;
    if (card) this.choose(card);
    else if (by === 1 && !this.openAfter(null))
      void this.next(null); // as where one stays after grading
    else panel.say(by === 1 ? "Judge or postpone these cards first" : "This is the first card");
  }

  undo() {
    const documentId = this.undoing.back(this.reader.wanted);
    if (documentId) void this.open(documentId);
  }

  async putOff() {
    const card = this.stage.current;
    if (!card || !this.isOpen(card)) return panel.say("Only documents not yet judged can be postponed");
    for (const { shown } of card.members) this.later.toggle(shown.document_id);
    panel.say(this.isLater(card) ? "Postponed until the end" : "No longer postponed");
    await (this.isLater(card) ? this.next(card) : this.showAround());
  }

  /** The card that may be judged now; otherwise the press is dropped, and that is seen. @returns {Card | null} */
  onScreen() {
    const why = this.saving.isLeaving ? "The page is reloading" : this.stage.whyNot();
    const card = why ? null : this.stage.current;
    if (why) panel.showIgnored(why);
    else if (card?.members.some(({ shown }) => shown.state === "missing")) panel.showIgnored("No text: this document cannot be judged");
    else if (this.data.shut) panel.showIgnored("Not stored: the topic is not yours, or closed");
    else return card;
    return null;
  }

  /**
   * Judges all documents of the current card, if it has been in full view for long enough; otherwise the key is dropped.
   * @param {string} kind @param {number | null} grade @param {Input} input @param {string | null} [reason] why one cannot tell
   */
  async judge(kind, grade, input, reason = null) {
    const card = this.onScreen();
    if (!card) return;
    this.stage.hold();
    this.saving.isMoving = true;
    const seconds = this.pace.seconds();
    await Promise.all(card.members.map((member, at) => this.keep(member, at, { kind, grade, input, reason })));
    if (kind === "cleared" || this.preferences.get("stay")) this.choose(card);
    else await this.next(card);
    this.saving.moved(card.first.document_id);
    const ignored = panel.ignoredSoFar();
    setTimeout(() => {
      // done with the next card, it would hold that up
      this.pace.remember(seconds);
      if (kind !== "cleared") this.rest.judged(seconds);
      if (panel.ignoredSoFar() === ignored && !this.saving.isLeaving)
        panel.confirm(card.first.title || card.first.document_id, { kind, grade }, this.data.grades);
    }, DRAWN_AFTER);
  }

  /** Puts the judgment of one document into the outbox. @param {import("./card.js").Member} member @param {number} at its place on the card @param {{kind: string, grade: number | null, input: Input, reason: string | null}} given */
  keep({ shown }, at, { kind, grade, input, reason }) {
    const documentId = shown.document_id;
    const { seq, uuid: unsent, kind: before, comment = "", rationales = [] } = this.queue.item(documentId);
    const { data, pace } = this;
    const made = submission({ data, pace, remarks: { note: comment, rationales } }, shown, kind, grade, seq);
    const sameAs = at && kind !== "cleared" ? (shown.twin?.document_id ?? null) : null;
    const judgment = { ...made, input: sameAs === null ? input : "same", same_as: sameAs };
    if (reason !== null || kind === "grade") judgment.comment = this.reasons.note(reason ?? "", judgment.comment, before === "can't tell");
    const kept = this.outbox.add(judgment, unsent ?? null);
    this.queue.record(documentId, judgment);
    this.later.judged(documentId);
    this.more.judged();
    pace.start();
    return kept;
  }

  /** @param {Input} input */
  async cannotTell(input) {
    const card = this.onScreen();
    const reason = card && (await this.reasons.ask());
    if (reason === null) return;
    if (this.stage.current === card) void this.judge("can't tell", null, input, reason);
    else panel.showIgnored("Not stored: another card was chosen");
  }

  /** @param {Input} input */
  clear(input) {
    const { current } = this.stage;
    if (current && !this.isOpen(current)) void this.judge("cleared", null, input);
    else panel.say("Nothing to clear");
  }

  /** @param {{topic: number, guidelines: number}} now */
  heardVersions({ topic, guidelines }) {
    if (topic !== this.data.topic_version || guidelines !== this.data.guideline_version) this.reload();
  }

  /** Nothing more is judged under versions that are not in force; what was judged is kept. */
  reload() {
    this.isStale = true;
    this.saving.isLeaving = this.outbox.state.durable;
    this.stage.leave();
    panel.say("The topic or the guidelines have changed and are reloaded");
    setTimeout(() => location.reload(), RELOAD_AFTER);
  }

  signedIn() {
    void this.preferences.send();
    void this.later.send();
    if (!this.stage.current) void this.nextBatch();
  }

  /** @param {string} name */
  preferred(name) {
    if (name === "stay") panel.say(this.preferences.get("stay") ? "Stay after grading: on" : "Stay after grading: off");
    if (name !== "size" && name !== "face") return;
    for (const { members } of this.stage.cards) for (const { frame } of members) this.preferences.dress(frame.contentDocument);
    this.stage.fit();
  }

  showAround() {
    const { current } = this.stage;
    panel.showMine(current ? this.queue.item(current.first.document_id) : null, this.data.grades);
    panel.allowPostponing(current !== null && this.isOpen(current));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.showProgress(), DRAWN_AFTER);
  }

  showProgress() {
    for (const card of this.stage.cards) this.showCard(card); // the next one is on the screen by now, and was not held up
    panel.showProgress(this.queue, this.pace.timeLeft(this.queue.counts().open));
    this.showReady();
    const titleOf = (/** @type {string} */ documentId) =>
      this.stage.cardOf(documentId)?.members.find(({ shown }) => shown.document_id === documentId)?.shown.title ||
      this.data.titles[documentId] ||
      documentId;
    this.terms.count(this.stage.current?.first ?? null);
    panel.showLastJudged(this.queue, this.data.grades, titleOf, (documentId) => void this.open(documentId));
  }

  /** How far one can go without the network. */
  showReady() {
    const open = this.queue.nextOpen(null, Infinity);
    const isHere = (/** @type {string} */ documentId) =>
      this.stage.cardOf(documentId) !== null || this.texts.isReady({ document_id: documentId, against: this.queue.nearBefore(documentId) });
    panel.showReady(open.filter(isHere).length, open.length);
  }
}

watchNotices();
void new CardsPage(pageData()).start();
