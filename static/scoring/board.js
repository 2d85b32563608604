/** The leaderboard: a table that follows the judgments, or shows a moment of the log, sorted as one likes. */
import { Moment } from "./board_moment.js";
import { Picks } from "./board_picks.js";
import { inOrder, judgedCell, judgedColumns, scoreCell, sorting } from "./board_table.js";
import { byId, element, pageData, write } from "../elements.js";
import { getJson, getNews } from "../session.js";

const EVERY = 1_000;
const QUIET = 1_500;
const LONGEST_WAIT = 15_000;

class BoardPage {
  constructor(/** @type {{api: string, intervals: string, board: Board}} */ data) {
    this.api = data.api;
    this.intervalsApi = data.intervals;
    this.board = data.board;
    this.etag = "";
    this.requested = "";
    this.before = /** @type {Map<string, string>} */ (new Map());
    /** @type {{requested: string, seq: number, rows: Record<string, Intervals[]>}} of a board */
    this.intervals = { requested: "", seq: -1, rows: {} };
    const parameters = new URL(location.href).searchParams;
    this.sort = { name: parameters.get("sort") ?? "", order: parameters.get("order") ?? "" };
    /** The measure that was typed in and is asked for: what is still being typed is not. */
    this.other = byId("other-measure").value.trim();
    this.picks = new Picks(() => {
      this.remember();
      this.draw();
    });
    this.timer = 0;
    this.intervalsTimer = 0;
    this.intervalsDueSince = 0;
    this.polling = false;
    this.again = false;
    this.moment = new Moment(
      () => void this.poll(),
      () => this.chosen(),
    );
  }

  start() {
    for (const plain of document.querySelectorAll("[data-plain]")) plain.remove();
    byId("measures").addEventListener("change", (/** @type {Event} */ event) => {
      const { id } = /** @type {HTMLElement} */ (event.target);
      if (id === "show-numbers") this.showNumbers();
      else if (id !== "moment" && !this.picks.has(id)) this.chosen();
    });
    byId("measures").addEventListener("submit", (/** @type {Event} */ event) => {
      const { submitter } = /** @type {SubmitEvent} */ (event);
      if (submitter?.matches("[data-compare]")) return;
      event.preventDefault();
      this.chosen();
    });
    document.addEventListener("visibilitychange", () => {
      void this.poll();
      this.askIntervalsSoon();
    });
    byId("numbers-choice").hidden = false;
    this.showNumbers();
    void this.poll();
  }

  showNumbers() {
    byId("board").classList.toggle("with-numbers", byId("show-numbers").checked);
  }

  /** Ask for the board; while an answer is on its way, what is asked next waits for it. */
  async poll() {
    clearTimeout(this.timer);
    if (this.polling) this.again = true;
    if (document.hidden || this.polling) return;
    this.polling = true;
    try {
      await this.ask();
    } catch {
      this.tell("The server does not respond; the scores below may be out of date.");
    } finally {
      this.polling = false;
    }
    if (this.again) {
      this.again = false;
      void this.poll();
    } else if (this.moment.isLive) {
      this.timer = setTimeout(() => void this.poll(), EVERY);
    }
  }

  async ask() {
    const address = `${this.api}?${this.choice()}`;
    const { other } = this;
    const { news, etag, problem } = await getNews(address, this.requested === address ? this.etag : "");
    if (news) {
      this.etag = etag;
      this.requested = address;
      this.board = news;
      if (other && other === this.other) this.takeOther();
      this.draw();
    }
    this.tell(problem);
  }

  tell(/** @type {string} */ words) {
    const place = byId("live");
    write(place, words);
    place.hidden = !words;
  }

