/** The judging page: one key is a grade, its saving, and the next document. */
import { Documents, NoDocument } from "./documents.js";
import { byId, element, pageData } from "./elements.js";
import { keyListener } from "./keys.js";
import { Outbox } from "./outbox.js";
import { Pace } from "./pace.js";
import * as panel from "./panel.js";
import { Queue } from "./queue.js";
import { postJson, uuid4 } from "./session.js";
import { Viewer } from "./viewer.js";

const AHEAD = 3;
const RETRY_DOCUMENT = 3_000;

/** @typedef {import("./documents.js").Shown} Shown */

class JudgePage {
  /** @param {any} data what the server put into the page */
  constructor(data) {
    this.data = data;
    this.queue = new Queue(data.queue);
    this.documents = new Documents(data.document_url);
    const owner = `${encodeURIComponent(data.campaign)}:${encodeURIComponent(data.account)}`;
    this.pace = new Pace(owner);
    const post = (/** @type {object} */ judgment) => postJson(data.judgments_url, judgment, data.account);
    this.outbox = new Outbox(owner, post, { onchange: () => this.showSaving(), onstored: (...stored) => this.stored(...stored) });
    this.onkeydown = keyListener((name) => this.actionOf(name));
    this.viewer = new Viewer(byId("document"), this.onkeydown);
    /** The document on the screen; null while none is. @type {Shown | null} */
    this.shown = null;
    /** The document that was asked for last. @type {string | null} */
    this.wanted = null;
    this.finished = false;
    this.failed = false;
    /** Comments that were typed and not sent. @type {Map<string, string>} */
    this.drafts = new Map();
    this.actions = this.makeActions();
  }

