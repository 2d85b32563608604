/**
 * Figures: every <figure data-figure="address of a Vega-Lite specification"> is drawn when it comes near the window, or when the browser
 * has nothing else to do, since a page on paper has those too that were never in sight. Vega comes as a script of its own, fetched when the
 * first figure is wanted. Expressions are interpreted ("ast"), so that the page's policy may forbid the making of code from strings. A
 * specification is in the colours of paper, and carries with it what a page in the dark shows instead of each; what is unjudged is hatched.
 */
import { drawn, element } from "../elements.js";

const NEAR = "400px";
const UNJUDGED = "#b4b5b8";
const dark = matchMedia("(prefers-color-scheme: dark)");

let runtime = /** @type {Promise<any> | null} */ (null);

/** The figures that are drawn, or are about to be. @type {WeakSet<HTMLElement>} */
const begun = new WeakSet();

const fetched = /** @type {WeakMap<HTMLElement, Record<string, any>>} */ (new WeakMap());

/** @param {string} address @returns {Promise<any>} */
function load(address) {
  runtime ??= new Promise((resolve, reject) => {
    const script = element("script", { src: address });
    script.addEventListener("load", () => resolve(/** @type {any} */ (window).workbenchEmbed));
    script.addEventListener("error", () => reject(new Error("the drawing program could not be fetched")));
    document.head.append(script);
  });
  return runtime;
}

/** @param {HTMLElement} figure @returns {Promise<Record<string, any>>} */
async function specification(figure) {
  const known = fetched.get(figure);
  if (known) return known;
  const answer = await fetch(figure.dataset.figure ?? "", { headers: { Accept: "application/json" } });
  const spec = await answer.json();
  if (!answer.ok) throw new Error(spec.message ?? `the server answered with ${answer.status}`);
  fetched.set(figure, spec);
  return spec;
}

/** The same specification with other colours; data stays as it is. @param {any} value @param {Record<string, string>} colours @returns {any} */
function recoloured(value, colours) {
  if (typeof value === "string") return colours[value] ?? value;
  if (Array.isArray(value)) return value.map((one) => recoloured(one, colours));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, name === "datasets" ? one : recoloured(one, colours)]));
}

let patterns = 0;

/** Hatch what is filled with the colour of the unjudged. @param {HTMLElement} place @param {string} colour */
function hatch(place, colour) {
  const filled = place.querySelectorAll(`svg [fill="${colour}"]`);
  if (filled.length === 0) return;
  patterns += 1;
  const id = `unjudged-${patterns}`;
  const lines = drawn("rect", { width: "1.2", height: "4", fill: colour });
  const turned = { width: "4", height: "4", patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  const pattern = drawn("pattern", { id, ...turned }, lines);
  place.querySelector("svg")?.prepend(pattern);
  for (const shape of filled) shape.setAttribute("fill", `url(#${id})`);
}

/** Vega gives a role to groups of marks that it has no name for, as when there is nothing to draw. @param {HTMLElement} place */
function dropNameless(place) {
  for (const group of place.querySelectorAll("svg [role]:not([aria-label])")) {
    group.removeAttribute("role");
    group.removeAttribute("aria-roledescription");
  }
}

/** What is wider than its place is scrolled there, by keys too. @param {HTMLElement} place */
function allowScrolling(place) {
  if (place.scrollWidth > place.clientWidth) place.tabIndex = 0;
  else place.removeAttribute("tabindex");
}

/** A click on a stretch of ranks of a run opens the document at the rank that is pointed at. @param {any} view @param {string} address */
function openPairs(view, address) {
  view.addEventListener("click", (/** @type {any} */ event, /** @type {any} */ item) => {
    if (item?.datum?.first === undefined) return;
    const { run, first, last } = item.datum;
    const { left, width } = event.target.getBoundingClientRect();
    const rank = first + Math.floor(((event.clientX - left) / width) * (last - first + 1));
    location.assign(`${address}&${new URLSearchParams({ run, rank: String(Math.min(Math.max(rank, first), last)) })}`);
  });
}

async function draw(/** @type {HTMLElement} */ figure) {
  const place = /** @type {HTMLElement} */ (figure.querySelector(".figure-place"));
  begun.add(figure);
  try {
    const [embed, spec] = await Promise.all([load(figure.dataset.runtime ?? ""), specification(figure)]);
    const colours = dark.matches ? (spec.usermeta?.dark ?? {}) : {};
    const size = spec.usermeta?.wide ? { width: "container", autosize: "fit-x" } : {};
    const options = { actions: false, ast: true, defaultStyle: false, renderer: "svg", tooltip: { disableDefaultStyle: true } };
    // Vega gives the element it draws in a role and a name of its own; the figure's place keeps those of the page.
    const inner = element("div");
    // What was printed instead stays until the drawing is there.
    if (place.querySelector(":scope > svg")) place.append(inner);
    else place.replaceChildren(inner);
    const { view } = await embed(inner, { ...recoloured(spec, colours), ...size }, options);
    place.querySelector(":scope > svg")?.remove();
    if (figure.dataset.opens) openPairs(view, figure.dataset.opens);
    hatch(place, colours[UNJUDGED] ?? UNJUDGED);
    dropNameless(place);
    allowScrolling(place);
    figure.dataset.state = "drawn";
  } catch (error) {
    place.removeAttribute("role");
    place.removeAttribute("aria-label");
    place.replaceChildren(element("p", { class: "hint" }, `This figure cannot be drawn: ${/** @type {Error} */ (error).message}`));
    figure.dataset.state = "failed";
  }
}

/** Redraw a figure from what the server says now; one that was not drawn yet waits until it is near. @param {HTMLElement} figure */
export function redraw(figure) {
  if (figure.dataset.state !== "drawn") return;
  fetched.delete(figure);
  void draw(figure);
}

const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      const figure = /** @type {HTMLElement} */ (target);
      if (!isIntersecting || begun.has(figure)) continue;
      seen.unobserve(figure);
      void draw(figure);
    }
  },
  { rootMargin: NEAR },
);