  /** What is chosen, as a query: measures in the order of the board's columns, new ones last; which rows; the moment. */
  choice() {
    const form = new FormData(byId("measures"));
    const columns = this.board.columns.map((column) => column.name);
    const place = (/** @type {string} */ name) => (columns.indexOf(name) + columns.length + 1) % (columns.length + 1);
    const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (byId("measures").querySelectorAll("[name=m]:checked"));
    const names = [...[...boxes].map((box) => box.value), this.other].filter(Boolean);
    const chosen = new URLSearchParams(names.sort((one, other) => place(one) - place(other)).map((name) => ["m", name]));
    for (const name of ["round", "by", "topics", "as-of"]) if (form.get(name)) chosen.set(name, String(form.get(name)));
    return chosen.toString();
  }

  /** A measure that was typed in and is known becomes a choice of the menu. */
  takeOther() {
    const typed = byId("other-measure");
    const menu = byId("measures");
    for (const { name, summary } of this.board.columns) {
      const known = menu.querySelector(`input[type="checkbox"][value="${CSS.escape(name)}"]`);
      if (known instanceof HTMLInputElement) {
        known.checked = true;
        continue;
      }
      const box = element("input", { type: "checkbox", name: "m", value: name, checked: true });
      typed.closest("label").before(element("label", { title: summary }, box, ` ${name}`));
    }
    if (typed.value.trim() === this.other) typed.value = "";
    this.other = "";
    this.remember();
    this.requested = `${this.api}?${this.choice()}`;
  }

  chosen() {
    this.other = byId("other-measure").value.trim();
    this.remember();
    void this.poll();
  }

  remember() {
    const query = new URLSearchParams(this.choice());
    if (this.sort.name) query.set("sort", this.sort.name);
    if (this.sort.name && this.sort.order) query.set("order", this.sort.order);
    this.picks.remember(query);
    history.replaceState(null, "", `?${query}`);
  }

  /** Sort by a column, its best first; a second time the other way round. @param {string} name */
  sortBy(name) {
    const now = sorting(this.board, this.sort);
    const turned = now.name === name ? (now.descending ? "ascending" : "descending") : "";
    this.sort = { name, order: turned };
    this.remember();
    this.draw();
  }

  /** Ask for intervals when the board has stood still for a moment, and sometimes while it does not. */
  askIntervalsSoon() {
    if (!this.board.rows.length || (this.intervals.requested === this.choice() && this.intervals.seq === this.board.seq)) return;
    this.intervalsDueSince ||= Date.now();
    clearTimeout(this.intervalsTimer);
    const wait = Date.now() - this.intervalsDueSince > LONGEST_WAIT ? 0 : QUIET;
    this.intervalsTimer = setTimeout(() => void this.askIntervals(), wait);
  }

  async askIntervals() {
    const requested = this.choice();
    if (document.hidden) return;
    this.intervalsDueSince = 0;
    try {
      const { status, body } = await getJson(`${this.intervalsApi}?${requested}`, {});
      if (requested !== this.choice()) return;
      if (status === 202) {
        this.tellCertain({ text: body.message, address: null });
        this.askIntervalsSoon();
      }
      if (status !== 200) return;
      this.intervals = { requested, seq: body.seq, rows: body.rows };
      this.tellCertain(body.certain);
      this.draw();
    } catch {
      // The board itself says when the server does not answer.
    }
  }

  /** How many pairs of runs are certain. @param {{text: string, address: string | null} | null} certain */
  tellCertain(certain) {
    byId("certain-line").hidden = !certain;
    byId("certain-words").textContent = certain ? certain.text : "";
    const link = byId("certain-pairs");
    link.hidden = !certain?.address;
    link.setAttribute("href", certain?.address ?? "");
  }

  /** Put intervals into the cells, as far as they are known for what is chosen. */
  putIntervals() {
    const fits = this.intervals.requested === this.choice();
    for (const row of this.board.rows) {
      const told = fits ? (this.intervals.rows[row.run] ?? []) : [];
      row.cells.forEach((cell, at) => (cell.intervals = told[at] ?? null));
    }
    const old = fits && this.intervals.seq !== this.board.seq;
    byId("intervals-row").textContent = old ? `Bars, lines and ≈ signs are as of row ${this.intervals.seq.toLocaleString("en")}.` : "";
  }