  start() {
    this.replayUnsent();
    byId("topic").open = !matchMedia("(max-width: 860px)").matches;
    const bar = byId("controls");
    const fit = () => document.documentElement.style.setProperty("--thumb-bar", `${bar.offsetHeight}px`);
    new ResizeObserver(fit).observe(bar);
    document.addEventListener("keydown", this.onkeydown);
    document.addEventListener("click", (event) => this.clicked(event));
    this.comment.addEventListener("input", () => this.commentChanged());
    this.comment.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.typedInComment(event));
    addEventListener("beforeunload", (event) => {
      if (this.outbox.entries().length) event.preventDefault();
    });
    addEventListener("focus", () => this.wanted !== null && this.failed && void this.open(this.wanted));
    const asked = new URL(location.href).searchParams.get("document");
    const first = this.queue.has(asked) ? asked : this.queue.nextOpen(null)[0];
    this.showSaving();
    this.showAround();
    if (first) void this.open(first);
    else this.finish();
    void this.outbox.run();
  }

  get comment() {
    return byId("comment");
  }

  /** Judgments that an earlier visit could not send count as made. */
  replayUnsent() {
    for (const { uuid, judgment } of this.outbox.entries()) {
      if (judgment.topic_id !== this.data.topic_id || !this.queue.has(judgment.document_id)) continue;
      this.queue.record(judgment.document_id, { ...this.judged(judgment), uuid });
    }
  }

  /** @param {any} judgment */
  judged({ kind, grade, comment, uuid }) {
    return { kind, grade, comment, uuid };
  }

  // ---- moving

  /** @param {string} documentId */
  async open(documentId) {
    this.leave();
    this.wanted = documentId;
    this.finished = false;
    this.failed = false;
    const shown = this.documents.ready(documentId) ?? (await this.fetch(documentId));
    if (!shown || this.wanted !== documentId) return;
    if (this.isOutdated(shown)) return this.reload();
    this.remember(shown);
    const painted = this.viewer.show(shown);
    history.replaceState(null, "", `?topic=${encodeURIComponent(this.data.topic_id)}&document=${encodeURIComponent(documentId)}`);
    this.comment.value = this.drafts.get(documentId) ?? this.queue.item(documentId).comment ?? "";
    this.showAround();
    await painted;
    if (this.wanted !== documentId) return;
    this.shown = shown;
    this.viewer.arrived();
    this.pace.start();
    panel.allowJudging(shown.state !== "missing");
    void this.fetchAhead(documentId);
  }

  /** From here on no key can judge what was shown. */
  leave() {
    const typed = this.comment.value;
    if (this.shown) {
      const kept = this.queue.item(this.shown.document_id).comment ?? "";
      if (typed !== kept) this.drafts.set(this.shown.document_id, typed);
    }
    this.shown = null;
    this.viewer.leave();
  }

  /** @param {string} documentId @returns {Promise<Shown | null>} */
  async fetch(documentId) {
    const slow = setTimeout(() => this.wanted === documentId && this.viewer.tell(element("p", { class: "notice" }, "Loading …")), 150);
    try {
      return await this.documents.fetch(documentId);
    } catch (error) {
      if (this.wanted === documentId) this.tellNoDocument(documentId, error);
      return null;
    } finally {
      clearTimeout(slow);
    }
  }

  /** @param {string} documentId @param {unknown} error */
  tellNoDocument(documentId, error) {
    this.failed = true;
    const status = error instanceof NoDocument ? error.status : 0;
    const why = status === 401 ? "You are signed out." : error instanceof Error ? error.message : String(error);
    byId("signed-out").hidden = status !== 401;
    const again = element("button", { type: "button", class: "small" }, "Try again");
    again.addEventListener("click", () => void this.open(documentId));
    this.viewer.tell(element("p", { class: "notice" }, `This document could not be loaded. ${why} `, again));
    if (status === 0 || status >= 500) {
      setTimeout(() => this.wanted === documentId && !this.shown && void this.open(documentId), RETRY_DOCUMENT);
    }
  }

  /** @param {string} documentId */
  async fetchAhead(documentId) {
    const around = [...this.queue.nextOpen(documentId, AHEAD), this.queue.neighbour(documentId, 1), this.queue.neighbour(documentId, -1)];
    const last = this.queue.history.at(-1);
    for (const coming of new Set([...around, last])) {
      if (!coming || this.wanted !== documentId) continue;
      const shown = await this.documents.fetch(coming).catch(() => null);
      if (shown) this.viewer.prepare(shown);
    }
  }

  /** Whether the topic or the guidelines beside the document are older than what the server has. @param {Shown} shown */
  isOutdated(shown) {
    return shown.topic_version !== this.data.topic_version || shown.guideline_version !== this.data.guideline_version;
  }

  reload() {
    this.viewer.tell(element("p", { class: "notice" }, "The topic or the guidelines have changed: they are loaded again."));
    setTimeout(() => location.reload(), 1_000);
  }

  /** Takes over what the server says about my judgment, unless a newer one is on its way. @param {Shown} shown */
  remember({ document_id: documentId, mine }) {
    const item = this.queue.item(documentId);
    if (!mine || item.uuid || (item.seq ?? 0) > mine.seq) return;
    item.comment = mine.kind === "cleared" ? "" : mine.comment;
    item.seq = mine.seq;
  }

  /** @param {1 | -1} step */
  look(step) {
    const documentId = this.queue.neighbour(this.wanted, step);
    if (documentId) void this.open(documentId);
    else panel.showIgnored(step === 1 ? "This is the last document" : "This is the first document");
  }

  undo() {
    const documentId = this.queue.previouslyJudged(this.wanted);
    if (documentId) void this.open(documentId);
    else panel.showIgnored("Nothing to undo");
  }

  finish() {
    this.leave();
    this.wanted = null;
    this.finished = true;
    panel.allowJudging(false);
    const template = byId("finished-template");
    this.viewer.tell(template.content.cloneNode(true));
    history.replaceState(null, "", `?topic=${encodeURIComponent(this.data.topic_id)}`);
    this.comment.value = "";
    this.showAround();
    const next = document.querySelector(".finished a.button");
    if (next instanceof HTMLElement) next.focus();
  }

  // ---- judging

  /**
   * Judges the document on the screen, if it has been there long enough; anything else drops the key.
   * @param {string} kind @param {number | null} grade
   */
  judge(kind, grade) {
    const shown = this.shown;
    if (!shown || !this.viewer.seen) return panel.showIgnored(this.finished ? "The topic is done" : "Key ignored: too early");
    if (shown.state === "missing") return panel.showIgnored("No text: cannot be judged");
    const documentId = shown.document_id;
    const item = this.queue.item(documentId);
    const uuid = uuid4();
    const seconds = this.pace.seconds();
    const comment = kind === "cleared" ? "" : this.comment.value.trim();
    this.outbox.add(this.submission(shown, { uuid, kind, grade, comment, seconds, replaces: item.seq }), item.uuid ?? null);
    this.queue.record(documentId, { kind, grade, uuid, comment });
    this.pace.remember(seconds);
    this.drafts.delete(documentId);
    this.comment.value = comment;
    if (kind === "cleared") void this.open(documentId);
    else this.next(documentId);
  }

  /** @param {string} documentId */
  next(documentId) {
    const next = this.queue.nextOpen(documentId)[0];
    if (next) void this.open(next);
    else this.finish();
  }

  /** @param {Shown} shown @param {any} judged */
  submission(shown, { uuid, kind, grade, comment, seconds, replaces }) {
    return {
      uuid,
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
      active_seconds: seconds,
      comment,
    };
  }

  clear() {
    const item = this.shown && this.queue.item(this.shown.document_id);
    if (item?.state === "mine") this.judge("cleared", null);
    else panel.showIgnored("Nothing to clear");
  }

  /** Sends the judgment of this document again, with the comment as it is now. */
  keepComment() {
    const item = this.shown && this.queue.item(this.shown.document_id);
    if (!this.shown || item?.state !== "mine") return;
    this.judge(/** @type {string} */ (item.kind), item.grade);
  }

  /** @param {import("./outbox.js").Entry} entry @param {any} stored */
  stored({ judgment, uuid }, stored) {
    if (judgment.topic_id === this.data.topic_id) this.queue.acknowledge(judgment.document_id, uuid, stored.seq);
  }

  /** Gives up a refused judgment: what the server has is in force again. @param {import("./outbox.js").Entry} entry */
  discard(entry) {
    const { document_id: documentId, topic_id: topicId } = entry.judgment;
    this.outbox.discard(entry.uuid);
    if (topicId !== this.data.topic_id || !this.queue.has(documentId)) return;
    this.queue.restore(documentId, entry.refused?.current ?? null);
    this.documents.forget(documentId);
    if (this.wanted === documentId) void this.open(documentId);
    else this.showAround();
  }

  /** Gives up a refused judgment, and shows its document as the server has it now. @param {import("./outbox.js").Entry} entry */
  lookAgain(entry) {
    const { document_id: documentId, topic_id: topicId } = entry.judgment;
    this.discard(entry);
    if (topicId === this.data.topic_id && this.queue.has(documentId)) void this.open(documentId);
    else location.assign(`?topic=${encodeURIComponent(topicId)}&document=${encodeURIComponent(documentId)}`);
  }

  // ---- keys, buttons, comment

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

  /** @param {KeyboardEvent} event */
  typedInComment(event) {
    if (event.key === "Escape" && !event.isComposing) this.viewer.article.focus({ preventScroll: true });
  }

  commentChanged() {
    const item = this.shown && this.queue.item(this.shown.document_id);
    byId("keep-comment").hidden = item?.state !== "mine" || this.comment.value.trim() === (item.comment ?? "");
  }

  // ---- what stands around the document

  showAround() {
    const item = this.wanted === null ? null : this.queue.item(this.wanted);
    panel.showProgress(this.queue, this.pace.timeLeft(this.queue.counts().open));
    panel.showMine(item, this.data.grades);
    const titleOf = (/** @type {string} */ documentId) => this.documents.ready(documentId)?.title || documentId;
    panel.showLastJudged(this.queue, this.data.grades, titleOf, (documentId) => void this.open(documentId));
    this.commentChanged();
  }

  showSaving() {
    const state = this.outbox.state;
    panel.showSaveState(state);
    panel.showProblems(state.refused, this.data.grades, {
      keep: (entry) => this.outbox.keepMine(entry.uuid),
      look: (entry) => this.lookAgain(entry),
      discard: (entry) => this.discard(entry),
    });
  }
}

new JudgePage(pageData()).start();
