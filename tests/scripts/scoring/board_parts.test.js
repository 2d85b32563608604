import assert from "node:assert/strict";
import { test } from "node:test";
import { each, one, open } from "../page.js";

const SLIDER = `<input id=as-of type=number min=0 max=9000><input id=moment type=range hidden min=0><a id=now href=#>Now</a>
  <b id=newest></b><p id=moment-told><b id=moment-words></b></p><a id=compared hidden>Compare</a>`;

test("the slider and its row say which row of the log a board is of", async () => {
  open(SLIDER);
  const { Moment } = await import("#static/scoring/board_moment.js");
  const calls = [];
  const moment = new Moment(
    () => calls.push("moved"),
    () => calls.push("settled"),
  );
  addEventListener("input", () => calls.push("heard"));
  const board = { seq: 1200, newest: 4000, moment: "1 May", compared: "/diff" };
  const seen = () => [
    moment.isLive,
    moment.row.value,
    moment.slider.value,
    moment.slider.getAttribute("aria-valuetext"),
    moment.now.hidden,
  ];
  const told = () => calls.splice(0).join(" ");
  const put = (id, value, kind = "input") => {
    one(id).value = value;
    one(id).dispatchEvent(new Event(kind, { bubbles: true }));
  };
  moment.draw(board);
  assert.deepEqual([...seen(), moment.slider.hidden], [true, "", "4000", "now", true, false]);
  assert.deepEqual([one("#newest").textContent, one("#moment-words").textContent], ["4,000", "1 May"]);
  moment.draw({ ...board, moment: "2 May" });
  assert.deepEqual([one("#moment-words").textContent, one("#moment-told").hidden], ["2 May", false]);
  assert.deepEqual([one("#compared").hidden, one("#compared").getAttribute("href")], [false, "/diff"]);
  put("#moment", 1200);
  moment.draw(board);
  assert.deepEqual(seen(), [false, "1200", "1200", "row 1,200", false]);
  put("#moment", 4000);
  put("#moment", 4000, "change");
  assert.deepEqual([moment.isLive, told()], [true, "moved heard moved heard settled"]);
  put("#as-of", 7);
  put("#as-of", 9001);
  assert.equal(told(), "moved", "9001 is no row");
  moment.slider.focus();
  moment.slider.value = 5;
  moment.draw({ ...board, moment: "", compared: null });
  assert.deepEqual([moment.slider.value, one("#moment-told").hidden, one("#compared").hidden], ["5", true, true]);
  one("#now").click();
  assert.deepEqual([moment.isLive, told(), document.activeElement?.id, location.hash], [true, "settled", "as-of", ""]);
});

const COLUMNS = [
  { name: "AP", best: "highest", judged: "judged@10", low: 0, high: 1, topics: 2 },
  { name: "RBU", best: "lowest", judged: null, low: 0, high: 2, topics: 3 },
  { name: "num_ret", best: "highest", judged: null, low: 0, high: null, topics: 3 },
];
const row = (run, team, ...values) => ({ run, team, cells: [...values, 9].map((value) => ({ value })) });
const BOARD = /** @type {any} */ ({
  columns: COLUMNS,
  rows: [row("c", "X", 0.5, 1), row("a", "Y", 0.5, 2), row("d", "X", 0.7, 0), row("b", "Z", 0.1, 1)],
});

test("a board is sorted best first or as chosen, and equal runs by name", async () => {
  const { inOrder, sorting } = await import("#static/scoring/board_table.js");
  const sorted = (name, order = "") => {
    const by = sorting(BOARD, { name, order });
    return `${by.name} ${by.descending} ${inOrder(BOARD, by)
      .map(({ run }) => run)
      .join("")}`;
  };
  assert.deepEqual([sorted(""), sorted("AP"), sorted("AP", "ascending")], ["AP true dacb", "AP true dacb", "AP false bacd"]);
  assert.deepEqual(
    [sorted("RBU"), sorted("RBU", "descending"), sorted("num_ret")],
    ["RBU false dbca", "RBU true abcd", "num_ret true abcd"],
  );
  assert.deepEqual([sorted("Run"), sorted("Run", "descending"), sorted("Team")], ["Run false abcd", "Run true dcba", "Team false cdab"]);
  assert.equal(sorted("gone", "ascending"), "AP true dacb");
  const empty = sorting(/** @type {any} */ ({ columns: [], rows: [] }), { name: "AP", order: "descending" });
  assert.deepEqual(empty, { name: "Run", descending: false });
});

