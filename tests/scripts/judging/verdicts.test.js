import assert from "node:assert/strict";
import { test } from "node:test";
import * as verdicts from "#static/judging/verdicts.js";

const entry = /** @type {any} */ ({ uuid: "u2", after: "u1", judgment: { topic_id: "1", document_id: "d", replaces: null } });

test("a judgment follows the row that the one before it became", () => {
  const followed = verdicts.following(entry, new Map([["u1", 7]]));
  assert.deepEqual(followed, { uuid: "u2", after: null, judgment: { ...entry.judgment, replaces: 7 } });
  assert.equal(verdicts.following(entry, new Map([["u3", 7]])), entry);
  const alone = verdicts.following({ ...entry, after: null }, /** @type {any} */ (new Map([[null, 7]])));
  assert.equal(alone.judgment.replaces, null);
});

test("an answer says whether a judgment is sent again, given up or needs somebody", () => {
  const trouble = (status, reason = "") => verdicts.troubleOf(/** @type {any} */ ({ status, body: { reason } }));
  assert.equal(trouble(401), "signed out");
  assert.equal(trouble(409, "other version"), "outdated");
  assert.equal(trouble(429, "too many in a minute"), "saving");
  assert.deepEqual([trouble(400, "form"), trouble(499, "gone")], ["", ""]);
  for (const status of [408, 429, 500, 399, 403]) assert.equal(trouble(status, status === 403 ? undefined : "x"), "offline");
  assert.equal(trouble(400, "csrf"), "offline");
});

test("what the server stored differently is shown if it is of the same pair", () => {
  const stored = { topic_id: "1", document_id: "d", grade: 2 };
  const different = (of) => verdicts.storedDifferently(entry, /** @type {any} */ ({ ...stored, ...of }));
  assert.deepEqual([different({}).reason, different({}).current], ["stored differently", stored]);
  assert.deepEqual([different({ document_id: "e" }).current, different({ topic_id: "2" }).current], [undefined, undefined]);
});

test("a row is older than another by its place in the log", () => {
  const isOlder = (row, seq) => verdicts.isOlder(row, seq);
  assert.deepEqual(
    [isOlder({ seq: 4 }, 5), isOlder({ seq: 5 }, 5), isOlder(null, 1), isOlder(undefined, 5), isOlder({ seq: 4 }, null)],
    [true, false, true, false, false],
  );
});
