import assert from "node:assert/strict";
import { test } from "node:test";
import { each, give, hide, one, open, pass, settled } from "../page.js";

const FIGURE = (name, more = "") => `<figure data-figure="/figure/${name}" data-runtime="/vega.js" ${more}>
  <div class=figure-place role=img aria-label=Named></div></figure>`;
const SVG = `<svg aria-label=x><rect id=un fill="#b4b5b8"></rect><rect id=other fill="#123456"></rect>
  <g id=nameless role=graphics-object aria-roledescription=mark></g><g id=named role=img aria-label=y></g></svg>`;

/** A page with figures, of which `specs` has a status and a specification, and a drawing program that draws their `svg`. */
async function begun(html, specs, { isDark = false, canDraw = true, answer = (_) => null } = {}) {
  const state = { asked: [], drawn: [], runtimes: 0, clicked: (_event, _item) => {}, come: (_figure) => {}, specs };
  const serve = (request) => {
    const name = request.path.replace("/figure/", "");
    if (!(name in specs)) return answer(request);
    state.asked.push(name);
    const [status, spec] = specs[name];
    return Response.json(spec, { status });
  };
  open(html, { answer: serve });
  const scheme = Object.assign(new EventTarget(), { matches: isDark });
  give("matchMedia", () => scheme);
  give(
    "IntersectionObserver",
    class {
      constructor(heard) {
        state.come = (target) => heard([{ isIntersecting: true, target }]);
      }

      observe() {}

      unobserve() {}
    },
  );
  const embed = async (place, spec, options) => {
    state.drawn.push([spec, options]);
    place.innerHTML = spec.svg ?? "";
    return { view: { addEventListener: (_, clicked) => (state.clicked = clicked) } };
  };
  document.head.append = (script) => {
    state.runtimes += 1;
    /** @type {any} */ (window).workbenchEmbed = embed;
    queueMicrotask(() => /** @type {Element} */ (script).dispatchEvent(new Event(canDraw ? "load" : "error")));
  };
  return { state, scheme };
}

/** Loads the figures, and draws those that are not near when the browser has nothing else to do. */
async function draw() {
  const script = await import("#static/analysis/figures.js");
  for (let idle = 0; idle < 4; idle++) await pass(1_000);
  return script;
}

const states = () => each("figure", ({ dataset }) => dataset.state);

test("a figure is drawn in its colours, with what is unjudged hatched", async () => {
  const spec = { svg: SVG, n: null, list: ["#123456", 1], datasets: { d: ["#123456"] }, usermeta: { dark: { "#123456": "#abcdef" } } };
  const { state, scheme } = await begun(FIGURE("a"), { a: [200, spec] });
  await draw();
  const options = { actions: false, ast: true, defaultStyle: false, renderer: "svg", tooltip: { disableDefaultStyle: true } };
  assert.deepEqual([states(), state.drawn], [["drawn"], [[spec, options]]]);
  assert.deepEqual([one("#un").getAttribute("fill"), one("#other").getAttribute("fill")], ["url(#unjudged-1)", "#123456"]);
  assert.equal(one("svg").firstChild, one("pattern#unjudged-1"));
  assert.equal(one("pattern rect").getAttribute("fill"), "#b4b5b8");
  const nameless = one("#nameless");
  assert.deepEqual(
    [nameless.getAttribute("role"), nameless.getAttribute("aria-roledescription"), one("#named").getAttribute("role")],
    [null, null, "img"],
  );
  scheme.matches = true;
  scheme.dispatchEvent(new Event("change"));
  await settled();
  const [, [dark]] = state.drawn;
  assert.deepEqual([dark.list, dark.datasets.d, dark.n], [["#abcdef", 1], ["#123456"], null]);
  assert.deepEqual([state.asked, state.runtimes, one(".figure-place").childElementCount], [["a"], 1, 1]);
});

test("on paper a figure of the dark has the colours of paper", async () => {
  const usermeta = { dark: { "#123456": "#abcdef", "#654321": "#abcdef" } };
  await begun(FIGURE("a"), { a: [200, { svg: '<svg><rect id=r fill="#abcdef"></rect></svg>', usermeta }] }, { isDark: true });
  await draw();
  dispatchEvent(new Event("beforeprint"));
  assert.equal(one("#r").getAttribute("fill"), "#123456");
  dispatchEvent(new Event("afterprint"));
  await settled();
  assert.equal(one("#r").getAttribute("fill"), "#abcdef");
});

test("a figure without colours for the dark keeps its own", async () => {
  const { state } = await begun(FIGURE("a"), { a: [200, { svg: "<svg></svg>", c: "#123456" }] }, { isDark: true });
  await draw();
  assert.deepEqual([state.drawn[0][0].c, document.querySelector("pattern")], ["#123456", null]);
});

test("a figure is drawn when it comes near, or when there is nothing else to do, as a printed page shows it", async () => {
  const { state } = await begun(FIGURE("a") + FIGURE("b") + FIGURE("c"), { a: [200, { n: 1 }], b: [200, { n: 2 }], c: [200, { n: 3 }] });
  await import("#static/analysis/figures.js");
  state.come(document.querySelectorAll("figure")[1]);
  await settled();
  assert.deepEqual([states(), state.asked], [[undefined, "drawn", undefined], ["b"]]);
  await pass(1_000);
  assert.deepEqual(state.asked, ["b", "a"]);
  await pass(1_000);
  assert.deepEqual(
    [states(), state.asked],
    [
      ["drawn", "drawn", "drawn"],
      ["b", "a", "c"],
    ],
  );
});

