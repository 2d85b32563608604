import assert from "node:assert/strict";
import { test } from "node:test";
import { each, give, hide, one, open, pass, settled } from "../page.js";

const HTML = `<head><meta name=csrf-token content=t><meta name=session-url content=/session></head>
  <p data-plain>Plain</p><p id=live hidden></p><p id=sentence></p><p id=finished-topics></p><p id=intervals-row></p>
  <p id=certain-line hidden><b id=certain-words></b><a id=certain-pairs hidden></a></p><b id=newest></b>
  <p id=moment-told><b id=moment-words></b></p><a id=compared hidden></a><a id=now href=#>Now</a>
  <form id=measures><input type=checkbox name=m value=AP checked><input type=checkbox name=m value=P id=p>
  <label><input id=other-measure></label><select name=round id=round><option value="">all</option><option>2</option></select>
  <input id=as-of name=as-of type=number min=0 max=9000><input id=moment type=range hidden min=0>
  <label id=numbers-choice hidden><input type=checkbox id=show-numbers></label>
  <input id=board-find><select id=board-team><option value="">all</option><option>X</option></select>
  <input type=checkbox id=board-only><b id=board-said></b><b id=board-ticked></b>
  <a data-copy="/copy.tsv" id=copy>Copy</a><a data-same="/table" id=same>Table</a>
  <button id=show>Show</button><button id=compare data-compare>Compare</button></form>
  <table id=board><thead id=board-head></thead><tbody id=board-body></tbody></table><p id=board-rest>Rest</p>`;
const COLUMNS = ["AP", "P"].map((name) => ({
  name,
  summary: `What ${name} is`,
  best: "highest",
  judged: null,
  low: 0,
  high: 1,
  topics: 2,
}));

/** A board of runs, each with its team and its score. @param {[string, string, number][]} runs */
const board = (runs, seq = 5, columns = COLUMNS.slice(0, 1)) => ({
  sentence: `Row ${seq}.`,
  columns,
  rows: runs.map(([run, team, value]) => ({
    run,
    team,
    address: run === "d" ? null : `/run/${run}`,
    cells: columns.map(() => ({ value, text: value.toFixed(2) })),
  })),
  seq,
  newest: seq,
  moment: "",
  compared: null,
  topics: { text: "Two of 3 topics.", in_the_end: 2 },
});

const FIRST = board([
  ["a", "X", 0.25],
  ["b", "Y", 0.5],
  ["d", "X", 0.75],
]);

/** The page of a leaderboard, and a server that answers with what is in `state`. */
async function begun(query = "") {
  const state = /** @type {any} */ ({ board: FIRST, status: 200, message: "", intervals: [404, {}], copy: new Response("a\tb"), left: "" });
  const asked = { boards: [], known: [], intervals: [] };
  const answer = ({ path, headers }) => {
    const [address, query] = path.split("?");
    if (address === "/copy.tsv") return state.copy;
    if (address === "/api/intervals") {
      asked.intervals.push(query);
      const [status, body] = state.intervals;
      return Response.json(body, { status });
    }
    asked.boards.push(query);
    asked.known.push(headers.get("If-None-Match"));
    if (!state.status) throw new TypeError("no network");
    const tag = `"${state.board.seq}"`;
    if (state.status === 200 && headers.get("If-None-Match") === tag) return new Response(null, { status: 304 });
    const body = state.status === 200 ? state.board : { message: state.message };
    return Response.json(body, { status: state.status, headers: { ETag: tag } });
  };
  const data = { api: "/api/board", intervals: "/api/intervals", board: FIRST };
  open(`${HTML}<script type=application/json id=page-data>${JSON.stringify(data)}</script>`, {
    answer,
    address: `http://localhost/${query}`,
  });
  give("assign", (address) => (state.left = address), location);
  await import("#static/scoring/board.js");
  await settled();
  return { state, asked };
}

const text = (id) => one(`#${id}`).textContent;
const hidden = (id) => one(`#${id}`).hidden;
const rows = () => each("#board-body tr th", ({ textContent }) => textContent).join("");
const cells = (selector) => each(`${selector} > *`, ({ textContent }) => textContent);

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

