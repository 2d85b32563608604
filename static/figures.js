/**
 * Figures: every <figure data-figure="address of a Vega-Lite specification"> is drawn when it comes near the window.
 *
 * Vega comes as a script of its own, fetched when the first figure is wanted. Expressions are interpreted ("ast"), so
 * that the page's policy may forbid the making of code from strings.
 */
import { element } from "./elements.js";

const NEAR = "400px";
const dark = matchMedia("(prefers-color-scheme: dark)");

/** @type {Promise<any> | null} */
let runtime = null;

/** @param {string} address @returns {Promise<any>} the function that draws */
function load(address) {
  runtime ??= new Promise((resolve, reject) => {
    const script = /** @type {HTMLScriptElement} */ (element("script", { src: address }));
    script.addEventListener("load", () => resolve(/** @type {any} */ (window).workbenchEmbed));
    script.addEventListener("error", () => reject(new Error("the drawing program could not be fetched")));
    document.head.append(script);
  });
  return runtime;
}

/** Colours of the page for what the specification draws in those of paper. @returns {object} */
function look() {
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  const [ink, ink2, line] = [colour("ink"), colour("ink-2"), colour("line")];
  return {
    axis: { labelColor: ink2, titleColor: ink, gridColor: line, domainColor: line, tickColor: line },
    legend: { labelColor: ink, titleColor: ink2 },
    header: { labelColor: ink, titleColor: ink2 },
    text: { color: ink },
    rule: { color: ink2 },
  };
}

/** @param {HTMLElement} figure */
async function draw(figure) {
  const place = /** @type {HTMLElement} */ (figure.querySelector(".figure-place"));
  const { figure: address = "", runtime: program = "" } = figure.dataset;
  try {
    const [embed, answer] = await Promise.all([load(program), fetch(address, { headers: { Accept: "application/json" } })]);
    const spec = await answer.json();
    if (!answer.ok) throw new Error(spec.message ?? `the server answered with ${answer.status}`);
    const options = {
      actions: false, ast: true, defaultStyle: false, renderer: "svg", tooltip: { disableDefaultStyle: true }, config: look(),
    };
    await embed(place, spec, options);
    figure.dataset.state = "drawn";
  } catch (error) {
    place.replaceChildren(element("p", { class: "hint" }, `This figure cannot be drawn: ${/** @type {Error} */ (error).message}.`));
    figure.dataset.state = "failed";
  }
}

const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      void draw(/** @type {HTMLElement} */ (target));
    }
  },
  { rootMargin: NEAR },
);

for (const figure of document.querySelectorAll("figure[data-figure]")) seen.observe(figure);
dark.addEventListener("change", () => {
  for (const figure of document.querySelectorAll("figure[data-state=drawn]")) void draw(/** @type {HTMLElement} */ (figure));
});
