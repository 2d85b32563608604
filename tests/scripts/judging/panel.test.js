import assert from "node:assert/strict";
import { test } from "node:test";
import { each, give, one, open, pass } from "../page.js";

const HTML = `<p id=progress></p><p id=time-left></p><progress id=progress-bar></progress><p id=ready></p><b id=ready-count></b>
  <div id=controls><div id=grades role=radiogroup><button role=radio data-grade=0>0</button><button role=radio data-grade=1>1</button></div>
  <button data-action="cannot tell">?</button><button data-action=later>Later</button><button id=clear>Clear</button></div>
  <p id=mine></p><ol id=recent></ol><p id=recent-empty></p><p id=said></p><form id=topic-later></form>
  <dialog id=keys></dialog><dialog id=guidelines></dialog><dialog id=preferences></dialog>
  <template id=shape-1><i>o</i></template><template id=shape-cannot-tell><i>?</i></template>`;
const grades = /** @type {any[]} */ ([
  { grade: 0, name: "Not" },
  { grade: 1, name: "Relevant" },
]);

async function begun() {
  open(HTML);
  return import("#static/judging/panel.js");
}

const text = (id) => one(`#${id}`).textContent;
const marked = (name) => each(`[${name}=true]`, ({ textContent }) => textContent).join();

test("a judgment is named as its button", async () => {
  const { nameOfJudgment } = await begun();
  const name = (kind, grade = null) => nameOfJudgment({ kind, grade }, grades);
  assert.deepEqual([name("grade", 1), name("grade", 7)], ["Relevant", "7"]);
  assert.deepEqual([name("can't tell"), name("cleared"), name(null)], ["Can’t tell", "Cleared", "no judgment"]);
});

test("progress is counted", async () => {
  const { showProgress } = await begun();
  const told = (counts, left = "") => {
    showProgress(/** @type {any} */ ({ counts: () => ({ total: 2000, cannotTell: 0, later: 0, open: 1, ...counts }) }), left);
    return [text("progress"), text("time-left"), one("#progress-bar").max, one("#progress-bar").value];
  };
  assert.deepEqual(told({ judged: 1200 }, "about 1 h left"), ["1,200 of 2,000 judged", "about 1 h left", 2000, 1200]);
  assert.deepEqual(told({ judged: 3, cannotTell: 2, later: 4 }), ["3 of 2,000 judged, 4 later, 2 can’t tell", "", 2000, 5]);
  const canPostponeTopic = (open) => {
    told({ judged: 0, open });
    return !one("#topic-later").hidden;
  };
  assert.deepEqual([2, 0, 1].map(canPostponeTopic), [true, false, true]);
});

test("what can be judged without the network is counted against what is left", async () => {
  const { showReady } = await begun();
  const told = (ready, open) => {
    showReady(ready, open);
    return text("ready")
      .match(/[\d,]*\d/g)
      .join(" ");
  };
  assert.deepEqual([told(1, 1), text("ready-count"), told(3, 1203), told(0, 0)], ["1", "1", "3 1,200", "0"]);
});

test("what I judged is marked on the buttons and named", async () => {
  const { allowJudging, showMine } = await begun();
  const mine = (item) => {
    showMine(item, grades);
    return [marked("aria-checked"), marked("aria-pressed"), text("mine"), one("#clear").hidden];
  };
  assert.deepEqual(mine({ state: "mine", kind: "grade", grade: 1 }), ["1", "", "You judged this: Relevant", false]);
  assert.deepEqual(
    each("[role=radio]", ({ tabIndex }) => tabIndex),
    [-1, 0],
  );
  assert.deepEqual(mine({ state: "mine", kind: "can't tell", grade: null }), ["", "?", "You judged this: Can’t tell", false]);
  assert.deepEqual(mine({ state: "other", kind: null, later: true }), ["", "Later", "Another assessor has judged this document.", true]);
  assert.deepEqual(
    [mine({ state: "open", kind: null, grade: 1 }), mine(null)],
    [
      ["", "", "", true],
      ["", "", "", true],
    ],
  );
  const disabled = (can) => {
    allowJudging(can);
    return document.querySelectorAll("button:disabled").length;
  };
  assert.deepEqual([disabled(false), disabled(true)], [3, 0]);
});

test("the button of what cannot be postponed says so, and can still be pressed", async () => {
  const { allowPostponing } = await begun();
  const later = one("[data-action=later]");
  for (const can of [false, true]) {
    allowPostponing(can);
    assert.deepEqual([later.getAttribute("aria-disabled"), later.disabled], [String(!can), false]);
  }
});

test("the last judgments lead to their documents", async () => {
  const { showLastJudged } = await begun();
  const opened = [];
  const show = (...items) => {
    const lastJudged = (most) => items.slice(0, most);
    showLastJudged(
      /** @type {any} */ ({ lastJudged }),
      grades,
      (id) => `Title ${id}`,
      (id) => opened.push(id),
    );
    return [each("#recent li", ({ textContent }) => textContent), one("#recent-empty").hidden];
  };
  const shown = show({ document_id: "a", kind: "grade", grade: 1 }, { document_id: "b", kind: "can't tell" });
  assert.deepEqual(shown, [["oTitle aRelevant", "?Title bCan’t tell"], true]);
  one("#recent li:last-child button").click();
  assert.deepEqual([opened, show()], [["b"], [[], false]]);
});

test("a brief word stays as long as the last one says", async () => {
  const { confirm, ignoredSoFar, say, showIgnored } = await begun();
  const said = () => [text("said"), one("#said").dataset.kind];
  showIgnored("Too early");
  assert.deepEqual([said(), ignoredSoFar()], [["Too early", "ignored"], 1]);
  await pass(1_000);
  say("Postponed");
  await pass(1_599);
  assert.deepEqual(said(), ["Postponed", undefined]);
  await pass(1);
  assert.deepEqual([said(), ignoredSoFar()], [["", undefined], 1]);
  confirm("A title", { kind: "grade", grade: 1 }, grades);
  assert.deepEqual([said(), one(".said-title").getAttribute("aria-hidden")], [["oRelevantA title", undefined], "true"]);
});

test("one dialog is open", async () => {
  const { openDialog } = await begun();
  openDialog("keys");
  openDialog("guidelines");
  assert.deepEqual(
    each("dialog[open]", ({ id }) => id),
    ["guidelines"],
  );
});

test("the button of the keys opens the preferences where the page is only touched", async () => {
  const { openKeys } = await begun();
  const opened = (input, isTouched) => {
    give("matchMedia", () => ({ matches: isTouched }));
    openKeys(input);
    return one("dialog[open]").id;
  };
  assert.deepEqual([opened("button", true), opened("button", false), opened("key", true)], ["preferences", "keys", "keys"]);
});
