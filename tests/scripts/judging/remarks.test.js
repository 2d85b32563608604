import assert from "node:assert/strict";
import { test } from "node:test";
import { coloured, one, open, pass, press } from "../page.js";

const HTML = `<main data-field=text><p>Zero <mark class=hit id=m0>one</mark> two three</p>
  <p><mark class=hit id=m1>four</mark> five <mark class='hit continued'>six</mark></p>
  <p><mark class=begins id=m2>seven</mark> <del class=missing><mark class=hit>gone</mark></del> eight</p></main>
  <textarea id=note></textarea><p id=note-length></p><button id=keep-remarks></button><ul id=rationales></ul>`;
const NOTHING = "Select some text first, or go to a marked word";

async function begun() {
  open(HTML);
  const { Remarks, excessOf } = await import("#static/judging/remarks.js");
  const said = [];
  const viewer = { inside: /** @type {Document | null} */ (document), focus: () => said.push("focus") };
  const hits = { marked: /** @type {any} */ (null) };
  const remarks = new Remarks("small", /** @type {any} */ (viewer), /** @type {any} */ (hits), (why) => said.push(why));
  const { box } = remarks;
  return {
    remarks,
    box,
    said,
    viewer,
    hits,
    excessOf,
    show: (more = {}) => remarks.show(/** @type {any} */ ({ document_id: "d", state: "open", ...more })),
    write(text) {
      box.value = text;
      box.dispatchEvent(new Event("input"));
    },
    /** Keeps a part of a marked word; what is said of it. @param {string} id @param {number} from @param {number} to */
    keep(id, from, to) {
      const text = one(id).firstChild;
      document.getSelection()?.setBaseAndExtent(text, from, text, to);
      return this.keepSelection();
    },
    keepSelection() {
      said.length = 0;
      remarks.keepSelection();
      return [...said];
    },
    kept: () => remarks.rationales.map(({ text }) => text),
    draft: () => remarks.drafts.get("d"),
  };
}

const hidden = (id) => one(id).hidden;

test("a note waits as a draft until it is sent or is as it was", async () => {
  const { remarks, box, show, write, draft } = await begun();
  show();
  write(" One ");
  assert.deepEqual([remarks.note, draft()], ["One", { note: " One ", rationales: [] }]);
  show({ document_id: "e", comment: "Stored" });
  assert.equal(box.value, "Stored");
  write("Stored ");
  show();
  assert.deepEqual([box.value, remarks.drafts.get("e")], [" One ", null]);
  write("");
  assert.equal(draft(), null);
  write("Two");
  remarks.sent();
  assert.deepEqual([draft(), remarks.item, box.readOnly], [null, null, false]);
  show(null);
  assert.equal(box.value, "");
});

test("nothing can be written once no document has been there for a moment", async () => {
  const { remarks, box, show, write, draft } = await begun();
  show();
  remarks.sent();
  await pass(39);
  assert.equal(box.readOnly, false);
  await pass(1);
  write("Nobody");
  assert.deepEqual([box.readOnly, draft()], [true, null]);
  show();
  remarks.leave("d");
  assert.deepEqual([box.readOnly, remarks.item?.document_id], [false, "d"]);
  remarks.leave(null);
  show();
  await pass(100);
  assert.equal(box.readOnly, false);
});

test("the note of a judgment that was given up becomes a draft, unless there is one", async () => {
  const { remarks, draft } = await begun();
  for (const note of ["", "Mine", "Later"]) remarks.keepDraft("d", note);
  assert.deepEqual(draft(), { note: "Mine", rationales: [] });
});

