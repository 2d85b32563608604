/** What was judged before the page, and is not in what the server put into it. */
import { downloadedAt } from "./offline_copies.js";

/**
 * Judgments that an earlier page could not send count as made, and so do those that were acknowledged since this page
 * was asked for or downloaded: the page that was left for it, or others of a copy, sent them.
 * @param {{outbox: import("./outbox.js").Outbox, queue: import("./queue.js").Queue, isHere: (judgment: Record<string, any>) => boolean}} page
 */
export async function countJudgedEarlier(page) {
  const { outbox, queue } = page;
  for (const { uuid, judgment } of outbox.entries()) {
    if (page.isHere(judgment)) queue.record(judgment.document_id, { .../** @type {any} */ (judgment), uuid });
  }
  // Asked for after what is unsent: what is acknowledged meanwhile is in one of the two.
  for (const { judgment, seq } of await outbox.receipts.since(downloadedAt()?.getTime() ?? performance.timeOrigin)) {
    if (!page.isHere(judgment)) continue;
    const { document_id: documentId, kind, grade, comment, rationales = [] } = judgment;
    const item = queue.item(documentId);
    if (!item.uuid && seq > (item.seq ?? 0)) queue.restore(documentId, { seq, kind, grade, comment, rationales });
  }
}
