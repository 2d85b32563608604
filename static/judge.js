/** The judging page: one key is a grade, its saving, and the next document. */
import { CommentBox } from "./comment.js";
import { Documents } from "./documents.js";
import { byId, pageData } from "./elements.js";
import { keyListener } from "./keys.js";
import { Outbox } from "./outbox.js";
import { Pace } from "./pace.js";
import * as panel from "./panel.js";
import { Queue } from "./queue.js";
import { Reader } from "./reader.js";
import { postJson, uuid4 } from "./session.js";
import { Viewer } from "./viewer.js";

const NARROW = "(max-width: 860px)";

/** @typedef {import("./documents.js").Shown} Shown */
/** @typedef {import("./outbox.js").Entry} Entry */

class JudgePage {
  /** @param {any} data what the server put into the page */
  constructor(data) {
    this.data = data;
    this.finished = false;
    const owner = `${encodeURIComponent(data.campaign)}:${encodeURIComponent(data.account)}`;
    this.pace = new Pace(owner);
    this.queue = new Queue(data.queue);
    this.onkeydown = keyListener((name) => this.actionOf(name));
    this.viewer = new Viewer(byId("document"), this.onkeydown);
    this.comment = new CommentBox(() => this.viewer.focus());
    this.documents = new Documents(data.document_url, data.account);
    this.reader = new Reader(this.documents, this.viewer, this.queue, data, {
      onleave: () => this.comment.leave(),
      onwanted: () => this.showAround(),
      onopen: (shown) => this.opened(shown),
      onshown: (shown) => this.arrived(shown),
    });
    const post = (/** @type {object} */ judgment) => postJson(data.judgments_url, judgment, data.account);
    this.outbox = new Outbox(data, post, { onchange: () => this.showSaving(), onstored: (...stored) => this.stored(...stored) });
    this.actions = this.makeActions();
  }

  async start() {
    await this.outbox.ready();
    this.replayUnsent();
    this.fitScreen();
    document.addEventListener("keydown", this.onkeydown);
    document.addEventListener("click", (event) => this.clicked(event));
    addEventListener("beforeunload", (event) => {
      if (this.outbox.entries().length) event.preventDefault();
    });
    const asked = new URL(location.href).searchParams.get("document");
    this.showSaving();
    this.showAround();
    if (asked !== null && this.queue.has(asked)) void this.reader.open(asked);
    else this.next(null);
    void this.outbox.run();
  }

  /** Judgments that an earlier visit could not send count as made. */
  replayUnsent() {
    for (const { uuid, judgment } of this.outbox.entries()) {
      const { topic_id: topicId, document_id: documentId, kind, grade, comment } = judgment;
      if (topicId === this.data.topic_id && this.queue.has(documentId)) this.queue.record(documentId, { kind, grade, comment, uuid });
    }
  }

  /** On a phone the topic is folded, and the page ends above the bar of grades. */
  fitScreen() {
    const bar = byId("controls");
    byId("topic").open = !matchMedia(NARROW).matches;
    const fit = () => document.documentElement.style.setProperty("--thumb-bar", `${bar.offsetHeight}px`);
    new ResizeObserver(fit).observe(bar);
  }

  // ---- moving

  /** @param {Shown} shown */
  opened({ document_id: documentId, mine }) {
    const item = this.queue.item(documentId);
    // The server's word on my judgment counts, unless a newer one is on its way there.
    if (mine && !item.uuid && mine.seq > (item.seq ?? 0)) this.judgedElsewhere(documentId, mine);
    else if (mine && !item.uuid && mine.seq === item.seq) item.comment = mine.kind === "cleared" ? "" : mine.comment;
    this.finished = false;
    this.comment.show(item);
  }

  /** @param {Shown} shown */
  arrived(shown) {
    this.pace.start();
    panel.allowJudging(shown.state !== "missing");
  }

  /** Goes to the next open document after this one. @param {string | null} documentId */
  next(documentId) {
    const next = this.queue.nextOpen(documentId)[0];
    if (next) void this.reader.open(next);
    else this.finish();
  }

  /** @param {1 | -1} step */
  look(step) {
    const documentId = this.queue.neighbour(this.reader.wanted, step);
    if (documentId) void this.reader.open(documentId);
    else panel.showIgnored(step === 1 ? "This is the last document" : "This is the first document");
  }

  undo() {
    const documentId = this.queue.previouslyJudged(this.reader.wanted);
    if (documentId) void this.reader.open(documentId);
    else panel.showIgnored("Nothing to undo");
  }

  finish() {
    this.reader.close(byId("finished-template").content.cloneNode(true));
    this.finished = true;
    panel.allowJudging(false);
    this.comment.show(null);
    this.showAround();
    const next = document.querySelector(".finished a.button");
    if (next instanceof HTMLElement) next.focus();
  }

  // ---- judging

  /**
   * Judges the document on the screen, if it has been there long enough; otherwise the key is dropped.
   * @param {string} kind @param {number | null} grade
   */
  async judge(kind, grade) {
    const shown = this.reader.seen;
    if (!shown) return panel.showIgnored(this.finished ? "The topic is done" : "Key ignored: no document yet");
    if (shown.state === "missing") return panel.showIgnored("No text: it cannot be judged");
    const documentId = shown.document_id;
    const { seq, uuid: unsent } = this.queue.item(documentId);
    const judgment = this.submission(shown, kind, grade, seq);
    const kept = this.outbox.add(judgment, unsent ?? null);
    this.queue.record(documentId, judgment);
    this.pace.remember(judgment.active_seconds);
    this.comment.sent();
    this.reader.leave();
    await kept;
    if (kind === "cleared") void this.reader.open(documentId);
    else this.next(documentId);
  }

