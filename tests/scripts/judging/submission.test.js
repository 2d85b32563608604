import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "../page.js";

test("what is sent names what was shown, and a cleared judgment says nothing", async () => {
  open();
  const { submission } = await import("#static/judging/submission.js");
  const shown = { document_id: "d", pool: 3, text_hash: "h" };
  const data = { log: "l", topic_id: "7", topic_version: 2, guideline_version: 9 };
  const of = (kind, grade, norming) => {
    const page = { data: { ...data, norming }, pace: { seconds: () => 4.5 }, remarks: { note: "n", rationales: [1] } };
    return submission(/** @type {any} */ (page), /** @type {any} */ (shown), kind, grade, 8);
  };
  const { uuid, ...sent } = of("grade", 1, null);
  assert.equal(uuid.length, 36);
  const said = { kind: "grade", grade: 1, replaces: 8, active_seconds: 4.5, comment: "n", rationales: [1] };
  assert.deepEqual(sent, { ...data, ...shown, ...said, client_at: "2026-03-01T13:00:00.000Z" });
  const { comment, rationales, norming } = /** @type {any} */ (of("cleared", null, 5));
  assert.deepEqual([comment, rationales, norming], ["", [], 5]);
});
