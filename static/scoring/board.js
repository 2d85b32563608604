/**
 * The leaderboard follows the judgments, or shows a moment of the log, sorted as one likes. The server draws it: what
 * has `data-live` is taken over from its page, asked for again and again, and what its reader has chosen stays.
 */
import { byId, hide, setAttribute } from "../elements.js";
import { getNews } from "../session.js";
import { Moment } from "./board_moment.js";
import { Picks } from "./board_picks.js";

const EVERY = 1_000;
const QUIET = 1_500;
const LONGEST_WAIT = 15_000;

class BoardPage {
  constructor() {
    this.etag = "";
    this.requested = "";
    this.order = orderOf(location.href);
    /** The measure that was typed in and is asked for: what is still being typed is not. */
    this.other = byId("other-measure").value.trim();
    this.picks = new Picks(() => this.remember());
    this.timer = 0;
    this.intervalsTimer = 0;
    this.intervalsDueSince = 0;
    /** The rows, and their place in the log, of which the page says how sure they are. */
    this.sureOf = "";
    this.polling = false;
    this.again = false;
    this.moment = new Moment(
      () => void this.poll(),
      () => this.chosen(),
    );
  }

  start() {
    for (const plain of document.querySelectorAll("[data-plain]")) plain.remove();
    const form = byId("measures");
    form.addEventListener("change", (/** @type {Event} */ { target }) => {
      const { id, name } = /** @type {HTMLInputElement} */ (target);
      if (id === "show-numbers") this.showNumbers();
      else if (id !== "moment" && name !== "run" && !this.picks.has(id)) this.chosen();
    });
    form.addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
      if (event.submitter?.matches("[data-compare]")) return;
      event.preventDefault();
      this.chosen();
    });
    byId("board").addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const link = /** @type {Element} */ (event.target).closest("a.sort");
      if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.order = orderOf(link.href);
      this.chosen();
    });
    document.addEventListener("visibilitychange", () => {
      void this.poll();
      this.askIntervalsSoon();
    });
    // A fold of the controls is over the board: a click beside it, or Escape, closes it.
    addEventListener("click", ({ target }) => closeFolds(form, (fold) => !fold.contains(/** @type {Node} */ (target))));
    form.addEventListener("keydown", (/** @type {KeyboardEvent} */ { key }) => key === "Escape" && closeFolds(form)?.focus());
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
    const { other } = this;
    const address = this.address("known");
    const { news, etag, problem } = await getNews(address, this.requested === address ? this.etag : "");
    if (news) {
      this.etag = etag;
      this.requested = address;
      const page = this.draw(news);
      if (other && other === this.other) this.takeOther(page);
    }
    this.tell(problem);
  }

  tell(/** @type {string} */ words) {
    byId("live").textContent = words;
    byId("live").hidden = !words;
  }

  /** What is chosen, as a query: measures in the order of the board's columns, new ones last; which rows; the moment; the order. */
  choice() {
    const form = new FormData(byId("measures"));
    const columns = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("th.numeric .sort"))].map(
      ({ dataset }) => dataset.sort,
    );
    const place = (/** @type {string} */ name) => (columns.indexOf(name) + columns.length + 1) % (columns.length + 1);
    const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (byId("measures").querySelectorAll("[name=m]:checked"));
    const names = [...[...boxes].map((box) => box.value), this.other].filter(Boolean);
    const chosen = new URLSearchParams(names.sort((one, other) => place(one) - place(other)).map((name) => ["m", name]));
    for (const name of ["round", "question", "by", "topics", "as-of"]) if (form.get(name)) chosen.set(name, String(form.get(name)));
    for (const [name, value] of this.order) chosen.set(name, value);
    return chosen;
  }

  address(/** @type {"known" | "yes"} */ intervals) {
    return `?${this.choice()}&rows=all&intervals=${intervals}`;
  }

  /** A measure that was typed in and is known becomes a choice of the menu. */
  takeOther(/** @type {Document} */ page) {
    const typed = byId("other-measure");
    for (const box of page.querySelectorAll("#measures [name=m]:checked")) {
      const known = byId("measures").querySelector(`[type=checkbox][value="${CSS.escape(box.getAttribute("value") ?? "")}"]`);
      if (known) known.checked = true;
      else typed.closest("label").before(box.closest("label") ?? box);
    }
    if (typed.value.trim() === this.other) typed.value = "";
    this.other = "";
    this.remember();
    this.requested = this.address("known");
  }

  chosen() {
    this.other = byId("other-measure").value.trim();
    this.remember();
    void this.poll();
  }

  /** Keeps what is chosen in the address, and shows the rows that are. */
  remember() {
    const query = this.choice();
    this.picks.remember(query);
    history.replaceState(null, "", `?${query}`);
    this.picks.show();
  }

  /** Ask for intervals when the board has stood still for a moment, and sometimes while it does not. */
  askIntervalsSoon() {
    const { seq, intervals } = byId("board").dataset;
    if (seq === intervals && this.sureOf === `${seq} ${this.address("yes")}`) return;
    this.intervalsDueSince ||= Date.now();
    clearTimeout(this.intervalsTimer);
    const wait = Date.now() - this.intervalsDueSince > LONGEST_WAIT ? 0 : QUIET;
    this.intervalsTimer = setTimeout(() => void this.askIntervals(), wait);
  }

  async askIntervals() {
    if (document.hidden) return;
    this.intervalsDueSince = 0;
    const address = this.address("yes");
    // The board itself says when the server does not answer.
    const { news } = await getNews(address, "").catch(() => ({ news: null }));
    if (news && address === this.address("yes")) this.draw(news, address);
  }

  /** Takes over what is live of the page that the server has now, unless it is older than this one. @param {string} html */
  draw(html, sure = "") {
    const page = new DOMParser().parseFromString(html, "text/html");
    const before = this.moment.isLive ? scoresOf(byId("board")) : new Map();
    const focused = focusedIn(byId("board"));
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll("[data-live]"))) {
      const place = byId(part.id);
      const isAround = part.querySelector("[data-live]") !== null;
      if (!isAround && (part.localName === "table" || place.textContent !== part.textContent)) place.replaceChildren(...part.childNodes);
      for (const name of ["href", "data-seq", "data-intervals"])
        if (part.hasAttribute(name)) setAttribute(place, name, part.getAttribute(name) ?? "");
      hide(place, part.hasAttribute("hidden"));
    }
    for (const [key, [text, cell]] of scoresOf(byId("board")))
      if (before.has(key) && before.get(key)[0] !== text) cell.closest("td")?.classList.add("changed");
    document.getElementById("board-rest")?.remove();
    this.moment.draw(/** @type {HTMLInputElement} */ (page.getElementById("moment")));
    this.picks.show();
    if (sure) this.sureOf = `${byId("board").dataset.seq} ${sure}`;
    if (focused) byId("board").querySelector(focused)?.focus({ preventScroll: true });
    this.askIntervalsSoon();
    return page;
  }
}

