import assert from "node:assert/strict";
import { test } from "node:test";
import { each, one, open } from "../page.js";

/** @param {(fraction: number) => void} onpick */
async function mapOf(onpick = () => {}) {
  open("<div id=map></div>");
  const { HitMap } = await import("#static/judging/hitmap.js");
  return new HitMap(one("#map"), onpick);
}

/** @param {Element[]} shapes */
const drawn = (...shapes) => shapes.map((shape) => shape.getAttribute("d"));

test("the map has ticks for hits and differences, a window, and takes a click", async () => {
  let picked = 0;
  const map = await mapOf((fraction) => (picked = fraction));
  map.show([0, 0.5, 1], [0.25]);
  assert.deepEqual(drawn(map.ticks, map.differences), ["M1 2h6M1 500h6M1 998h6", "M0 251h8"]);
  map.show([]);
  assert.deepEqual(drawn(map.ticks, map.differences), ["", ""]);
  const part = () => ["y", "height"].map((name) => map.part.getAttribute(name));
  map.window([0.1, 0.35]);
  assert.deepEqual(part(), ["100", "250"]);
  map.window(null);
  assert.deepEqual(part(), ["0", "0"]);
  assert.deepEqual(
    each("svg > *", ({ classList }) => classList[0]),
    ["map-window", "map-density", "map-differences", "map-ticks"],
  );
  map.host.getBoundingClientRect = () => /** @type {DOMRect} */ ({ top: 50, height: 200 });
  map.host.dispatchEvent(new MouseEvent("click", { clientY: 100 }));
  assert.equal(picked, 0.25);
});

test("from sixty hits on the map has bars as long as there are hits", async () => {
  const map = await mapOf();
  const shown = (hits) => {
    map.show(hits);
    return drawn(map.ticks, map.density);
  };
  const hits = [...Array(40).fill(0.5), ...Array(10).fill(0.511), 1];
  const [ticks, none] = shown([...hits, ...Array(8).fill(0.03)]);
  assert.deepEqual([ticks?.split("M").length, none], [60, ""]);
  assert.deepEqual(shown([...hits, ...Array(25).fill(0.03)]), ["", "M0 20h4v16H0zM0 500h8v16H0zM0 980h0.16v16H0z"]);
  assert.deepEqual(shown(Array(60).fill(0.5)), ["", "M0 500h8v16H0z"]);
  assert.deepEqual(shown([0.5]), ["M1 500h6", ""]);
});
