import assert from "node:assert/strict";
import { test } from "node:test";
import { one, open } from "../page.js";

const HTML = `<p id=twin hidden><b id=twin-title></b><i id=twin-grade></i></p><p id=said></p>
  <p id=twin-apart hidden><b id=twin-apart-title></b><i id=twin-reasons></i></p>`;

async function begun() {
  open(HTML);
  const { Queue } = await import("#static/judging/queue.js");
  const { Twins } = await import("#static/judging/near_duplicates.js");
  const unjudged = { state: "open", kind: null, grade: null, seq: null, near: "n", later: false };
  const judged = { ...unjudged, state: "mine", kind: "grade", grade: 1, seq: 3 };
  const queue = new Queue(
    /** @type {any} */ ([{ ...judged, document_id: "a" }, ...["b", "c"].map((document_id) => ({ ...unjudged, document_id }))]),
  );
  const twins = new Twins(queue, /** @type {any} */ ([{ grade: 1, name: "Relevant" }]));
  /** The document `id` beside its near duplicate. @param {string} id @param {string | null} of @param {string[]} reasons @returns {any} */
  const shown = (id, of, ...reasons) => ({ document_id: id, twin: of && { document_id: of, name: `Document ${of}`, reasons } });
  return { twins, shown };
}

test("a near duplicate's grade is shown, or why it may not do for both", async () => {
  const { twins, shown } = await begun();
  const seen = (document) => {
    twins.show(document);
    return ["#twin", "#twin-apart"]
      .map(one)
      .filter(({ hidden }) => !hidden)
      .map(({ textContent }) => textContent);
  };
  assert.deepEqual(seen(shown("b", "a")), ["Document aRelevant"]);
  assert.deepEqual(seen(shown("b", "a", "numbers", "dates")), ["Document anumbers, dates"]);
  for (const none of [shown("b", "c"), shown("b", "gone"), shown("b", null), shown("a", "a"), null]) assert.deepEqual(seen(none), []);
});

test("a near duplicate's judgment can be taken over unless the documents differ in what matters", async () => {
  const { twins, shown } = await begun();
  const offered = (document) => [twins.offered(document)?.document_id, one("#said").textContent];
  assert.deepEqual(offered(shown("b", "a")), ["a", ""]);
  assert.deepEqual(offered(shown("b", "a", "numbers", "dates")), [undefined, "Grade not copied: the documents differ in numbers, dates"]);
  const none = "No near duplicate has a grade";
  assert.deepEqual(
    [offered(shown("b", "c")), offered(null)],
    [
      [undefined, none],
      [undefined, none],
    ],
  );
});
