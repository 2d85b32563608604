import assert from "node:assert/strict";
import { test } from "node:test";
import { each, give, hide, one, open, pass, settled } from "../page.js";

/** @typedef {[run: string, team: string, score: string]} Row */

/** The table as the server draws it. */
const table = ({ rows, seq, sure, columns, order }) => `
  <table id=board data-live data-seq=${seq} data-intervals=${sure}><thead id=board-head><tr>
  <th class=run><a class=sort data-sort=Run href="?sort=Run">Run</a></th>
  ${columns.map((name) => `<th class=numeric><a class=sort data-sort=${name} href="?m=x&sort=${name}&order=${order}">${name}</a></th>`).join("")}
  </tr></thead><tbody id=board-body>${rows
    .map(
      ([run, team, score]) => `<tr data-run=${run}><td><input type=checkbox name=run value=${run} form=measures></td>
        <th><a href=/run/${run}>${run}</a></th><td class=team>${team}</td>
        ${columns.map((name) => `<td><b data-score=${name}>${score}</b></td>`).join("")}</tr>`,
    )
    .join("")}</tbody></table>`;

/** @type {Row[]} */
const ROWS = [
  ["d", "X", "0.75"],
  ["b", "Y", "0.50"],
  ["a", "X", "0.25"],
];
const FIRST = { rows: ROWS, seq: 5, sure: "5", columns: ["AP"], order: "ascending", certain: "", moment: "", choices: "", now: false };

/** The page as the server makes it. */
const page = (board) => `<p data-plain>Plain</p><p id=live hidden></p><p id=sentence data-live>Row ${board.seq}.</p>
  ${board.certain === null ? "" : `<p id=certain-line data-live ${board.certain ? "" : "hidden"}>${board.certain}</p>`}
  <p id=moment-told data-live ${board.moment ? "" : "hidden"}><b id=moment-words data-live>${board.moment}</b></p>
  <a id=compared data-live href="/compare?${board.seq}">Compare</a>
  <form id=measures><input type=checkbox name=m value=AP checked><input type=checkbox name=m value=P id=p>${board.choices}
  <details id=fold><summary id=opens>Measures</summary><label><input id=other-measure></label></details><select name=round id=round><option value="">all</option><option>2</option></select>
  <input id=as-of name=as-of type=number min=0 max=9000><input id=moment type=range hidden min=0 max=4000 value=${board.seq}>
  <a id=now href=# data-live>Now</a><label id=numbers-choice hidden><input type=checkbox id=show-numbers></label>
  <input id=board-find><select id=board-team><option value="">all</option><option>X</option></select>
  <input type=checkbox id=board-only><b id=board-said></b><b id=board-ticked></b>
  <a data-copy="/copy.tsv" id=copy>Copy</a><a data-same="/table" id=same>Table</a>
  <button id=show>Show</button><button id=compare data-compare>Compare</button></form>${table(board)}<p id=board-rest>Rest</p>`;

/** The page of a leaderboard, and a server that answers with what is in `state`. */
async function begun(query = "?m=AP") {
  const state = /** @type {any} */ ({
    board: FIRST,
    sure: {},
    meanwhile() {},
    status: 200,
    message: "",
    copy: new Response("a\tb"),
    left: "",
  });
  const asked = { known: [], boards: [], intervals: [] };
  const answer = ({ path, headers }) => {
    const [address, asks] = path.split("?");
    if (address === "/copy.tsv") return state.copy;
    const intervals = asks.includes("intervals=yes");
    (intervals ? asked.intervals : asked.boards).push(asks.replace(/&rows=all&intervals=\w+/, ""));
    const before = headers.get("If-None-Match");
    if (intervals) state.meanwhile();
    else asked.known.push(before);
    if (!state.status) throw new TypeError("no network");
    const tag = `"${state.board.seq}"`;
    if (state.status === 200 && before === tag) return new Response(null, { status: 304 });
    if (state.status !== 200) return Response.json({ message: state.message }, { status: state.status });
    const board = intervals ? { ...state.board, ...state.sure } : { ...state.board, certain: null };
    return new Response(page(board), { headers: { ETag: tag, "Content-Type": "text/html" } });
  };
  open(`<head><meta name=csrf-token content=t></head>${page(FIRST)}`, { answer, address: `http://localhost/board${query}` });
  give("assign", (address) => void Object.assign(state, { left: address }), location);
  await import("#static/scoring/board.js");
  await settled();
  return { state, asked };
}

const text = (id) => one(`#${id}`).textContent;
const hidden = (id) => one(`#${id}`).hidden;
const rows = () => each("#board-body tr:not([hidden])", ({ dataset }) => dataset.run).join("");

/** Changes a field as its reader does. @param {string} selector @param {any} [value] */
async function put(selector, value) {
  const field = one(selector);
  if (field.type === "checkbox") field.click();
  else {
    field.value = value;
    for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
  }
  await settled();
}