  /** What is sent. @param {Shown} shown @param {string} kind @param {number | null} grade @param {number | null} replaces */
  submission(shown, kind, grade, replaces) {
    return {
      uuid: uuid4(),
      topic_id: this.data.topic_id,
      document_id: shown.document_id,
      pool: shown.pool,
      text_hash: shown.text_hash,
      topic_version: this.data.topic_version,
      guideline_version: this.data.guideline_version,
      kind,
      grade,
      replaces,
      client_at: new Date().toISOString(),
      active_seconds: this.pace.seconds(),
      comment: kind === "cleared" ? "" : this.comment.text,
    };
  }

  /** My judgment of the document on the screen, if there is one. */
  mine() {
    const item = this.reader.shown && this.queue.item(this.reader.shown.document_id);
    return item?.state === "mine" ? item : null;
  }

  clear() {
    if (this.mine()) this.judge("cleared", null);
    else panel.showIgnored("Nothing to clear");
  }

  /** Sends the judgment of this document again, with the comment as it is now. */
  keepComment() {
    const mine = this.mine();
    if (mine) this.judge(String(mine.kind), mine.grade);
  }

  /** A judgment is stored, from this tab or from another one. @param {Entry} entry @param {any} stored */
  stored({ judgment, uuid }, stored) {
    const { topic_id: topicId, document_id: documentId } = judgment;
    if (topicId !== this.data.topic_id || !this.queue.has(documentId)) return;
    const item = this.queue.item(documentId);
    if (item.uuid) this.queue.acknowledge(documentId, uuid, stored.seq);
    else if (stored.seq > (item.seq ?? 0)) this.judgedElsewhere(documentId, stored);
  }

  /** Another tab or machine of mine judged this document. @param {string} documentId @param {any} judgment */
  judgedElsewhere(documentId, judgment) {
    this.queue.restore(documentId, judgment);
    this.showAround();
  }

  /** Gives up a refused judgment: what the server has is in force again. @param {Entry} entry */
  discard(entry) {
    const { document_id: documentId, topic_id: topicId } = entry.judgment;
    void this.outbox.discard(entry.uuid);
    if (topicId !== this.data.topic_id || !this.queue.has(documentId)) return;
    this.queue.restore(documentId, entry.refused?.current ?? null);
    this.documents.forget(documentId);
    if (this.reader.wanted === documentId) void this.reader.open(documentId);
    else this.showAround();
  }

  /** Gives up a refused judgment, and shows its document as the server has it now. @param {Entry} entry */
  lookAgain(entry) {
    const { document_id: documentId, topic_id: topicId } = entry.judgment;
    this.discard(entry);
    if (topicId === this.data.topic_id && this.queue.has(documentId)) void this.reader.open(documentId);
    else location.assign(`?topic=${encodeURIComponent(topicId)}&document=${encodeURIComponent(documentId)}`);
  }

  // ---- keys and buttons

  /** What keys and buttons do besides grading, by the names that the page's markup uses. */
  makeActions() {
    return new Map(
      Object.entries({
        "cannot tell": () => this.judge("can't tell", null),
        undo: () => this.undo(),
        clear: () => this.clear(),
        previous: () => this.look(-1),
        next: () => this.look(1),
        comment: () => this.comment.focus(),
        "keep comment": () => this.keepComment(),
        keys: () => byId("keys").showModal(),
      }),
    );
  }

  /** @param {string} name @returns {(() => void) | undefined} */
  actionOf(name) {
    if (byId("keys").open) return undefined;
    const button = this.data.grades.find((/** @type {panel.GradeButton} */ one) => one.key === name);
    if (button) return () => this.judge("grade", button.grade);
    if (/^[0-9]$/.test(name)) return () => panel.showIgnored(`${name} is not a grade of this campaign`);
    return this.actions.get(this.data.keys[name]);
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    // The second click of a double click was meant for the document that is gone.
    if (!button || event.detail > 1) return;
    if (button.dataset.grade !== undefined) this.judge("grade", Number(button.dataset.grade));
    else if (button.dataset.action) this.actions.get(button.dataset.action)?.();
  }

  // ---- what stands around the document

  showAround() {
    const { wanted } = this.reader;
    panel.showProgress(this.queue, this.pace.timeLeft(this.queue.counts().open));
    panel.showMine(wanted === null ? null : this.queue.item(wanted), this.data.grades);
    const titleOf = (/** @type {string} */ documentId) => this.documents.ready(documentId)?.title || documentId;
    panel.showLastJudged(this.queue, this.data.grades, titleOf, (documentId) => void this.reader.open(documentId));
  }

  showSaving() {
    const state = this.outbox.state;
    panel.showSaveState(state);
    panel.showProblems(state.refused, this.data.grades, {
      keep: (entry) => void this.outbox.keepMine(entry.uuid),
      look: (entry) => this.lookAgain(entry),
      discard: (entry) => this.discard(entry),
    });
  }
}

void new JudgePage(pageData()).start();
