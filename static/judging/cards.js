/** The judging page for short documents: many on a screen, one key for each. What is stored is the same as on the page for one. */
import { gettext } from "../messages.js";
import { byId, pageData } from "../elements.js";
import { getJson } from "../session.js";
import { CardStage } from "./card_stage.js";
import { JudgingPage } from "./judging_page.js";
import { NextCards } from "./next_cards.js";
import * as panel from "./panel.js";

const DRAWN_AFTER = 30;
const RELOAD_AFTER = 1_000;
const AGAIN = 3_000;

class CardsPage extends JudgingPage {
  constructor(/** @type {any} */ data) {
    super(data);
    this.stage = new CardStage(byId("cards"), (card) => this.loaded(card));
    this.coming = new NextCards(this.session, this.stage);
    this.wanted = /** @type {string | null} */ (null);
    this.isStale = false;
    this.input.add({ whole: () => this.stage.current && location.assign(this.stage.current.alone) });
  }

  begin() {
    this.session.more.stored();
    this.coming.returned();
    return this.nextBatch();
  }

  clicked(/** @type {MouseEvent} */ event) {
    const target = event.target instanceof Element ? event.target : null;
    const place = target?.closest(".card");
    const card = place && this.stage.cards.find((one) => one.place === place);
    if (card && !target?.closest("a")) this.choose(card);
    else super.clicked(event);
  }

  // ---- cards

  isShown(/** @type {string} */ documentId) {
    return this.wanted === documentId || (this.stage.current?.has(documentId) ?? false);
  }

  focus() {
    (this.stage.current?.place ?? this.stage.scroller).focus({ preventScroll: true });
  }