test("a figure is drawn again when the server has another", async () => {
  const { state } = await begun(FIGURE("a") + FIGURE("b"), { a: [200, { n: 1 }], b: [200, { n: 2 }] });
  const { redraw } = await import("#static/analysis/figures.js");
  state.come(document.querySelector("figure"));
  await settled();
  state.specs.a = [200, { n: 3 }];
  document.querySelectorAll("figure").forEach(redraw);
  await settled();
  assert.deepEqual(
    state.drawn.map(([{ n }]) => n),
    [1, 3],
    "the other one waits until it is near",
  );
});

test("a figure that cannot be drawn says why", async () => {
  await begun(FIGURE("a") + FIGURE("b") + FIGURE("c"), { a: [403, { message: "Not yours." }], b: [500, {}], c: [200, {}] });
  await draw();
  assert.deepEqual(states(), ["failed", "failed", "drawn"]);
  const [first, second] = each(".hint", ({ textContent }) => textContent);
  assert.match(first, /: Not yours\.$/);
  assert.match(second, /answered with 500$/);
  assert.equal(document.querySelectorAll("[role], [aria-label]").length, 1);
});

test("without the drawing program no figure is drawn", async () => {
  await begun(FIGURE("a"), { a: [200, {}] }, { canDraw: false });
  await draw();
  assert.deepEqual(states(), ["failed"]);
  assert.match(one(".hint").textContent, /could not be fetched/);
});

test("what is wider than its place is scrolled by keys", async () => {
  await begun(FIGURE("a"), { a: [200, {}] });
  const place = one(".figure-place");
  give("scrollWidth", 101, place);
  give("clientWidth", 100, place);
  await draw();
  assert.equal(place.getAttribute("tabindex"), "0");
  give("clientWidth", 101, place);
  dispatchEvent(new Event("resize"));
  assert.equal(place.getAttribute("tabindex"), null);
});

test("a click on ranks of a run opens the document that is pointed at", async () => {
  const { state } = await begun(FIGURE("a", 'data-opens="/pairs?x=1"'), { a: [200, {}] });
  let opened = "";
  const assign = (address) => {
    opened = address;
  };
  give("assign", assign, location);
  await draw();
  const target = { getBoundingClientRect: () => ({ left: 100, width: 40 }) };
  const click = (clientX, datum) => {
    state.clicked({ clientX, target }, datum && { datum });
    return opened.replace("/pairs?x=1&run=a%26b&rank=", "");
  };
  assert.deepEqual([click(100, null), click(100, { run: "a" })], ["", ""]);
  const ranks = [90, 100, 109, 110, 139, 140, 150].map((at) => click(at, { run: "a&b", first: 11, last: 14 }));
  assert.deepEqual(ranks, ["11", "11", "11", "12", "14", "14", "14"]);
});

test("whether judging can stop follows the log", async () => {
  const page = `<meta name=csrf-token content=t><meta name=session-url content=/session>
    <div id=answer data-answer=/answer data-row=5><p id=answer-words>Not yet: 2 of 3.</p><p id=answer-next>Judge on.</p></div>
    <p id=answer-news hidden><b id=answer-news-words></b></p><a id=answer-now hidden>Now</a>`;
  const found = /** @type {any} */ ({ seq: 5, text: "Not yet: 2 of 3.", next: "Judge on." });
  const server = { status: 200, known: [] };
  const answer = ({ headers }) => {
    server.known.push(headers.get("If-None-Match"));
    if (!server.status) throw new TypeError("no network");
    const tag = { ETag: `"${found.seq}"` };
    return server.status === 304
      ? new Response(null, { status: 304, headers: tag })
      : Response.json(found, { status: server.status, headers: tag });
  };
  const { state } = await begun(
    page + FIGURE("certain-pairs.json?x") + FIGURE("other.json"),
    { "certain-pairs.json?x": [200, {}], "other.json": [200, {}] },
    { answer },
  );
  await import("#static/analysis/trust.js");
  for (const figure of document.querySelectorAll("figure")) state.come(figure);
  await settled();
  const told = async (status) => {
    server.status = status;
    await pass(2_000);
    return one("#answer-news-words").textContent;
  };
  assert.deepEqual([one("#answer-news").hidden, one("#answer-now").hidden, await told(304)], [true, true, ""]);
  Object.assign(found, { seq: 1200, text: "Yes: all 3.", next: "" });
  assert.match(await told(200), /as of log row 1,200/);
  assert.deepEqual([one("#answer-words").textContent, one("#answer").dataset.row], ["Yes: all 3.", "1200"]);
  assert.deepEqual([one("#answer-news").hidden, one("#answer-now").hidden], [false, false]);
  assert.equal(state.asked.filter((name) => name.startsWith("certain")).length, 2);
  assert.match(await told(401), /signed out/);
  assert.match(await told(500), /answered with 500/);
  found.message = "Not yours.";
  assert.equal(await told(500), "Not yours.");
  assert.match(await told(0), /does not respond/);
  hide(true);
  await pass(10_000);
  assert.deepEqual(server.known, [null, '"5"', '"5"', ...Array(4).fill('"1200"')]);
});