test("what changed on a judged document is offered to be stored", async () => {
  const { remarks, said, show, write, kept } = await begun();
  const judged = (start) => ({
    state: "mine",
    comment: "Old",
    rationales: [{ field: "text", start, end: start + 3, text: "one" }],
  });
  show(judged(5));
  assert.deepEqual([hidden("#keep-remarks"), hidden("#rationales"), kept()], [true, false, ["one"]]);
  write("New");
  assert.equal(hidden("#keep-remarks"), false);
  write("Old");
  assert.equal(hidden("#keep-remarks"), true);
  one(".drop").click();
  assert.deepEqual([hidden("#keep-remarks"), hidden("#rationales"), kept(), said], [false, true, [], ["focus"]]);
  assert.equal(one("#rationales").childElementCount, 0);
  show();
  write("x");
  assert.equal(hidden("#keep-remarks"), true, "it goes with the grade");
  write("");
  show(judged(3));
  remarks.mark();
  write("Old");
  assert.deepEqual([hidden("#keep-remarks"), remarks.stored[0].start], [true, 5], "words that moved are no change");
});

test("a note that is too long says by how much", async () => {
  const { remarks, box, show, write, excessOf } = await begun();
  const told = () => [remarks.excess, /[\d,]+ characters/.exec(one("#note-length").textContent)?.[0], box.getAttribute("aria-invalid")];
  show();
  write("x".repeat(10_000));
  assert.deepEqual(told(), [0, undefined, null]);
  write("x".repeat(11_001));
  assert.deepEqual(told(), [1001, "1,001 characters", "true"]);
  write("x");
  assert.deepEqual(told(), [0, undefined, "false"]);
  assert.deepEqual([excessOf("🐋".repeat(10_000)), excessOf("🐋".repeat(10_001))], [0, 1]);
});

test("what is selected is kept as whole words and only once", async () => {
  const page = await begun();
  page.show();
  assert.deepEqual(page.keep("#m0", 1, 2), ["Marked; it is saved with your grade"]);
  assert.deepEqual([page.kept(), page.draft().rationales.length, hidden("#rationales")], [["one"], 1, false]);
  assert.deepEqual([coloured("rationale"), one("#rationales q").outerHTML], [["one"], '<q dir="auto">one</q>']);
  page.keep("#m0", 0, 3);
  assert.deepEqual(page.kept(), ["one"]);
  page.show({ state: "mine" });
  assert.deepEqual([page.keep("#m2", 0, 2), page.kept().at(-1)], [[], "seven"]);
});

test("without a selection the sentence of the marked word is kept, and of nothing nothing", async () => {
  const page = await begun();
  page.show();
  assert.deepEqual(page.keepSelection(), [NOTHING]);
  page.hits.marked = one(".missing");
  assert.deepEqual(page.keepSelection(), [NOTHING]);
  page.hits.marked = one("#m1");
  page.keepSelection();
  assert.deepEqual(page.kept(), ["four five six"]);
  page.remarks.about(null);
  assert.deepEqual(page.keep("#m0", 0, 3), [NOTHING]);
  page.viewer.inside = null;
  page.show();
  page.remarks.mark();
  assert.deepEqual(page.keep("#m0", 0, 3), [NOTHING]);
});

test("rationales have a greatest number and length", async () => {
  const page = await begun();
  page.show();
  const long = (length) => {
    one("#m0").textContent = "y".repeat(length);
    return page.keep("#m0", 0, length);
  };
  assert.deepEqual([long(5_001), page.kept()], [["A rationale can have at most 5,000 characters"], []]);
  long(5_000);
  assert.deepEqual([page.kept()[0].length, one("#rationales q").textContent], [5_000, `${"y".repeat(80)}…`]);
  page.remarks.rationales = Array.from({ length: 49 }, (_, start) => ({ field: "x", start, end: 99, text: "" }));
  page.keep("#m1", 0, 4);
  assert.equal(page.remarks.rationales.length, 50);
  assert.deepEqual([page.keep("#m2", 0, 4), page.remarks.rationales.length], [["A judgment can have at most 50 rationales"], 50]);
});

test("Escape leads from the note to the document", async () => {
  const { remarks, said } = await begun();
  remarks.focus();
  assert.equal(document.activeElement?.id, "note");
  press("x");
  press("Escape", { isComposing: true });
  assert.deepEqual(said, []);
  press("Escape");
  assert.deepEqual(said, ["focus"]);
});
