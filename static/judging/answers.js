/** What the judging page does with what the server says of its judgments, and with what other tabs and machines did. */
import { getJson, postJson } from "../session.js";
import { NextTopic } from "./next_topic.js";
import { OtherMachines } from "./other_machines.js";

/** @typedef {import("./outbox.js").Entry} Entry */
/** @typedef {import("./judge.js").JudgePage} JudgePage */
/**
 * @typedef {Pick<JudgePage, "data" | "outbox" | "queue" | "undoing" | "texts" | "offline" | "more" | "preferences" | "isHere" | "showAround" | "moreCame">
 *   & {reader: Pick<JudgePage["reader"], "wanted" | "forget" | "open" | "heardVersions">, remarks: Pick<JudgePage["remarks"], "keepDraft">}} Page
 */

export class Answers {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.nextTopic = new NextTopic(page);
    this.machines = new OtherMachines(
      page.data.newest,
      () => page.outbox,
      () => this.refresh(),
      () => this.focus(),
    );
  }

  /** The focus goes to the document on the screen. */
  focus() {
    const { viewer, stage } = /** @type {any} */ (this.page);
    if (viewer) viewer.focus();
    else (stage.current?.place ?? stage.scroller).focus({ preventScroll: true });
  }

  /** @param {Record<string, any>} judgment */
  async post(judgment) {
    const answer = await postJson(this.page.data.judgments_url, judgment, this.page.data.account);
    const { versions } = answer.body;
    if (versions && judgment.topic_id === this.page.data.topic_id) this.page.reader.heardVersions(versions);
    if (versions) this.nextTopic.heardGuidelines(versions.guidelines);
    // What was fetched at the same time may have changed too.
    if (answer.body.reason === "text changed") {
      this.page.texts.clear();
      this.page.offline.forget(judgment);
    }
    if (answer.body.reason === "replaced elsewhere") {
      void this.refresh();
      this.found(judgment, answer.body.current?.seq);
    }
    return answer;
  }

  /** A row of the log is of this account, and of the topic of a judgment. @param {Record<string, any>} judgment @param {number | null} [seq] */
  found({ topic_id: topicId, norming }, seq) {
    const isHere = topicId === this.page.data.topic_id && !norming && !this.page.data.norming;
    this.machines.found(isHere ? (seq ?? 0) : 0);
  }

  /** Somewhere else the same account judges the same: what was judged there is not offered here any more, and what was cleared there is. */
  async refresh() {
    const { queue_url: address, norming } = this.page.data;
    const answer = norming ? null : await getJson(address).catch(() => null);
    /** @type {import("./queue.js").Item[]} */
    const there = answer?.status === 200 ? answer.body.queue : [];
    const taken = there.filter((item) => this.take(item));
    if (taken.some(({ state }) => state === "open")) this.page.moreCame();
    else this.page.showAround();
  }

  /** @param {import("./queue.js").Item} item as the server has it; my judgment that was cleared has its place in the log too @returns {boolean} whether that is news */
  take({ document_id: documentId, state, kind, grade, seq }) {
    const { queue, reader } = this.page;
    // What is on its way from here, or was stored after the answer, counts more.
    if (!queue.has(documentId) || queue.item(documentId).uuid || (seq ?? 0) <= (queue.item(documentId).seq ?? 0)) return false;
    queue.restore(documentId, { seq: seq ?? 0, kind: kind ?? "cleared", grade, comment: "", rationales: [] });
    queue.item(documentId).state = state;
    const card = /** @type {any} */ (this.page).stage?.current;
    if (reader.wanted !== documentId && !card?.has(documentId)) reader.forget(documentId);
    return true;
  }

  /** A judgment is stored, from this tab or from another one, perhaps for the second time. @param {Entry} entry @param {any} stored @param {number} [former] its place in a log that was lost */
  stored({ judgment, uuid }, stored, former) {
    const { document_id: documentId } = judgment;
    this.found(judgment, stored.before);
    if (!this.page.isHere(judgment)) return this.page.undoing.add(judgment, stored.seq);
    this.page.more.stored();
    const item = this.page.queue.item(documentId);
    if (item.uuid) this.page.queue.acknowledge(documentId, uuid, stored.seq);
    else if (former !== undefined && item.seq === former) item.seq = stored.seq;
    else if (stored.seq > (item.seq ?? 0)) this.judgedElsewhere(documentId, stored);
    if (stored.again) this.again(stored.again);
    this.nextTopic.stored();
  }

  /** Whether judgments of this page are on their way to the server. */
  areUnsent() {
    return this.page.outbox.entries().some(({ judgment, refused }) => !refused && this.page.isHere(judgment));
  }

  /** A document is to be judged as if it had not been. @param {string} documentId */
  again(documentId) {
    if (!this.page.queue.has(documentId) || this.page.reader.wanted === documentId || this.page.queue.item(documentId).uuid) return;
    this.page.reader.forget(documentId);
    this.page.queue.reopen(documentId, this.page.reader.wanted);
    this.page.showAround();
  }

  /** Another tab or machine of mine judged this document. @param {string} documentId @param {any} judgment */
  judgedElsewhere(documentId, judgment) {
    this.page.queue.restore(documentId, judgment);
    this.page.showAround();
  }

  /** A judgment travels under a new uuid. @param {Entry} entry @param {string} before */
  renewed({ judgment, uuid }, before) {
    const { document_id: documentId } = judgment;
    if (!this.page.isHere(judgment)) return;
    const item = this.page.queue.item(documentId);
    if (item.uuid === before) item.uuid = uuid;
  }

  /** A refused judgment was given up: what the server has is in force again. @param {Entry} entry */
  discarded(entry) {
    const { document_id: documentId } = entry.judgment;
    if (!this.page.isHere(entry.judgment)) return;
    this.page.remarks.keepDraft(documentId, entry.judgment.comment);
    this.page.queue.restore(documentId, entry.refused?.current ?? null);
    if (entry.refused?.reason === "judged by another") this.page.queue.item(documentId).state = "other";
    this.page.reader.forget(documentId);
    if (this.page.reader.wanted === documentId) void this.page.reader.open(documentId);
    else this.page.showAround();
  }

  /** A refused judgment was given up, and its document is shown as the server has it now. @param {Entry} entry */
  lookAgain(entry) {
    const { document_id: documentId, topic_id: topicId, norming } = entry.judgment;
    this.discarded(entry);
    if (this.page.isHere(entry.judgment)) return void this.page.reader.open(documentId);
    const place = norming ? `norming=${norming}` : `topic=${encodeURIComponent(topicId)}`;
    location.assign(`?${place}&document=${encodeURIComponent(documentId)}`);
  }
}