test("the board follows the log and says what it is of", async () => {
  const { state, asked } = await begun();
  assert.deepEqual(
    [text("sentence"), text("finished-topics"), hidden("numbers-choice"), hidden("live")],
    ["Row 5.", "Two of 3 topics.", false, true],
  );
  assert.equal(document.querySelector("[data-plain], #board-rest"), null);
  assert.deepEqual(cells("#board-head tr"), ["Ticked", "Place", "Run", "Team", "AP"]);
  assert.deepEqual(cells("#board-body tr:first-child"), ["", "1", "d", "X", "0.75"]);
  assert.deepEqual(
    each("a.board-run", (link) => link.getAttribute("href")),
    ["/run/b", "/run/a"],
  );
  assert.deepEqual([one("[data-sort=AP]").title, asked.boards, asked.known], ["What AP is", ["m=AP"], [null]]);
  state.board = board(
    [
      ["a", "X", 0.25],
      ["b", "Y", 0.9],
      ["d", "X", 0.75],
    ],
    1200,
  );
  await pass(1_000);
  assert.deepEqual([rows(), each("td.changed", ({ textContent }) => textContent), asked.known[1]], ["bda", ["0.90"], '"5"']);
  hide(true);
  await pass(5_000);
  const { length } = asked.boards;
  await pass(5_000);
  assert.equal(asked.boards.length, length, "nobody looks at it");
  state.board = { ...state.board, seq: 1201 };
  hide(false);
  await settled();
  assert.deepEqual([asked.boards.length, each("td.changed", String)], [length + 1, []]);
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

test("a board is sorted by the column that is pressed, and the other way round", async () => {
  await begun();
  const order = () => each("#board-head [aria-sort]", (heading) => heading.getAttribute("aria-sort")).join(" ");
  const press = (column) => {
    const button = one(`[data-sort=${column}]`);
    button.focus();
    button.click();
    return `${rows()} ${location.search}`;
  };
  assert.equal(order(), "none none descending");
  assert.equal(press("AP"), "abd ?m=AP&sort=AP&order=ascending");
  assert.equal(document.activeElement, one("[data-sort=AP]"));
  assert.equal(press("AP"), "dba ?m=AP&sort=AP&order=descending");
  assert.equal(press("Run"), "abd ?m=AP&sort=Run");
  assert.equal(order(), "ascending none none");
  await begun("?m=AP&sort=Run&order=descending");
  assert.equal(rows(), "dba", "as its address says");
});

test("rows are found by words, team and ticks, and led on from", async () => {
  const { asked } = await begun();
  await put("#board-find", "x A");
  assert.deepEqual([rows(), text("board-said"), location.search], ["a", "1 of 3 runs", "?m=AP&q=x+A"]);
  await put("#board-find", "");
  await put("#board-team", "X");
  assert.deepEqual([rows(), location.search], ["da", "?m=AP&team=X"]);
  await put("#board-team", "");
  for (const run of ["b", "d"]) {
    one(`#board-body input[value=${run}]`).focus();
    await put(`#board-body input[value=${run}]`);
  }
  assert.deepEqual([/** @type {any} */ (document.activeElement).value, text("board-said")], ["d", "2 ticked"]);
  await put("#board-body input[value=b]");
  await put("#board-only");
  assert.deepEqual([rows(), text("board-said"), location.search], ["d", "1 of 3 runs, 1 ticked", "?m=AP&run=d&only=yes"]);
  assert.deepEqual(
    ["#copy", "#same"].map((id) => one(id).getAttribute("href")),
    ["/copy.tsv?m=AP&run=d&only=yes", "/table?m=AP&run=d&only=yes"],
  );
  assert.equal(one("#board-ticked").childElementCount, 0);
  await put("#board-find", "b");
  assert.deepEqual([rows(), one("#board-ticked").innerHTML], ["", '<input type="hidden" name="run" value="d">']);
  assert.equal(asked.boards.length, 1, "which rows are shown is nothing to ask the server");
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
  state.board = board(
    [
      ["a", "", 0.25],
      ["b", "", 0.5],
    ],
    5,
    COLUMNS,
  );
  await put("[value=P]");
  assert.deepEqual([rows(), cells("#board-head tr")], ["ba", ["Ticked", "Place", "Run", "AP", "P"]]);
  await pass(1_000);
  await put("#round", "2");
  assert.deepEqual(asked.boards.slice(1), ["m=AP&m=P", "m=AP&m=P", "m=AP&m=P&round=2"]);
  one("#other-measure").value = "RR";
  state.board = board([["a", "", 0.25]], 6, [COLUMNS[0], { ...COLUMNS[1], name: "RR", summary: "Reciprocal rank" }]);
  one("#show").click();
  await settled();
  assert.deepEqual([asked.boards.at(-1), one("#other-measure").value], ["m=AP&m=P&m=RR&round=2", ""]);
  const box = one("input[value=RR]");
  assert.deepEqual([box.hasAttribute("checked"), box.closest("label").title], [true, "Reciprocal rank"]);
});

test("numbers beside the scores are shown where they are asked for", async () => {
  const { asked } = await begun();
  assert.equal(one("#board").className, "");
  await put("#show-numbers");
  assert.deepEqual([one("#board").className, asked.boards.length], ["with-numbers", 1]);
});

test("intervals are asked for once the board stands still", async () => {
  const { state, asked } = await begun();
  state.intervals = [202, { message: "Being counted." }];
  await pass(1_499);
  assert.deepEqual(asked.intervals, []);
  await pass(1);
  assert.deepEqual([text("certain-words"), hidden("certain-line"), hidden("certain-pairs")], ["Being counted.", false, true]);
  const none = { open: null, interval: null, why_none: "one topic", level: false, p: null, test: "" };
  state.intervals = [200, { seq: 5, rows: { d: [none] }, certain: { text: "2 of 3 pairs.", address: "/certain" } }];
  await pass(1_500);
  assert.deepEqual(
    [text("certain-words"), one("#certain-pairs").getAttribute("href"), hidden("certain-pairs")],
    ["2 of 3 pairs.", "/certain", false],
  );
  assert.deepEqual([cells("#board-body tr:first-child").at(-1), text("intervals-row")], ["0.75one topic", ""]);
  state.board = board(
    [
      ["a", "X", 0.25],
      ["d", "X", 0.8],
    ],
    1200,
  );
  state.intervals = [200, { seq: 1200, rows: {}, certain: null }];
  await pass(1_000);
  assert.deepEqual([rows(), text("intervals-row").includes("as of row 5.")], ["da", true]);
  await pass(1_600);
  assert.deepEqual([hidden("certain-line"), text("intervals-row"), asked.intervals], [true, "", ["m=AP", "m=AP", "m=AP"]]);
});

test("a moment of the log is asked for once", async () => {
  const { asked } = await begun();
  await put("#as-of", "3");
  const { length } = asked.boards;
  assert.deepEqual([asked.boards.at(-1), hidden("now")], ["m=AP&as-of=3", false]);
  await pass(5_000);
  assert.equal(asked.boards.length, length);
  one("#now").click();
  await settled();
  assert.equal(asked.boards.at(-1), "m=AP");
  await pass(1_000);
  assert.equal(asked.boards.length, length + 2);
});
