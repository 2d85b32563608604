/** The leaderboard's table, drawn as templates/board/table.html draws it on the server. */
import { drawn, element } from "../elements.js";

/** Where a value is on the line. @param {number} value @param {Column} column */
function place(value, column) {
  return 4 + (88 * (value - column.low)) / (Number(column.high) - column.low);
}

/** The values that are still open, as a hatched bar. @param {Reach} open @param {Column} column */
function openBar(open, column) {
  const [left, right] = [place(open.low, column), place(open.high, column)];
  return drawn("rect", { class: "dot-open", fill: "url(#hatch)", x: String(left), width: String(right - left), y: "1", height: "10" });
}

/** The interval over topics, as a line with ends. @param {Reach} interval @param {Column} column */
function whisker(interval, column) {
  const path = `M${place(interval.low, column)} 3v6m0-3H${place(interval.high, column)}m0-3v6`;
  return drawn("path", { class: "dot-interval", d: path });
}

/**
 * The score as a dot on a line from the measure's lowest to its highest value; hollow where it is a mean over a part of
 * the topics that the bar is over. @param {Cell} cell @param {Column} column @param {Topics} topics
 */
function dot(cell, column, topics) {
  const { open, interval } = cell.intervals ?? {};
  return drawn(
    "svg",
    { class: "dot-line", width: "96", height: "12", viewBox: "0 0 96 12", "aria-hidden": "true" },
    ...(open ? [openBar(open, column)] : []),
    ...(interval ? [whisker(interval, column)] : []),
    drawn("circle", {
      class: column.topics < topics.in_the_end ? "dot dot-part" : "dot",
      cx: String(place(cell.value, column)),
      cy: "6",
      r: "3",
    }),
  );
}

/** How much of the ranking's top is judged; what is not stays hatched. @param {Cell} cell @param {string} name */
export function judgedCell(cell, name) {
  const bar = drawn(
    "svg",
    { class: "bar bar-thin", width: "40", height: "6", "aria-hidden": "true" },
    drawn("rect", { class: "bar-judged", width: `${100 * Number(cell.judged)}%`, height: "6" }),
  );
  return element("td", { class: "numeric judged", title: name }, `${cell.judged_text} `, bar);
}

/** Each measure of judged shares once, with the place of the first column that it is shown beside. @param {Column[]} columns @returns {[string, number][]} */
export function judgedColumns(columns) {
  const first = /** @type {Map<string, number>} */ (new Map());
  columns.forEach(({ judged }, at) => judged !== null && !first.has(judged) && first.set(judged, at));
  return [...first];
}

/** The sign of a run that is not significantly different from the best. @param {Intervals} intervals */
function levelSign(intervals) {
  const sign = element("span", { "aria-hidden": "true" }, "≈");
  const words = element("span", { class: "visually-hidden" }, "not significantly different from the best");
  return element("span", { class: "level", title: `${intervals.test}: p = ${intervals.p}` }, sign, words);
}

/** Interval and bounds as numbers. @param {Intervals} intervals @param {Column} column @param {Topics} topics */
function numbers(intervals, column, topics) {
  const over = column.topics < topics.in_the_end ? `, all ${topics.in_the_end.toLocaleString("en")} topics` : "";
  const lines = [];
  if (intervals.interval) lines.push(element("span", {}, `${intervals.interval.text} (95 %)`));
  if (intervals.why_none) lines.push(element("span", {}, intervals.why_none));
  if (intervals.open) lines.push(element("span", {}, `${intervals.open.text} (open${over})`));
  return element("span", { class: "intervals-numbers" }, ...lines);
}

/** What the whole pool would give, where it was sampled. @param {Cell} cell @param {Column} column */
function estimate(cell, column) {
  if (!cell.estimate) return [];
  const title = `${column.estimate}: what judging the whole pool would give, estimated from the sample`;
  return [element("span", { class: "estimate", title }, `est. ${cell.estimate}`)];
}

/** @param {Cell} cell @param {Column} column @param {Topics} topics @param {boolean} changed */
export function scoreCell(cell, column, topics, changed) {
  const kind = changed ? "numeric changed" : "numeric";
  if (column.high === null) return element("td", { class: kind }, cell.text, ...estimate(cell, column));
  const { intervals } = cell;
  const score = element(
    "span",
    { class: intervals?.level ? "score score-top" : "score" },
    dot(cell, column, topics),
    element("b", {}, cell.text),
  );
  if (intervals?.level) score.append(levelSign(intervals));
  return element("td", { class: kind }, score, ...estimate(cell, column), ...(intervals ? [numbers(intervals, column, topics)] : []));
}

/**
 * The column that a board is sorted by, and how: its name and whether the largest comes first. Without a choice it is
 * the first measure, the best first; for names A comes first.
 * @param {Board} board @param {{name: string, order: string}} chosen
 */
export function sorting(board, chosen) {
  const names = ["Run", "Team", ...board.columns.map((column) => column.name)];
  const isShown = names.includes(chosen.name);
  const name = isShown ? chosen.name : (board.columns[0]?.name ?? "Run");
  const column = board.columns.find((each) => each.name === name);
  const naturally = column !== undefined && column.best !== "lowest";
  // An order was chosen for one column: what is largest there says nothing of what is best in another.
  return { name, descending: isShown && chosen.order ? chosen.order === "descending" : naturally };
}

/** The rows in this order; equal ones by name. @param {Board} board @param {{name: string, descending: boolean}} by @returns {Row[]} */
export function inOrder(board, by) {
  const at = board.columns.findIndex((column) => column.name === by.name);
  const sign = by.descending ? -1 : 1;
  const key = (/** @type {Row} */ row) => (by.name === "Run" ? row.run : by.name === "Team" ? row.team : row.cells[at].value);
  const order = (/** @type {any} */ one, /** @type {any} */ other) => (one < other ? -1 : one > other ? 1 : 0);
  return [...board.rows].sort((one, other) => sign * order(key(one), key(other)) || order(one.run, other.run));
}
