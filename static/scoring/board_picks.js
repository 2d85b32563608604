/** Which rows of the leaderboard are shown, which are ticked, and copying what is shown. */
import { byId, element } from "../elements.js";

const OWN = ["board-find", "board-team", "board-only"];

export class Picks {
  /** @param {() => void} changed called when other rows are to be shown */
  constructor(changed) {
    const parameters = new URL(location.href).searchParams;
    this.ticked = new Set(parameters.getAll("run"));
    this.find = /** @type {HTMLInputElement} */ (byId("board-find"));
    /** @type {HTMLSelectElement | null} */
    this.team = /** @type {HTMLSelectElement | null} */ (document.getElementById("board-team"));
    this.only = /** @type {HTMLInputElement} */ (byId("board-only"));
    this.changed = changed;
    this.find.addEventListener("input", changed);
    this.team?.addEventListener("change", changed);
    this.only.addEventListener("change", changed);
    byId("board-body").addEventListener("change", (/** @type {Event} */ event) =>
      this.tick(/** @type {HTMLInputElement} */ (event.target)),
    );
    for (const link of document.querySelectorAll("a[data-copy]")) link.addEventListener("click", (event) => void this.copy(event));
  }

  /** Whether a field of this id says what is shown. @param {string} id */
  has(id) {
    return OWN.includes(id);
  }

  tick(/** @type {HTMLInputElement} */ box) {
    if (box.checked) this.ticked.add(box.value);
    else this.ticked.delete(box.value);
    this.changed();
  }

  keeps(/** @type {{run: string, team: string}} */ row) {
    const names = `${row.run} ${row.team}`.toLowerCase();
    const words = this.find.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (this.only.checked && !this.ticked.has(row.run)) return false;
    return (!this.team?.value || this.team.value === row.team) && words.every((word) => names.includes(word));
  }

  /** A run's box. @param {string} run */
  cell(run) {
    const box = element("input", {
      type: "checkbox",
      form: "measures",
      name: "run",
      value: run,
      checked: this.ticked.has(run),
      "aria-label": run,
    });
    return element("td", { class: "pick" }, element("label", { class: "tick" }, box));
  }

  focus(/** @type {string} */ run) {
    const box = document.querySelector(`#board-body input[value="${CSS.escape(run)}"]`);
    if (box instanceof HTMLElement) box.focus({ preventScroll: true });
  }

  /** Put what is shown into an address. @param {URLSearchParams} query */
  remember(query) {
    if (this.find.value.trim()) query.set("q", this.find.value.trim());
    if (this.team?.value) query.set("team", this.team.value);
    for (const run of this.ticked) query.append("run", run);
    if (this.only.checked) query.set("only", "yes");
  }

  /** Say how many rows there are, and lead on from what is shown. @param {string[]} shown @param {number} all */
  draw(shown, all) {
    const there = new Set(shown);
    const hidden = [...this.ticked].filter((run) => !there.has(run));
    byId("board-ticked").replaceChildren(...hidden.map((run) => element("input", { type: "hidden", name: "run", value: run })));
    const parts = [];
    if (shown.length < all) parts.push(`${shown.length.toLocaleString("en")} of ${all.toLocaleString("en")} runs`);
    if (this.ticked.size) parts.push(`${this.ticked.size.toLocaleString("en")} ticked`);
    byId("board-said").textContent = parts.join(", ");
    for (const link of document.querySelectorAll("a[data-copy], a[data-same]")) {
      const { copy, same } = /** @type {HTMLElement} */ (link).dataset;
      link.setAttribute("href", `${copy ?? same}${location.search}`);
    }
  }

  /** Copy what a link leads to; where the browser does not let a page copy, the link is followed. @param {Event} event */
  async copy(event) {
    const link = /** @type {HTMLAnchorElement} */ (event.currentTarget);
    event.preventDefault();
    try {
      const answer = await fetch(link.href);
      if (!answer.ok) throw new Error(String(answer.status));
      await toClipboard(await answer.text());
      byId("board-said").textContent = "Copied.";
    } catch {
      location.assign(link.href);
    }
  }
}

async function toClipboard(/** @type {string} */ text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Over plain HTTP browsers withhold the clipboard from scripts, but not from this command.
  const place = /** @type {HTMLTextAreaElement} */ (element("textarea", { "aria-hidden": "true", class: "visually-hidden" }));
  place.value = text;
  document.body.append(place);
  place.select();
  const copied = document.execCommand("copy");
  place.remove();
  if (!copied) throw new Error("not copied");
  return undefined;
}
