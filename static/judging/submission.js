/** What is sent of a judgment: what was shown, what was said of it, and how long it took. */
import { uuid4 } from "../session.js";

/**
 * @param {{data: any, pace: import("./pace.js").Pace, remarks: Pick<import("./remarks.js").Remarks, "note" | "rationales">}} page
 * @param {import("./viewer.js").Shown} shown @param {string} kind @param {number | null} grade @param {number | null} replaces
 */
export function submission({ data, pace, remarks }, shown, kind, grade, replaces) {
  const isCleared = kind === "cleared";
  return {
    uuid: uuid4(),
    log: data.log,
    topic_id: data.topic_id,
    document_id: shown.document_id,
    pool: shown.pool,
    text_hash: shown.text_hash,
    topic_version: data.topic_version,
    guideline_version: data.guideline_version,
    kind,
    grade,
    replaces,
    client_at: new Date().toISOString(),
    active_seconds: pace.seconds(),
    comment: isCleared ? "" : remarks.note,
    rationales: isCleared ? [] : remarks.rationales,
    ...(data.norming ? { norming: data.norming } : {}),
  };
}
