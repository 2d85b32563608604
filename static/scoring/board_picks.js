/** Which rows of the leaderboard are shown, which are ticked, and copying what is shown. */
import { byId, element, hide } from "../elements.js";

const OWN = ["board-find", "board-team", "board-only"];

export class Picks {
  constructor(/** @type {() => void} */ changed) {
    this.ticked = new Set(new URL(location.href).searchParams.getAll("run"));
    this.find = /** @type {HTMLInputElement} */ (byId("board-find"));
    this.team = /** @type {HTMLSelectElement | null} */ (document.getElementById("board-team"));
    this.only = /** @type {HTMLInputElement} */ (byId("board-only"));
    this.find.addEventListener("input", changed);
    this.team?.addEventListener("change", changed);
    this.only.addEventListener("change", changed);
    byId("board").addEventListener("change", (/** @type {Event} */ event) => {
      const { checked, value } = /** @type {HTMLInputElement} */ (event.target);
      if (checked) this.ticked.add(value);
      else this.ticked.delete(value);
      changed();
    });
    for (const link of document.querySelectorAll("a[data-copy]")) link.addEventListener("click", (event) => void this.copy(event));
  }

  has(/** @type {string} */ id) {
    return OWN.includes(id);
  }

  keeps(/** @type {string} */ run, /** @type {string} */ team) {
    const names = `${run} ${team}`.toLowerCase();
    const words = this.find.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (this.only.checked && !this.ticked.has(run)) return false;
    return (!this.team?.value || this.team.value === team) && words.every((word) => names.includes(word));
  }

  remember(/** @type {URLSearchParams} */ query) {
    if (this.find.value.trim()) query.set("q", this.find.value.trim());
    if (this.team?.value) query.set("team", this.team.value);
    for (const run of this.ticked) query.append("run", run);
    if (this.only.checked) query.set("only", "yes");
  }

  /** Show the rows that are wanted, say how many there are, and lead on from them. */
  show() {
    const rows = /** @type {HTMLElement[]} */ ([...byId("board-body").children]);
    const runs = rows.map((row) => row.dataset.run ?? "");
    rows.forEach((row, at) => {
      /** @type {HTMLInputElement} */ (row.querySelector("input")).checked = this.ticked.has(runs[at]);
      hide(row, !this.keeps(runs[at], row.querySelector(".team")?.textContent ?? ""));
    });
    const hidden = [...this.ticked].filter((run) => !runs.includes(run));
    byId("board-ticked").replaceChildren(...hidden.map((run) => element("input", { type: "hidden", name: "run", value: run })));
    const shown = rows.filter((row) => !row.hidden).length;
    const parts = [];
    if (shown < rows.length) parts.push(`${shown.toLocaleString("en")} of ${rows.length.toLocaleString("en")} runs`);
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
  const place = element("textarea", { "aria-hidden": "true", class: "visually-hidden" });
  place.value = text;
  document.body.append(place);
  place.select();
  const copied = document.execCommand("copy");
  place.remove();
  if (!copied) throw new Error("not copied");
  return undefined;
}