  draw() {
    byId("sentence").textContent = this.board.sentence;
    byId("finished-topics").textContent = this.board.topics.text;
    this.moment.draw(this.board);
    this.putIntervals();
    const by = sorting(this.board, this.sort);
    const active = document.activeElement;
    const focused = active instanceof HTMLElement ? active.dataset.sort : undefined;
    const ticking = active instanceof HTMLInputElement && active.name === "run" ? active.value : undefined;
    byId("board-head").replaceChildren(this.head(by));
    const rows = inOrder(this.board, by).map((row, at) => /** @type {[Row, number]} */ ([row, at]));
    const shown = rows.filter(([row]) => this.picks.keeps(row));
    byId("board-body").replaceChildren(...shown.map(([row, at]) => this.row(row, at)));
    document.getElementById("board-rest")?.remove();
    this.picks.draw(
      shown.map(([row]) => row.run),
      rows.length,
    );
    const again = focused && document.querySelector(`[data-sort="${CSS.escape(focused)}"]`);
    if (again instanceof HTMLElement) again.focus();
    if (ticking !== undefined) this.picks.focus(ticking);
    this.before = new Map(this.board.rows.flatMap((row) => row.cells.map((cell, at) => [this.place(row, at), cell.text])));
    this.askIntervalsSoon();
  }

  place(/** @type {Row} */ row, /** @type {number} */ at) {
    return `${this.board.columns[at].name}\n${row.run}`;
  }

  /** Whether any run names its team; without one there is no column for teams. */
  hasTeams() {
    return this.board.rows.some((row) => row.team);
  }

  head(/** @type {{name: string, descending: boolean}} */ by) {
    const columns = this.board.columns.map((column) => this.heading(column.name, "numeric", by, column.summary));
    const judged = judgedColumns(this.board.columns).map(([name]) => element("th", { scope: "col", class: "numeric judged" }, name));
    const pick = element("th", { class: "pick" }, element("span", { class: "visually-hidden" }, "Ticked"));
    const rank = element("th", { class: "numeric place" }, element("span", { class: "visually-hidden" }, "Place"));
    const team = this.hasTeams() ? [this.heading("Team", "team", by)] : [];
    return element("tr", {}, pick, rank, this.heading("Run", "run", by), ...team, ...columns, ...judged);
  }

  /** @param {string} name @param {string} kind @param {{name: string, descending: boolean}} by @param {string} [help] */
  heading(name, kind, by, help) {
    const order = by.name !== name ? "none" : by.descending ? "descending" : "ascending";
    const button = element("button", { type: "button", class: "sort", "data-sort": name, title: help }, name);
    button.addEventListener("click", () => this.sortBy(name));
    return element("th", { scope: "col", class: kind, "aria-sort": order }, button);
  }

  row(/** @type {Row} */ row, /** @type {number} */ place) {
    const cells = row.cells.map((cell, at) => {
      const before = this.before.get(this.place(row, at));
      return scoreCell(cell, this.board.columns[at], this.board.topics, this.moment.isLive && before !== undefined && before !== cell.text);
    });
    return element(
      "tr",
      { "data-run": row.run },
      this.picks.cell(row.run),
      element("td", { class: "numeric place" }, String(place + 1)),
      element(
        "th",
        { scope: "row", dir: "auto" },
        row.address ? element("a", { class: "board-run", href: row.address }, row.run) : row.run,
      ),
      ...(this.hasTeams() ? [element("td", { class: "team", dir: "auto" }, row.team)] : []),
      ...cells,
      ...judgedColumns(this.board.columns).map(([name, at]) => judgedCell(row.cells[at], name)),
    );
  }
}

new BoardPage(pageData()).start();
