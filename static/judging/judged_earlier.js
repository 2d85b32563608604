/** What was judged before the page, and is not in what the server put into it. */
import { earliest } from "./next_topic.js";
import { downloadedAt } from "./offline_copies.js";

/**
 * Judgments that an earlier page could not send count as made, and so do those that were acknowledged since this page
 * was made or downloaded: the page that was left for it, or others of a copy, sent them. Undo leads to those of other topics.
 * @param {{data: any, outbox: import("./outbox.js").Outbox, queue: import("./queue.js").Queue, answers: import("./answers.js").Answers, isHere: (judgment: Record<string, any>) => boolean}} page
 */
export async function countJudgedEarlier(page) {
  const { data, outbox, queue, answers } = page;
  for (const { uuid, judgment } of outbox.entries()) {
    if (page.isHere(judgment)) queue.record(judgment.document_id, { .../** @type {any} */ (judgment), uuid });
  }
  const begun = downloadedAt()?.getTime() ?? performance.timeOrigin;
  // Asked for after what is unsent: what is acknowledged meanwhile is in one of the two.
  for (const { judgment, seq, time } of await outbox.receipts.since(Math.min(begun, earliest()))) {
    if (time < begun && seq <= data.newest) continue;
    if (!page.isHere(judgment)) {
      answers.elsewhere(judgment, { seq });
      continue;
    }
    const { document_id: documentId, kind, grade, comment, rationales = [] } = judgment;
    const item = queue.item(documentId);
    if (!item.uuid && seq > (item.seq ?? 0)) queue.restore(documentId, { seq, kind, grade, comment, rationales });
  }
}
