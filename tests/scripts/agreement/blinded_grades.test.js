import assert from "node:assert/strict";
import { test } from "node:test";
import { each, giveHighlights, one, open, settled } from "../page.js";

const quote = (letter, start, text) => {
  const rationale = JSON.stringify({ field: "text", start, end: start + text.length, text });
  return `<li data-mark=${letter} data-voice='Assessor ${letter}' data-rationale='${rationale}'></li>`;
};

/** A document whose text is 1,000 pixels down, in a window of 300. @param {string[]} quotes of the assessors */
async function begun(...quotes) {
  open(`<ul>${quotes.join("")}</ul><iframe srcdoc="<details><p data-field=text>The river\n\nfroze in January.</p></details>"></iframe>`);
  await settled();
  const view = one("iframe").contentWindow;
  const state = { top: 1000, scrolled: [] };
  view.Range.prototype.getBoundingClientRect = () => ({ top: state.top, bottom: state.top + 20 });
  view.scrollBy = (_, by) => state.scrolled.push(Math.round(by));
  view.innerHeight = 300;
  giveHighlights(view);
  const { BlindedGrades } = await import("#static/agreement/blinded_grades.js");
  const grades = new BlindedGrades(one("ul"));
  const coloured = (name) => [...(view.CSS.highlights.get(name) ?? [])].map(String);
  return { grades, view, state, coloured, details: view.document.querySelector("details") };
}

test("reasons are marked in reading order, gone to and unfolded", async () => {
  const { grades, view, state, coloured, details } = await begun(quote("b", 20, "January"), quote("a", 4, "river"), quote("c", 4, "lake"));
  grades.step(1);
  grades.goTo(0);
  assert.equal(grades.at, -1, "no document is there");
  grades.mark(view.document);
  grades.mark(view.document);
  assert.deepEqual(["voice-a", "voice-b", "voice-c", "voice-now"].map(coloured), [["river"], ["January"], [], []]);
  assert.deepEqual(
    each("li", ({ textContent }) => textContent),
    ["Show", "Show", "Not found in this text."],
  );
  assert.equal(one("li:first-child button").getAttribute("aria-label"), "Show this rationale of Assessor b in the document");
  assert.deepEqual([details.open, state.scrolled], [true, [900]], "the first reason is a third down the window");
  details.open = false;
  one("li:first-child button").click();
  assert.deepEqual([details.open, coloured("voice-now"), grades.at], [true, ["January"], 1]);
  const reached = [1, 1, -1, -1].map((step) => {
    grades.step(/** @type {1 | -1} */ (step));
    return coloured("voice-now")[0];
  });
  assert.deepEqual(reached, ["river", "January", "river", "January"]);
});

test("the first step back goes to the last reason, and what is in sight is not scrolled to", async () => {
  const { grades, view, state } = await begun(quote("a", 0, "The river"), quote("b", 11, "froze"));
  state.top = 200;
  grades.mark(view.document);
  assert.deepEqual(state.scrolled, []);
  grades.step(-1);
  assert.deepEqual([grades.at, state.scrolled.length], [1, 1]);
});