/** Closes the open fold of the controls, if it is to be; its summary. @param {HTMLElement} form */
function closeFolds(form, isMeant = (/** @type {HTMLElement} */ _) => true) {
  const fold = /** @type {HTMLDetailsElement | null} */ (form.querySelector("details[open]"));
  if (!fold || !isMeant(fold)) return null;
  fold.open = false;
  return fold.querySelector("summary");
}

/** By which column an address sorts, and how. @param {string} address */
function orderOf(address) {
  const { searchParams } = new URL(address);
  return [...searchParams].filter(([name, value]) => ["sort", "order"].includes(name) && value);
}

/** Each score of a board, by its measure and run, with its place. @param {HTMLElement} board @returns {Map<string, [string, HTMLElement]>} */
function scoresOf(board) {
  const cells = /** @type {HTMLElement[]} */ ([...board.querySelectorAll("[data-score]")]);
  return new Map(cells.map((cell) => [`${cell.dataset.score}\n${cell.closest("tr")?.dataset.run}`, [cell.textContent ?? "", cell]]));
}

/** What has the focus in a board, to be found again in the next one. @param {HTMLElement} board */
function focusedIn(board) {
  const active = board.contains(document.activeElement) ? document.activeElement : null;
  const name = ["data-sort", "value", "href"].find((each) => active?.hasAttribute(each));
  return name && `[${name}="${CSS.escape(active?.getAttribute(name) ?? "")}"]`;
}

new BoardPage().start();
