/**
 * One assessor's judging of one topic: the queue, the outbox, the pace, the preferences, what the server answers, and undo.
 * It knows no page. What shows the documents, one or many of them, is its view.
 */
import { getJson, postJson, uuid4 } from "../session.js";
import { postDecision } from "./decisions.js";
import { Later } from "./later.js";
import { MoreDocuments } from "./more_documents.js";
import { earliest } from "./next_topic.js";
import { OfflineState } from "./offline_state.js";
import { OtherMachines } from "./other_machines.js";
import { Outbox } from "./outbox.js";
import { Pace } from "./pace.js";
import { Preferences } from "./preferences.js";
import { Queue } from "./queue.js";
import { Texts } from "./texts.js";
import { Undo } from "./undo.js";

export class JudgingSession {
  constructor(/** @type {any} */ data, /** @type {View} */ view) {
    this.data = data;
    this.view = view;
    /** What tells this campaign and account from others, and this topic or norming session. */
    this.owner = [data.campaign, data.account].map(encodeURIComponent).join(":");
    this.ofTopic = `${this.owner}:${encodeURIComponent(data.topic_id)}${data.norming ? `:norming ${data.norming}` : ""}`;
    this.pace = new Pace(this.owner);
    this.queue = new Queue(data.queue, data.size);
    this.preferences = new Preferences(data.preferences, data.account, (name) => view.preferred?.(name));
    this.texts = new Texts(
      data,
      () => this.preferences.get("ahead"),
      () => view.showReady?.(),
    );
    this.later = new Later(this.ofTopic, data, this.queue);
    this.more = new MoreDocuments(
      data,
      this.queue,
      () => view.moreCame?.(),
      () => this.areUnsent(),
    );
    this.offline = new OfflineState(data, this.texts);
    this.outbox = new Outbox(data, (judgment) => this.post(judgment), {
      onchange: () => view.showSaving(),
      onstored: (...stored) => this.stored(...stored),
      onrenewed: (...renewed) => this.renewed(...renewed),
      ondiscarded: (entry) => this.discarded(entry),
    });
    this.machines = new OtherMachines(data.newest, this.outbox, () => {
      view.showOtherMachine?.();
      return this.refresh();
    });
    this.undoing = new Undo(this);
  }

  /** Whether a judgment is of this topic, or of this norming session. @param {Record<string, any>} judgment */
  isHere({ log, topic_id: topicId, document_id: documentId, norming, decision }) {
    const { data, queue } = this;
    return !decision && log === data.log && topicId === data.topic_id && (norming ?? null) === data.norming && queue.has(documentId);
  }

  areUnsent() {
    return this.outbox.entries().some(({ judgment, refused }) => !refused && this.isHere(judgment));
  }

  /**
   * Takes up what was judged before the page, and is not in what the server put into it: judgments that an earlier page
   * could not send count as made, and so do those that were acknowledged since this page was made or downloaded: the page
   * that was left for it, or others of a copy, sent them.
   */
  async begin() {
    const { data, outbox, queue } = this;
    await outbox.ready();
    const unsent = outbox.entries();
    const begun = this.offline.downloaded?.getTime() ?? performance.timeOrigin;
    // Asked for after what is unsent: what is acknowledged meanwhile is in one of the two.
    for (const { judgment, seq, time } of await outbox.receipts.since(Math.min(begun, earliest()))) {
      if (time < begun && seq <= data.newest) continue;
      if (!this.isHere(judgment)) {
        this.undoing.add(judgment, seq);
        continue;
      }
      const { document_id: documentId, kind, grade, comment, rationales = [], chosen } = judgment;
      if (seq > (queue.item(documentId).seq ?? 0)) queue.restore(documentId, { seq, kind, grade, comment, rationales, chosen });
    }
    // These come last, as they were made.
    for (const { uuid, judgment } of unsent) {
      const isWaiting = outbox.mirror.has(uuid);
      if (isWaiting && this.isHere(judgment)) queue.record(judgment.document_id, { .../** @type {any} */ (judgment), uuid });
    }
    this.undoing.arrive();
  }

  signedIn() {
    void this.preferences.send();
    void this.later.send();
  }

  // ---- judging

  /** A judgment as it is sent: what was shown, what was said of it, and how long it took. @param {Shown} shown @param {Given} given */
  judgmentOf(shown, { kind, grade, input, sameAs = null, note, rationales, chosen = null }) {
    const { data } = this;
    const isCleared = kind === "cleared";
    return {
      uuid: uuid4(),
      log: data.log,
      topic_id: data.topic_id,
      document_id: shown.document_id,
      pool: shown.pool,
      text_hash: shown.text_hash,
      ...(shown.left ? { left: shown.left } : {}),
      topic_version: data.topic_version,
      guideline_version: data.guideline_version,
      kind,
      grade,
      replaces: this.queue.item(shown.document_id).seq,
      client_at: new Date().toISOString(),
      active_seconds: this.pace.seconds(),
      comment: isCleared ? "" : note,
      rationales: isCleared ? [] : rationales,
      ...(data.norming ? { norming: data.norming } : {}),
      ...(chosen === null ? {} : { chosen }),
      input,
      same_as: sameAs,
    };
  }