const CELL = /** @type {any} */ ({ value: 0.5, text: "0.5000", judged: 0.25, judged_text: "25 %" });
const INTERVALS = {
  open: { low: 0.25, high: 0.75, text: "0.25 to 0.75" },
  interval: { low: 0, high: 1, text: "0 to 1" },
  why_none: "",
  level: true,
  p: "0.31",
  test: "randomisation",
};
const [AP, RBU, COUNT] = /** @type {any[]} */ (COLUMNS);

/** What a cell draws. @param {any} cell @param {any} column @param {number} topics in the end */
async function drawn(cell, column, topics, isChanged = false) {
  open();
  const { scoreCell } = await import("#static/scoring/board_table.js");
  const made = scoreCell(cell, column, /** @type {any} */ ({ in_the_end: topics }), isChanged);
  const attributes = (part, ...names) => names.map((name) => made.querySelector(part)?.getAttribute(name)).join(" ");
  return { made, attributes };
}

test("a score is drawn with what is open and its interval", async () => {
  const { made, attributes } = await drawn({ ...CELL, intervals: INTERVALS }, AP, 1234, true);
  assert.deepEqual([made.className, made.querySelector(".score").className], ["numeric changed", "score score-top"]);
  assert.deepEqual([attributes(".dot-open", "x", "width"), attributes(".dot-interval", "d")], ["26 44", "M4 3v6m0-3H92m0-3v6"]);
  assert.deepEqual([attributes("circle", "class", "cx"), made.querySelector("svg").childElementCount], ["dot dot-part 48", 3]);
  assert.equal(attributes(".level", "title"), "randomisation: p = 0.31");
  const numbers = [...made.querySelectorAll(".intervals-numbers > span")].map(({ textContent }) => textContent);
  assert.deepEqual(numbers, ["0 to 1 (95 %)", "0.25 to 0.75 (open, all 1,234 topics)"]);
  const onWiderScale = await drawn({ ...CELL, intervals: INTERVALS }, RBU, 3);
  assert.equal(onWiderScale.attributes("circle", "cx"), "26");
});

test("a score without an interval says why, and one without a scale is a number alone", async () => {
  const none = { ...INTERVALS, open: null, interval: null, why_none: "one topic", level: false };
  const alone = await drawn({ ...CELL, intervals: none }, AP, 2);
  assert.deepEqual([alone.made.textContent, alone.attributes("circle", "class")], ["0.5000one topic", "dot"]);
  const early = await drawn({ ...CELL, intervals: null, judged: null }, AP, 1234);
  assert.deepEqual([early.made.textContent, early.made.querySelector(".score").className], ["0.5000", "score"]);
  const count = await drawn({ ...CELL, intervals: INTERVALS }, COUNT, 1234);
  assert.equal(count.made.outerHTML, '<td class="numeric">0.5000</td>');
});

test("how much is judged is one column for each depth", async () => {
  open();
  const { judgedCell, judgedColumns } = await import("#static/scoring/board_table.js");
  document.body.append(judgedCell({ ...CELL, intervals: INTERVALS }, "judged@10"));
  assert.deepEqual(
    each(".bar-judged", (bar) => bar.getAttribute("width")),
    ["25%"],
  );
  assert.deepEqual([one("td").title, one("td").textContent], ["judged@10", "25 % "]);
  assert.deepEqual(judgedColumns([RBU, AP, AP, { ...AP, judged: "judged@5" }]).map(String), ["judged@10,1", "judged@5,3"]);
});
