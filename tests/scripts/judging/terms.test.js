import assert from "node:assert/strict";
import { test } from "node:test";
import { each, one, open, press, settled } from "../page.js";

const HTML = `<meta name=csrf-token content=t><ul id=terms></ul><form id=terms-form><input id=term></form><p id=terms-status></p>`;
const river = { text: "river", own: false, hits: 3, colour: 4 };
const COUNTED = [
  river,
  { text: "lake", own: false, hits: 2, colour: 1 },
  { text: "dam", own: false, hits: 9, colour: 2 },
  { text: "dam", own: true, hits: 4, colour: 3 },
];

/** The words of a topic, of which one is off, and one of the assessor's own. */
async function begun() {
  const seen = { sent: [], calls: [], answer: /** @type {any} */ ({ terms: ["dam", "fish"], off: [] }) };
  const answer = ({ body }) => {
    const { topic_id, ...change } = JSON.parse(body);
    assert.equal(topic_id, "7");
    seen.sent.push(change);
    if (!seen.answer) throw new TypeError("no network");
    return Response.json(seen.answer, { status: seen.answer.message ? 422 : 200 });
  };
  open(HTML, { answer });
  const { Terms } = await import("#static/judging/terms.js");
  const page = { terms_url: "/terms", topic_id: "7", account: "ben", terms: ["dam"], terms_off: ["lake"] };
  const terms = new Terms(
    page,
    () => seen.calls.push("changed"),
    () => seen.calls.push("escaped"),
  );
  const count = (...counted) => terms.count(/** @type {any} */ ({ terms: counted }));
  const add = async (word) => {
    one("#term").value = word;
    one("#terms-form").requestSubmit();
    await settled();
  };
  return { terms, count, seen, add };
}

const listed = () => each("#terms li", (row) => `${row.className} ${row.textContent} ${row.dataset.hits}`);
const colours = () => each("#terms li", (row) => row.dataset.term);

test("words are listed with their colour in the document and how often they are marked there", async () => {
  const { terms, count } = await begun();
  assert.deepEqual(
    [listed(), colours()],
    [
      ["term lakeoff off", "term own dam0× 0"],
      ["0", "0"],
    ],
  );
  count(...COUNTED);
  const all = ["term river3 3", "term dam9 9", "term lakeoff off", "term own dam4× 4"];
  assert.deepEqual([listed(), colours()], [all, ["4", "2", "1", "3"]]);
  terms.count(null);
  assert.deepEqual(listed(), all);
  assert.deepEqual(
    each(".term-switch", (button) => button.getAttribute("aria-pressed")),
    ["true", "true", "false"],
  );
});

test("a word is added, and the focus stays where it was", async () => {
  const { terms, count, seen, add } = await begun();
  count(river);
  await add("  ");
  assert.deepEqual(seen.sent, []);
  await add(" fish ");
  assert.deepEqual([seen.sent, one("#term").value], [[{ add: "fish" }], ""]);
  assert.deepEqual(listed().slice(1), ["term own dam0× 0", "term own fish0× 0"]);
  one("[data-word=river]").focus();
  terms.show();
  assert.equal(document.activeElement?.getAttribute("data-word"), "river");
  one("#term").focus();
  press("a");
  press("Escape", { isComposing: true });
  press("Escape");
  assert.deepEqual(seen.calls, ["changed", "escaped"]);
});

test("a word is switched off and on, and one's own removed", async () => {
  const { count, seen } = await begun();
  count(river);
  seen.answer = { terms: ["dam"], off: ["lake"] };
  for (const place of ["[data-word=river]", "[data-word=lake]", ".drop"]) {
    one(place).click();
    await settled();
  }
  assert.deepEqual(seen.sent, [{ off: "river" }, { on: "lake" }, { remove: "dam" }]);
  assert.equal(seen.calls.length, 3);
});

test("what the server does not take is said and stays in the box", async () => {
  const { seen, add } = await begun();
  for (const answer of [null, { message: "It is too long." }]) {
    seen.answer = answer;
    await add("fish");
    assert.equal(one("#terms-status").textContent, answer?.message ?? "The server does not respond: nothing was changed.");
  }
  assert.deepEqual([seen.calls, one("#term").value], [[], "fish"]);
  seen.answer = { terms: [], off: [] };
  one(".drop").click();
  await settled();
  assert.deepEqual([one("#terms-status").textContent, one("#term").value], ["", "fish"]);
});