test("the board follows the log, with all that the page says of it", async () => {
  const { state, asked } = await begun();
  assert.equal(document.querySelector("[data-plain], #board-rest"), null);
  assert.deepEqual([rows(), asked.boards, asked.known, hidden("numbers-choice")], ["dba", ["m=AP"], [null], false]);
  const sentence = one("#sentence");
  state.board = { ...FIRST, rows: [["b", "Y", "0.90"], ...ROWS.filter(([run]) => run !== "b")], seq: 1200, moment: "As of then" };
  await pass(1_000);
  assert.deepEqual([rows(), each("td.changed", ({ textContent }) => textContent), asked.known[1]], ["bda", ["0.90"], '"5"']);
  assert.deepEqual([one("#sentence") === sentence, text("sentence"), text("moment-words")], [true, "Row 1200.", "As of then"]);
  assert.deepEqual([hidden("moment-told"), one("#compared").getAttribute("href")], [false, "/compare?1200"]);
  hide(true);
  await pass(5_000);
  const { length } = asked.boards;
  await pass(5_000);
  assert.equal(asked.boards.length, length, "nobody looks at it");
  state.board = { ...state.board, seq: 1201, moment: "" };
  hide(false);
  await settled();
  assert.deepEqual([asked.boards.length, each("td.changed", String), hidden("moment-told")], [length + 1, [], true]);
});

test("what stops the board from following is said until it follows again", async () => {
  const { state } = await begun();
  const told = async (status, message = "") => {
    Object.assign(state, { status, message });
    await pass(1_000);
    return hidden("live") ? "" : text("live");
  };
  assert.match(await told(401), /signed out/);
  assert.equal(await told(403, "Not yours."), "Not yours.");
  assert.match(await told(502), /answered with 502/);
  assert.match(await told(0), /does not respond/);
  assert.equal(await told(200), "");
});

test("a board is sorted by the column that is pressed, as its link says", async () => {
  const { state, asked } = await begun();
  state.board = { ...FIRST, rows: ROWS.toReversed(), order: "descending" };
  const link = one("[data-sort=AP]");
  link.focus();
  link.click();
  await settled();
  assert.deepEqual(
    [rows(), location.search, asked.boards.at(-1)],
    ["abd", "?m=AP&sort=AP&order=ascending", "m=AP&sort=AP&order=ascending"],
  );
  assert.deepEqual([document.activeElement, link.isConnected], [one("[data-sort=AP]"), false]);
  one("[data-sort=AP]").click();
  assert.equal(location.search, "?m=AP&sort=AP&order=descending");
  await settled();
  one("[data-sort=Run]").click();
  assert.equal(location.search, "?m=AP&sort=Run");
  await settled();
  const click = new MouseEvent("click", { ctrlKey: true, bubbles: true, cancelable: true });
  assert.equal(one("[data-sort=AP]").dispatchEvent(click), true, "another tab is the browser's");
  const { asked: later } = await begun("?m=AP&sort=Run&order=descending");
  assert.deepEqual(later.boards, ["m=AP&sort=Run&order=descending"]);
});

test("rows are found by words, team and ticks, and led on from", async () => {
  const { state, asked } = await begun();
  await put("#board-find", "x A");
  assert.deepEqual([rows(), text("board-said"), location.search], ["a", "1 of 3 runs", "?m=AP&q=x+A"]);
  await put("#board-find", "");
  await put("#board-team", "X");
  assert.deepEqual([rows(), location.search], ["da", "?m=AP&team=X"]);
  await put("#board-team", "");
  for (const run of ["b", "d"]) await put(`#board-body input[value=${run}]`);
  one("#board-body input[value=d]").focus();
  assert.equal(text("board-said"), "2 ticked");
  await put("#board-body input[value=b]");
  await put("#board-only");
  assert.deepEqual([rows(), text("board-said"), location.search], ["d", "1 of 3 runs, 1 ticked", "?m=AP&run=d&only=yes"]);
  assert.deepEqual(
    ["#copy", "#same"].map((id) => one(id).getAttribute("href")),
    ["/copy.tsv?m=AP&run=d&only=yes", "/table?m=AP&run=d&only=yes"],
  );
  assert.equal(asked.boards.length, 1, "which rows are shown is nothing to ask the server");
  state.board = { ...FIRST, seq: 6 };
  await pass(1_000);
  const box = /** @type {any} */ (document.activeElement);
  assert.deepEqual([rows(), box.value, box.checked, one("#board-ticked").childElementCount], ["d", "d", true, 0]);
  state.board = { ...FIRST, seq: 7, rows: ROWS.slice(1) };
  await pass(1_000);
  assert.deepEqual([rows(), one("#board-ticked").innerHTML], ["", '<input type="hidden" name="run" value="d">']);
});

