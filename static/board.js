/** The leaderboard: a table that follows the judgments, sorted as one likes. */
import { byId, element, pageData } from "./elements.js";
import { getJson } from "./session.js";

const EVERY = 1_000;
const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {{name: string, judged: string | null, low: number, high: number | null, summary: string}} Column
 * @typedef {{value: number, text: string, judged: number | null, judged_text: string}} Cell
 * @typedef {{run: string, team: string, cells: Cell[]}} Row
 * @typedef {{seq: number, sentence: string, columns: Column[], rows: Row[]}} Board
 */

/** @param {string} tag @param {Record<string, string>} attributes @param {...Element} children */
function drawn(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** The score as a dot on a line from the measure's lowest to its highest value. @param {Cell} cell @param {Column} column */
function dot(cell, column) {
  const share = (cell.value - column.low) / (Number(column.high) - column.low);
  return drawn(
    "svg",
    { class: "dot-line", width: "96", height: "12", viewBox: "0 0 96 12", "aria-hidden": "true" },
    drawn("line", { class: "dot-track", x1: "4", x2: "92", y1: "6", y2: "6" }),
    drawn("circle", { class: "dot", cx: String(4 + 88 * share), cy: "6", r: "4" }),
  );
}

/** How much of the ranking's top is judged; what is not stays hatched. @param {Cell} cell @param {Column} column */
function judgedBar(cell, column) {
  if (cell.judged === null) return "";
  const bar = drawn(
    "svg",
    { class: "bar bar-thin", width: "100%", height: "6", "aria-hidden": "true" },
    drawn("rect", { class: "bar-judged", width: `${100 * cell.judged}%`, height: "6" }),
  );
  const text = `${cell.judged_text} judged`;
  return element("span", { class: "judged", title: `${column.judged}: ${text}` }, bar, element("span", {}, text));
}

/** @param {Cell} cell @param {Column} column @param {boolean} changed */
function scoreCell(cell, column, changed) {
  const kind = changed ? "numeric changed" : "numeric";
  if (column.high === null) return element("td", { class: kind }, cell.text);
  const score = element("span", { class: "score" }, dot(cell, column), element("b", {}, cell.text));
  return element("td", { class: kind }, score, judgedBar(cell, column));
}

class BoardPage {
  /** @param {{api: string, board: Board}} data */
  constructor(data) {
    this.api = data.api;
    this.board = data.board;
    this.etag = "";
    this.asked = "";
    /** @type {Map<string, string>} */
    this.before = new Map();
    const asked = new URL(location.href).searchParams;
    this.sort = { name: asked.get("sort") ?? "", descending: asked.get("order") !== "ascending" };
    this.timer = 0;
    this.polling = false;
  }

  start() {
    this.draw();
    byId("measures").addEventListener("change", () => this.chosen());
    byId("measures").addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      this.chosen();
    });
    document.addEventListener("visibilitychange", () => void this.poll());
    void this.poll();
  }

  async poll() {
    clearTimeout(this.timer);
    if (document.hidden || this.polling) return;
    this.polling = true;
    try {
      await this.ask();
    } catch {
      this.tell("The server does not answer; the scores below may be old.");
    } finally {
      this.polling = false;
    }
    this.timer = setTimeout(() => void this.poll(), EVERY);
  }

  async ask() {
    const address = `${this.api}?${this.measures()}`;
    const known = this.etag && this.asked === address;
    const { status, body, headers } = await getJson(address, known ? { "If-None-Match": this.etag } : {});
    if (status === 200) {
      this.etag = headers.get("ETag") ?? "";
      this.asked = address;
      this.board = body;
      this.takeOther();
      this.draw();
    }
    if (status === 200 || status === 304) this.tell("");
    else this.tell(status === 401 ? "You are signed out: reload the page to sign in." : body.message || `The server answered with ${status}.`);
  }

  /** @param {string} words */
  tell(words) {
    const place = byId("live");
    if (place.textContent !== words) place.textContent = words;
    place.hidden = !words;
  }

  /** The chosen measures as a query. */
  measures() {
    const chosen = new URLSearchParams();
    for (const [name, value] of new FormData(byId("measures"))) {
      if (String(value).trim()) chosen.append(name, String(value).trim());
    }
    return chosen.toString();
  }

  /** A measure that was typed in and is known becomes a choice of the menu. */
  takeOther() {
    const typed = byId("other-measure");
    const menu = byId("measures");
    if (!typed.value.trim()) return;
    for (const { name, summary } of this.board.columns) {
      const known = menu.querySelector(`input[type="checkbox"][value="${CSS.escape(name)}"]`);
      if (known instanceof HTMLInputElement) {
        known.checked = true;
        continue;
      }
      const box = element("input", { type: "checkbox", name: "m", value: name, checked: true });
      typed.closest("label").before(element("label", { title: summary }, box, ` ${name}`));
    }
    typed.value = "";
    this.remember();
    this.asked = `${this.api}?${this.measures()}`;
  }

  chosen() {
    this.remember();
    void this.poll();
  }

  remember() {
    const query = new URLSearchParams(this.measures());
    if (this.sort.name) {
      query.set("sort", this.sort.name);
      if (!this.sort.descending) query.set("order", "ascending");
    }
    history.replaceState(null, "", `?${query}`);
  }

  /** @param {string} name @param {boolean} isText */
  sortBy(name, isText) {
    const same = this.sortedBy() === name;
    this.sort = { name, descending: same ? !this.sort.descending : !isText };
    this.remember();
    this.draw();
  }

  /** The name of the column that is sorted by; without a choice the first measure. */
  sortedBy() {
    const names = ["Run", "Team", ...this.board.columns.map((column) => column.name)];
    return names.includes(this.sort.name) ? this.sort.name : (this.board.columns[0]?.name ?? "Run");
  }

  /** @returns {Row[]} */
  sorted() {
    const name = this.sortedBy();
    const at = this.board.columns.findIndex((column) => column.name === name);
    const sign = this.sort.descending ? -1 : 1;
    const key = (/** @type {Row} */ row) => (name === "Run" ? row.run : name === "Team" ? row.team : row.cells[at].value);
    const order = (/** @type {any} */ one, /** @type {any} */ other) => (one < other ? -1 : one > other ? 1 : 0);
    return [...this.board.rows].sort((one, other) => sign * order(key(one), key(other)) || order(one.run, other.run));
  }

  draw() {
    byId("sentence").textContent = this.board.sentence;
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.sort : undefined;
    byId("board-head").replaceChildren(this.head());
    byId("board-body").replaceChildren(...this.sorted().map((row, at) => this.row(row, at)));
    const again = focused && document.querySelector(`[data-sort="${CSS.escape(focused)}"]`);
    if (again instanceof HTMLElement) again.focus();
    this.before = new Map(this.board.rows.flatMap((row) => row.cells.map((cell, at) => [this.place(row, at), cell.text])));
  }

  /** @param {Row} row @param {number} at */
  place(row, at) {
    return `${this.board.columns[at].name}\n${row.run}`;
  }

  /** Whether any run names its team; without one there is no column for teams. */
  hasTeams() {
    return this.board.rows.some((row) => row.team);
  }

  head() {
    const columns = this.board.columns.map((column) => this.heading(column.name, false, column.summary));
    const rank = element("th", { class: "numeric place" }, element("span", { class: "visually-hidden" }, "Place"));
    return element("tr", {}, rank, this.heading("Run", true), ...(this.hasTeams() ? [this.heading("Team", true)] : []), ...columns);
  }

  /** @param {string} name @param {boolean} isText @param {string} [help] */
  heading(name, isText, help) {
    const isSorted = this.sortedBy() === name;
    const order = this.sort.descending && !(isText && !this.sort.name) ? "descending" : "ascending";
    const button = element("button", { type: "button", class: "sort", "data-sort": name, title: help }, name);
    button.addEventListener("click", () => this.sortBy(name, isText));
    return element("th", { scope: "col", class: isText ? name.toLowerCase() : "numeric", "aria-sort": isSorted ? order : "none" }, button);
  }

  /** @param {Row} row @param {number} place */
  row(row, place) {
    const cells = row.cells.map((cell, at) => {
      const before = this.before.get(this.place(row, at));
      return scoreCell(cell, this.board.columns[at], before !== undefined && before !== cell.text);
    });
    return element(
      "tr",
      { "data-run": row.run },
      element("td", { class: "numeric place" }, String(place + 1)),
      element("th", { scope: "row", dir: "auto" }, row.run),
      ...(this.hasTeams() ? [element("td", { class: "team", dir: "auto" }, row.team)] : []),
      ...cells,
    );
  }
}

new BoardPage(pageData()).start();