  /** Keeps a judgment, and counts it as made; resolves when it is safe. @param {ReturnType<JudgingSession["judgmentOf"]>} judgment */
  keep(judgment) {
    const { document_id: documentId } = judgment;
    const kept = this.outbox.add(judgment, this.queue.item(documentId).uuid ?? null);
    this.queue.record(documentId, judgment);
    this.later.judged(documentId);
    this.more.judged();
    return kept;
  }

  // ---- what the server says

  async post(/** @type {Record<string, any>} */ judgment) {
    const { data, view } = this;
    if (judgment.decision) return postDecision(judgment, data.account);
    const answer = await postJson(data.judgments_url, judgment, data.account);
    const { versions, reason, current } = answer.body;
    if (versions) view.heardVersions?.(versions, judgment.topic_id === data.topic_id);
    // What was fetched at the same time may have changed too.
    if (reason === "text changed") {
      this.texts.clear();
      this.offline.forget(judgment);
    }
    if (reason === "replaced elsewhere") {
      void this.refresh();
      this.found(judgment, current?.seq);
    }
    return answer;
  }

  /** A row of the log is of this account, and of the topic of a judgment. @param {Record<string, any>} judgment @param {number | null} [seq] */
  found({ topic_id: topicId, norming }, seq) {
    const isHere = topicId === this.data.topic_id && !norming && !this.data.norming;
    this.machines.found(isHere ? (seq ?? 0) : 0);
  }

  /** Somewhere else the same account judges the same: what was judged there is not offered here any more, and what was cleared there is. */
  async refresh() {
    const { queue_url: address, norming } = this.data;
    const answer = norming ? null : await getJson(address).catch(() => null);
    const there = /** @type {Item[]} */ (answer?.status === 200 ? answer.body.queue : []);
    const taken = there.filter((item) => this.take(item));
    if (taken.some(({ state }) => state === "open")) this.view.moreCame?.();
    else this.view.showAround?.();
  }

  /** @param {Item} item as the server has it; my judgment that was cleared has its place in the log too @returns {boolean} */
  take({ document_id: documentId, state, kind, grade, seq, chosen }) {
    const { queue, view } = this;
    // What is on its way from here, or was stored after the answer, counts more.
    if (!queue.has(documentId) || queue.item(documentId).uuid || (seq ?? 0) <= (queue.item(documentId).seq ?? 0)) return false;
    queue.restore(documentId, { seq: seq ?? 0, kind: kind ?? "cleared", grade, comment: "", rationales: [], chosen });
    queue.item(documentId).state = state;
    if (!view.isShown?.(documentId)) view.forget?.(documentId);
    return true;
  }

  /**
   * A document has come with the server's word on my judgment, which counts unless a newer one is on its way there or has
   * come back since. @param {Shown} shown @returns {boolean} whether it is news
   */
  learn({ document_id: documentId, mine }) {
    const item = this.queue.item(documentId);
    const seq = item.seq ?? 0;
    if (!mine || item.uuid || mine.seq < seq) return false;
    if (mine.seq > seq) this.queue.restore(documentId, mine);
    else if (mine.kind !== "cleared") Object.assign(item, { comment: mine.comment, rationales: mine.rationales });
    return mine.seq > seq;
  }

  /** A judgment is stored, from this tab or from another one, perhaps for the second time. @param {Entry} entry @param {any} stored @param {number} [former] its place in a log that was lost */
  stored(entry, stored, former) {
    const { judgment, uuid } = entry;
    const { queue, view } = this;
    const { document_id: documentId } = judgment;
    if (judgment.decision) return view.stored(entry, stored);
    this.found(judgment, stored.before);
    if (!this.isHere(judgment)) return this.undoing.add(judgment, stored.seq);
    this.more.stored();
    const item = queue.item(documentId);
    if (item.uuid) queue.acknowledge(documentId, uuid, stored.seq);
    else if (former !== undefined && item.seq === former) item.seq = stored.seq;
    else if (stored.seq > (item.seq ?? 0)) {
      queue.restore(documentId, stored);
      view.showAround?.();
    }
    if (stored.again) this.again(stored.again);
    view.stored(entry, stored);
  }

  /** A document is to be judged as if it had not been. @param {string} documentId */
  again(documentId) {
    const { queue, view } = this;
    if (!queue.has(documentId) || view.isShown?.(documentId) || queue.item(documentId).uuid) return;
    view.forget?.(documentId);
    queue.reopen(documentId, view.wanted ?? null);
    view.showAround?.();
  }

  renewed(/** @type {Entry} */ { judgment, uuid }, /** @type {string} */ before) {
    if (!this.isHere(judgment)) return;
    const item = this.queue.item(judgment.document_id);
    if (item.uuid === before) item.uuid = uuid;
  }

  /** A refused judgment was given up: what the server has is in force again. @param {Entry} entry */
  discarded({ judgment, refused }) {
    const { queue, view } = this;
    const { document_id: documentId } = judgment;
    if (!this.isHere(judgment)) return;
    view.keepDraft?.(documentId, judgment.comment);
    queue.restore(documentId, refused?.current ?? null);
    if (refused?.reason === "judged by another") queue.item(documentId).state = "other";
    view.forget?.(documentId);
    if (view.wanted === documentId) view.open?.(documentId);
    else view.showAround?.();
  }
}