  frames() {
    return this.stage.cards.flatMap(({ members }) => members.map(({ frame }) => frame));
  }

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
    this.session.pace.start();
    this.saving.documentCame();
    if (!first) return void this.nextBatch(); // what was judged elsewhere meanwhile was taken away
    void this.coming.complete(batch).then(() => {
      if (this.isStale) this.reload();
      else if (this.stage.batch === batch) this.coming.prefetch();
    });
  }

  nothingLeft(/** @type {Batch} */ batch) {
    this.stage.drop(batch);
    if (!this.queue.counts().open) return this.showInstead(this.session.more.areAwaited ? "awaited-template" : "finished-template");
    const left = this.stage.cards.find((card) => this.isOpen(card));
    if (left) return this.choose(left);
    this.showAround();
    panel.say(gettext("The next documents could not be loaded; trying again"));
    setTimeout(() => void this.nextBatch(), AGAIN);
  }

  showInstead(/** @type {string} */ template) {
    if (this.stage.batch) this.stage.drop(this.stage.batch);
    this.stage.leave();
    this.wanted = null;
    byId("cards-message").replaceChildren(byId(template).content.cloneNode(true));
    this.keyboard.labelPage();
    panel.allowJudging(false);
    this.showAround();
    /** @type {HTMLElement | null} */ (document.querySelector(".finished a.button"))?.focus();
  }

  moreCame() {
    if (this.stage.batch === null) void this.nextBatch();
    else this.showAround();
  }

  loaded(/** @type {Card} */ card) {
    for (const { shown, frame } of card.members) {
      if (shown.account !== this.data.account) return this.saving.signedOut();
      if (this.isOutdated({ topic: shown.topic_version, guidelines: shown.guideline_version })) this.isStale = true;
      this.preferences.dress(frame.contentDocument);
      this.session.learn(shown);
    }
    this.showCard(card);
  }

  showCard(/** @type {Card} */ card) {
    const item = this.queue.item(card.first.document_id);
    const isMine = item.state === "mine" && !this.isOpen(card);
    const name = isMine ? panel.nameOfJudgment(item, this.data.grades) : this.isLater(card) ? "Postponed" : "";
    card.showJudged(isMine ? item : null, name);
  }

  isOpen(/** @type {Card} */ card) {
    return card.members.some(({ shown }) => this.queue.item(shown.document_id).state === "open");
  }

  isLater(/** @type {Card} */ card) {
    return Boolean(this.queue.item(card.first.document_id).later);
  }

  choose(/** @type {Card} */ card) {
    if (this.saving.isLeaving) return;
    this.stage.choose(card);
    this.wanted = card.first.document_id;
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

  openAfter(/** @type {Card | null} */ card) {
    const { cards } = this.stage;
    const at = card ? cards.indexOf(card) : -1;
    return [...cards.slice(at + 1), ...cards.slice(0, at + 1)].find((one) => this.isOpen(one) && !this.isLater(one));
  }

  /**
   * Shows the card of a document that is asked for, as by undo or for a judgment that was refused: on the screen if it is there, else among
   * those it was judged with, before those that are.
   */
  async open(/** @type {string} */ documentId) {
    const { coming, stage } = this;
    const card = stage.cardOf(documentId);
    if (card) return this.choose(card);
    const batch = await coming.these(coming.judgedWith(documentId));
    const wanted = batch.cards.find((one) => one.has(documentId));
    if (!wanted) {
      stage.drop(batch);
      return this.didNotCome(documentId);
    }
    const before = stage.batch; // other cards than at first, where another document was opened meanwhile
    if (before) coming.drop(Promise.resolve(before));
    await stage.show(batch);
    if (stage.batch === batch) this.choose(wanted);
  }

  /** The page of the document alone says why, unless the server does not respond: then this page stays. @param {string} documentId */
  async didNotCome(documentId) {
    const { document_url: address, account } = this.data;
    const headers = { "X-Account": encodeURIComponent(account) };
    const answer = await getJson(address + encodeURIComponent(documentId), headers).catch(() => null);
    if (answer) return location.assign(this.coming.wantedOf(documentId).alone);
    panel.say(gettext("The server does not respond, and the document could not be loaded"));
    if (!this.stage.current) void this.next(null);
  }

  /** Shows the cards on the screen, and loads those after them, with other marks. */
  async markAgain() {
    const { coming, stage } = this;
    const { batch, current } = stage;
    this.session.texts.clear();
    coming.drop();
    if (!batch) return;
    await coming.complete(batch);
    const fresh = await coming.these(batch.cards.flatMap(({ members }) => members.map(({ shown }) => shown.document_id)));
    if (stage.batch !== batch || !fresh.cards.length) return stage.drop(fresh);
    const documentId = (stage.current ?? current)?.first.document_id ?? "";
    const top = stage.scroller.scrollTop;
    const painted = stage.show(fresh);
    stage.scroller.scrollTop = top;
    const card = stage.cardOf(documentId);
    if (card) this.choose(card);
    stage.drop(batch);
    await painted;
    coming.prefetch();
  }

  forget(/** @type {string} */ documentId) {
    this.session.texts.forget(this.queue.place(documentId));
    const card = this.stage.cardOf(documentId);
    if (!card || !this.stage.batch) return;
    this.stage.batch.cards = this.stage.cards.filter((one) => one !== card);
    card.place.remove();
    if (this.stage.current === card) this.stage.leave();
    this.stage.refit();
  }

  look(/** @type {1 | -1} */ by) {
    const card = this.stage.neighbour(by);
    this.queue.undone = 0;
    if (card) this.choose(card);
    else if (by === 1 && !this.openAfter(null))
      void this.next(null); // as where one stays after grading
    else panel.say(by === 1 ? gettext("Judge or postpone these cards first") : gettext("This is the first card"));
  }

  async putOff() {
    const card = this.stage.current;
    if (!card || !this.isOpen(card)) return panel.say(gettext("Only documents not yet judged can be postponed"));
    for (const { shown } of card.members) this.session.later.toggle(shown.document_id);
    panel.say(this.isLater(card) ? gettext("Postponed until the end") : gettext("No longer postponed"));
    await (this.isLater(card) ? this.next(card) : this.showAround());
  }

  // ---- judging

  current() {
    return this.stage.current;
  }

  /** @returns {Card | null} */
  judgeable() {
    const why = this.saving.isLeaving ? gettext("The page is reloading") : this.stage.whyNot();
    const card = why ? null : this.stage.current;
    if (why) panel.showIgnored(why);
    return card && this.canJudge(...card.members.map(({ shown }) => shown)) ? card : null;
  }

  /**
   * Judges all documents of the current card, if it has been in full view for long enough; otherwise the key is dropped.
   * @param {string} kind @param {number | null} grade @param {Input} input @param {{reason?: string | null}} [more] why one cannot tell
   */
  async judge(kind, grade, input, { reason = null } = {}) {
    const card = this.judgeable();
    if (!card) return;
    this.stage.hold();
    this.saving.isMoving = true;
    const judgments = card.members.map(({ shown }, at) => {
      const { comment = "", rationales = [] } = this.queue.item(shown.document_id);
      const sameAs = at && kind !== "cleared" ? (shown.twin?.document_id ?? null) : null;
      const note = this.noteFor(shown, kind, reason, comment);
      const given = { kind, grade, input: sameAs === null ? input : "same", sameAs, note, rationales };
      const judgment = this.session.judgmentOf(shown, given);
      this.session.pace.start(); // the time is that of the first document
      return judgment;
    });
    await Promise.all(judgments.map((judgment) => this.session.keep(judgment)));
    if (kind === "cleared" || this.preferences.get("stay")) this.choose(card);
    else await this.next(card);
    await this.judged(card.first, judgments[0], panel.ignoredSoFar());
  }

  /** What is written beside a document stays on its own page. */
  keepDraft() {}

  isOutdated(/** @type {Versions} */ { topic, guidelines }) {
    return topic !== this.data.topic_version || guidelines !== this.data.guideline_version;
  }

  checkVersions(/** @type {Versions} */ versions) {
    if (this.isOutdated(versions)) this.reload();
  }

  /** Nothing more is judged under versions that are not in force; what was judged is kept. */
  reload() {
    this.isStale = true;
    this.saving.isLeaving = this.session.outbox.state.durable;
    this.stage.leave();
    panel.say(gettext("The topic or the guidelines have changed and are reloaded"));
    setTimeout(() => location.reload(), RELOAD_AFTER);
  }

  signedIn() {
    super.signedIn();
    if (!this.stage.current) void this.nextBatch();
  }

  /** @this {CardsPage} @param {string} name */
  preferred(name) {
    super.preferred(name);
    if (name === "size" || name === "face") this.stage.fit();
  }

  // ---- what stands around the cards

  item() {
    const { current } = this.stage;
    return current && this.queue.item(current.first.document_id);
  }

  isMine() {
    const { current } = this.stage;
    return current !== null && !this.isOpen(current);
  }

  canPostpone() {
    const { current } = this.stage;
    return current !== null && this.isOpen(current);
  }

  showProgress() {
    for (const card of this.stage.cards) this.showCard(card); // the next one is on the screen by now, and was not held up
    super.showProgress();
    this.terms.count(this.stage.current?.first ?? null);
  }

  titleOf(/** @type {string} */ documentId) {
    return this.stage.cardOf(documentId)?.members.find(({ shown }) => shown.document_id === documentId)?.shown.title;
  }

  reach() {
    const open = this.queue.nextOpen(null, Infinity);
    const isHere = (/** @type {string} */ id) => this.stage.cardOf(id) !== null || this.session.texts.isReady(this.queue.place(id));
    return { ready: open.filter(isHere).length, open: open.length };
  }
}

void new CardsPage(pageData()).start();