test("what is shown is copied, or led to where the browser or the server refuses", async () => {
  const { state } = await begun();
  const copied = [];
  const copy = async (answer = new Response("a\tb")) => {
    Object.assign(state, { copy: answer, left: "" });
    one("#board-said").textContent = "";
    one("#copy").click();
    await settled();
    return [text("board-said"), state.left !== ""];
  };
  give("clipboard", { writeText: async (words) => void copied.push(words) }, navigator);
  assert.deepEqual([await copy(), copied], [["Copied.", false], ["a\tb"]]);
  give("clipboard", undefined, navigator);
  document.execCommand = () => copied.push(one("textarea").value) < 3;
  assert.deepEqual([await copy(), copied.at(-1), document.querySelector("textarea")], [["Copied.", false], "a\tb", null]);
  assert.deepEqual(await copy(), ["", true]);
  assert.deepEqual(await copy(new Response("No", { status: 403 })), ["", true]);
});

test("measures are asked for in the order of the columns, and those typed in become choices", async () => {
  const { state, asked } = await begun();
  state.board = { ...FIRST, columns: ["AP", "P"] };
  await put("[value=P]");
  await pass(1_000);
  await put("#round", "2");
  assert.deepEqual(asked.boards.slice(1), ["m=AP&m=P", "m=AP&m=P", "m=AP&m=P&round=2"]);
  one("#other-measure").value = "RR";
  const choices = '<label title="Reciprocal rank"><input type=checkbox name=m value=RR checked> RR</label>';
  state.board = { ...FIRST, seq: 6, columns: ["AP", "P", "RR"], choices };
  one("#show").click();
  await settled();
  assert.deepEqual([asked.boards.at(-1), one("#other-measure").value], ["m=AP&m=P&m=RR&round=2", ""]);
  const box = one("input[value=RR]");
  assert.deepEqual([box.checked, box.closest("label").title, one("#p").checked], [true, "Reciprocal rank", true]);
  assert.match(location.search, /m=RR/);
  state.status = 422;
  state.message = "There is no measure RX.";
  one("#other-measure").value = "RX";
  one("#show").click();
  await settled();
  assert.deepEqual([text("live"), one("#other-measure").value], ["There is no measure RX.", "RX"]);
});

test("a fold of the controls closes with Escape, which leads back to it, and with a click beside it", async () => {
  await begun();
  const fold = one("#fold");
  fold.open = true;
  one("#other-measure").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  assert.deepEqual([fold.open, document.activeElement?.id], [false, "opens"]);
  fold.open = true;
  one("#other-measure").click();
  assert.equal(fold.open, true, "a click inside leaves it open");
  one("#board-said").click();
  assert.equal(fold.open, false);
  one("#board-said").click();
  one("#round").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  assert.equal(fold.open, false, "a closed one stays so");
});

test("numbers beside the scores are shown where they are asked for", async () => {
  const { asked } = await begun();
  assert.equal(one("#board").className, "");
  await put("#show-numbers");
  assert.deepEqual([one("#board").className, asked.boards.length], ["with-numbers", 1]);
});

test("intervals are asked for once the board stands still", async () => {
  const { state, asked } = await begun();
  assert.deepEqual(asked.intervals, []);
  state.board = { ...FIRST, seq: 6, sure: "" };
  state.sure = { certain: "Being computed." };
  await pass(1_000);
  await pass(1_499);
  assert.deepEqual([asked.intervals, hidden("certain-line")], [[], true]);
  await pass(1);
  assert.deepEqual([text("certain-line"), hidden("certain-line"), asked.intervals.length], ["Being computed.", false, 1]);
  state.sure = { certain: "2 of 3 pairs.", sure: "6" };
  await pass(1_500);
  assert.deepEqual([text("certain-line"), one("#board").dataset.intervals], ["2 of 3 pairs.", "6"]);
  await pass(5_000);
  assert.equal(asked.intervals.length, 2);
  state.board = { ...FIRST, seq: 7, sure: "6" };
  await pass(1_000);
  assert.deepEqual([text("certain-line"), one("#board").dataset.intervals], ["2 of 3 pairs.", "6"]);
  hide(true);
  await pass(9_000);
  assert.equal(asked.intervals.length, 2, "nobody looks at it");
});

test("intervals of another choice than the present one are left alone", async () => {
  const { state, asked } = await begun();
  state.board = { ...FIRST, seq: 6, sure: "" };
  state.sure = { sure: "6", certain: "Of AP alone." };
  state.meanwhile = () => (one("#p").checked = true);
  await pass(1_000);
  await pass(1_500);
  assert.deepEqual([asked.intervals, text("certain-line")], [["m=AP"], ""]);
});

test("a moment of the log is asked for once", async () => {
  const { asked } = await begun();
  await put("#as-of", "3");
  const { length } = asked.boards;
  assert.equal(asked.boards.at(-1), "m=AP&as-of=3");
  await pass(5_000);
  assert.equal(asked.boards.length, length);
  one("#now").click();
  await settled();
  assert.equal(asked.boards.at(-1), "m=AP");
  await pass(1_000);
  assert.equal(asked.boards.length, length + 2);
});
