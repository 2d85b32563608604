/** A slim map beside a document: ticks for marked words and for differences, and the part that is on the screen. */

const NAMESPACE = "http://www.w3.org/2000/svg";
const HEIGHT = 1000;

/** @param {string} tag @param {Record<string, string>} attributes */
function shape(tag, attributes) {
  const made = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** @param {number} fraction */
const heightOf = (fraction) => Math.round(fraction * (HEIGHT - 4)) + 2;

export class HitMap {
  /** @param {HTMLElement} host @param {(fraction: number) => void} onpick */
  constructor(host, onpick) {
    this.host = host;
    const svg = shape("svg", { viewBox: `0 0 8 ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true", focusable: "false" });
    this.part = shape("rect", { class: "map-window", x: "0", width: "8", y: "0", height: "0" });
    this.ticks = shape("path", { class: "map-ticks", "vector-effect": "non-scaling-stroke" });
    this.differences = shape("path", { class: "map-differences", "vector-effect": "non-scaling-stroke" });
    svg.append(this.part, this.differences, this.ticks);
    host.append(svg);
    host.addEventListener("click", (event) => {
      const { top, height } = host.getBoundingClientRect();
      onpick((event.clientY - top) / height);
    });
  }

  /** Differences reach over the whole width, thicker than hits. @param {number[]} hits as fractions of the text @param {number[]} [differences] */
  show(hits, differences = []) {
    this.ticks.setAttribute("d", hits.map((hit) => `M1 ${heightOf(hit)}h6`).join(""));
    this.differences.setAttribute("d", differences.map((place) => `M0 ${heightOf(place)}h8`).join(""));
  }

  /** The part of the document on the screen, as fractions; null when all of it is. @param {[number, number] | null} part */
  window(part) {
    const [from, to] = part ?? [0, 0];
    this.part.setAttribute("y", String(Math.round(from * HEIGHT)));
    this.part.setAttribute("height", String(Math.round((to - from) * HEIGHT)));
  }
}
