import assert from "node:assert/strict";
import { test } from "node:test";
import { one, open, pass } from "../page.js";

const SHOWN = { document_id: "d1", text_hash: "hash" };
const PIECE = { field: "text", start: 3, end: 8, text: "of\nit" };

/** @param {any} answer what the server says, null for nothing @param {any[]} pieces */
async function begun(answer, pieces = [PIECE]) {
  const seen = { sent: /** @type {any[]} */ ([]), isSelected: true, signedOut: 0 };
  const respond = ({ path, body }) => {
    seen.sent.push([path, JSON.parse(body)]);
    if (!answer) throw new TypeError("Failed to fetch");
    return new Response(JSON.stringify(answer.body), { status: answer.status, headers: { "Content-Type": "application/json" } });
  };
  open("<p id=said></p>", { answer: respond });
  const { NuggetKey } = await import("#static/judging/nugget_key.js");
  const inside = { getSelection: () => ({ removeAllRanges: () => (seen.isSelected = false) }) };
  const data = { nuggets: { url: "/api/nuggets", page_url: "/nuggets" }, topic_id: "1", account: "Ben" };
  const remarks = /** @type {any} */ ({ viewer: { inside }, selected: () => pieces });
  const key = new NuggetKey(data, remarks, () => (seen.signedOut += 1));
  await key.add(SHOWN);
  return { seen, said: one("#said") };
}

test("what is selected is sent, and how many nuggets there are is said for long enough to follow the link", async () => {
  const { seen, said } = await begun({ status: 200, body: { nuggets: 1_200, added: "nugget" } });
  assert.deepEqual(seen.sent, [["/api/nuggets", { topic_id: "1", ...SHOWN, pieces: [PIECE] }]]);
  assert.deepEqual(
    [said.firstChild.data, one("#said a").getAttribute("href"), seen.isSelected],
    ["Nugget added (1,200)", "/nuggets", false],
  );
  await pass(9_999);
  assert.notEqual(said.textContent, "");
  await pass(1);
  assert.equal(said.textContent, "");
});

for (const [added, words] of [
  ["", "Already a nugget (2)"],
  ["reference", "Already a nugget; place added (2)"],
]) {
  test(`of a nugget with ${added || "nothing"} new that is said`, async () => {
    const { seen, said } = await begun({ status: 200, body: { nuggets: 2, added } });
    assert.deepEqual([said.firstChild.data, seen.isSelected], [words, false]);
  });
}

for (const [name, answer, words, signedOut] of /** @type {[string, any, RegExp, number][]} */ ([
  ["without a network", null, /does not respond.*stays selected/, 0],
  ["when the server refuses it", { status: 409, body: { message: "the text changed" } }, /: the text changed$/, 0],
  ["when it fails", { status: 500, body: {} }, /500/, 0],
  ["when one is signed out", { status: 401, body: { message: "sign in" } }, /: sign in$/, 1],
])) {
  test(`${name} the words stay selected, and why is said`, async () => {
    const { seen, said } = await begun(answer);
    assert.deepEqual([said.dataset.kind, seen.isSelected, seen.signedOut], ["ignored", true, signedOut]);
    assert.match(said.textContent, words);
  });
}

for (const [name, pieces, words] of /** @type {[string, any[], RegExp][]} */ ([
  ["an empty selection", [], /^Select/],
  ["what is too long", [PIECE, { ...PIECE, text: "x".repeat(995) }], /1,000/],
])) {
  test(`${name} is not sent`, async () => {
    const { seen, said } = await begun({ status: 200, body: { nuggets: 1, added: "nugget" } }, pieces);
    assert.deepEqual(seen.sent, []);
    assert.match(said.textContent, words);
  });
}

test("a thousand characters are sent, however many units and blanks they take", async () => {
  const { seen } = await begun({ status: 200, body: { nuggets: 1, added: "nugget" } }, [{ ...PIECE, text: `${"𠀀".repeat(998)}\n \nx` }]);
  assert.equal(seen.sent.length, 1);
});
