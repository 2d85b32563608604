/** What was judged before the page, and is not in what the server put into it. */
import { earliest } from "./next_topic.js";
import { downloadedAt } from "./offline_copies.js";

/**
 * Judgments that an earlier page could not send count as made, and so do those that were acknowledged since this page
 * was made or downloaded: the page that was left for it, or others of a copy, sent them.
 * @param {{data: any, outbox: import("./outbox.js").Outbox, queue: import("./queue.js").Queue, undoing: import("./undo.js").Undo, isHere: (judgment: Record<string, any>) => boolean}} page
 */
export async function countJudgedEarlier(page) {
  const { data, outbox, queue, undoing } = page;
  const unsent = outbox.entries();
  const begun = downloadedAt()?.getTime() ?? performance.timeOrigin;
  // Asked for after what is unsent: what is acknowledged meanwhile is in one of the two.
  for (const { judgment, seq, time } of await outbox.receipts.since(Math.min(begun, earliest()))) {
    if (time < begun && seq <= data.newest) continue;
    if (!page.isHere(judgment)) {
      undoing.add(judgment, seq);
      continue;
    }
    const { document_id: documentId, kind, grade, comment, rationales = [] } = judgment;
    const item = queue.item(documentId);
    if (seq > (item.seq ?? 0)) queue.restore(documentId, { seq, kind, grade, comment, rationales });
  }
  // These come last, as they were made.
  for (const { uuid, judgment } of unsent) {
    const isWaiting = outbox.mirror.has(uuid);
    if (isWaiting && page.isHere(judgment)) queue.record(judgment.document_id, { .../** @type {any} */ (judgment), uuid });
  }
}
