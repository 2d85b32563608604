/** A slim map beside a document: ticks for marked words and for differences, and the part that is on the screen. */
import { drawn } from "../elements.js";

const HEIGHT = 1000;
/** From so many ticks on they would be one solid bar: bars are drawn instead, as long as there are hits in their part of the text. */
const MOST_TICKS = 60;
const BARS = 50;

const heightOf = (/** @type {number} */ fraction) => Math.round(fraction * (HEIGHT - 4)) + 2;

/** Hits as bars, the longest where there are most; all have the colour of a tick, whose contrast fainter ones would lose. @param {number[]} hits */
function bars(hits) {
  const counts = /** @type {number[]} */ (Array(BARS).fill(0));
  for (const hit of hits) counts[Math.min(BARS - 1, Math.floor(hit * BARS))] += 1;
  const most = Math.max(...counts);
  const high = HEIGHT / BARS;
  return counts.map((count, at) => (count ? `M0 ${at * high}h${(8 * count) / most}v${high - 4}H0z` : "")).join("");
}

export class HitMap {
  constructor(/** @type {HTMLElement} */ host, /** @type {(fraction: number) => void} */ onpick) {
    this.host = host;
    this.part = drawn("rect", { class: "map-window", x: "0", width: "8", y: "0", height: "0" });
    this.ticks = drawn("path", { class: "map-ticks", "vector-effect": "non-scaling-stroke" });
    this.differences = drawn("path", { class: "map-differences", "vector-effect": "non-scaling-stroke" });
    this.density = drawn("path", { class: "map-density" });
    const view = { viewBox: `0 0 8 ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true", focusable: "false" };
    host.append(drawn("svg", view, this.part, this.density, this.differences, this.ticks));
    host.addEventListener("click", (event) => {
      const { top, height } = host.getBoundingClientRect();
      onpick((event.clientY - top) / height);
    });
  }

  /** Differences reach over the whole width, thicker than hits. @param {number[]} hits as fractions of the text @param {number[]} [differences] */
  show(hits, differences = []) {
    const dense = hits.length >= MOST_TICKS;
    this.ticks.setAttribute("d", dense ? "" : hits.map((hit) => `M1 ${heightOf(hit)}h6`).join(""));
    this.density.setAttribute("d", dense ? bars(hits) : "");
    this.differences.setAttribute("d", differences.map((place) => `M0 ${heightOf(place)}h8`).join(""));
  }

  /** The part of the document on the screen, as fractions; null when all of it is. @param {[number, number] | null} part */
  window(part) {
    const [from, to] = part ?? [0, 0];
    this.part.setAttribute("y", String(Math.round(from * HEIGHT)));
    this.part.setAttribute("height", String(Math.round((to - from) * HEIGHT)));
  }
}