function drawNext() {
  const figures = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("figure[data-figure]"));
  const figure = [...figures].find((one) => !begun.has(one));
  if (!figure) return;
  seen.unobserve(figure);
  void draw(figure).then(whenIdle);
}

function whenIdle() {
  if ("requestIdleCallback" in window) requestIdleCallback(drawNext);
  else setTimeout(drawNext, 1_000);
}

for (const figure of document.querySelectorAll("figure[data-figure]")) seen.observe(figure);
if (document.readyState === "complete") whenIdle();
else addEventListener("load", whenIdle);

/** @returns {HTMLElement[]} */
const drawnOnes = () => [...document.querySelectorAll("figure[data-state=drawn]")].map((one) => /** @type {HTMLElement} */ (one));

function drawAgain() {
  for (const figure of drawnOnes()) void draw(figure);
}

/** Give a figure of the dark the colours of paper at once, since what is printed waits for no drawing. @param {HTMLElement} figure */
function toPaper(figure) {
  const dim = fetched.get(figure)?.usermeta?.dark ?? {};
  // Of two colours that are one in the dark the first is taken.
  const paper = Object.fromEntries(
    Object.entries(dim)
      .reverse()
      .map(([light, shown]) => [shown, light]),
  );
  for (const name of ["fill", "stroke"]) {
    for (const shape of figure.querySelectorAll(`svg [${name}]`)) {
      const shown = shape.getAttribute(name) ?? "";
      shape.setAttribute(name, paper[shown] ?? shown);
    }
  }
}

/** What is not drawn yet is printed as the server draws it, and is waited for: a browser prints what is there when this returns. */
function showPictures() {
  const waiting = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("figure[data-figure]:not([data-state])"));
  for (const [number, figure] of waiting.entries()) {
    const request = new XMLHttpRequest();
    request.open("GET", (figure.dataset.figure ?? "").replace(/\.json(?=$|\?)/, ".svg"), false);
    request.send();
    if (request.status !== 200) continue;
    // Names inside one picture are not those inside another.
    const own = request.responseText.replace(/( id="|url\(#|href="#)/g, `$1printed-${number}-`);
    const place = /** @type {HTMLElement} */ (figure.querySelector(".figure-place"));
    place.prepend(new DOMParser().parseFromString(own, "image/svg+xml").documentElement);
  }
}

dark.addEventListener("change", drawAgain);
addEventListener("beforeprint", () => {
  showPictures();
  if (dark.matches) drawnOnes().forEach(toPaper);
});
addEventListener("afterprint", () => dark.matches && drawAgain());
addEventListener("resize", () => {
  for (const place of document.querySelectorAll("[data-state=drawn] .figure-place")) allowScrolling(/** @type {HTMLElement} */ (place));
});
