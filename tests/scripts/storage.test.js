import assert from "node:assert/strict";
import { test } from "node:test";
import { give, open } from "./page.js";

async function begun() {
  open();
  const { Storage: Store } = await import("#static/storage.js");
  localStorage.setItem("other:z", "1");
  localStorage.setItem("mine:broken", "{");
  const store = new Store("mine:");
  store.put("b", { n: 1 });
  store.put("a", false);
  return store;
}

/** From now on the browser refuses these methods; a function that takes the refusal back. @param {string[]} names */
function refuse(...names) {
  const { localStorage: before } = globalThis;
  const refused = () => {
    throw new Error("full");
  };
  const get = (storage, name) => {
    if (names.includes(name)) return refused;
    return typeof storage[name] === "function" ? storage[name].bind(storage) : storage[name];
  };
  give("localStorage", new Proxy(before, { get: /** @type {any} */ (get) }));
  return () => give("localStorage", before);
}

test("small values are kept under their prefix", async () => {
  const store = await begun();
  assert.deepEqual(store.names(), ["a", "b", "broken"]);
  assert.deepEqual(
    ["a", "b", "broken", "gone"].map((name) => store.get(name)),
    [false, { n: 1 }, null, null],
  );
  store.remove("b");
  assert.deepEqual(
    [store.names(), Object.keys(localStorage).sort()],
    [
      ["a", "broken"],
      ["mine:a", "mine:broken", "other:z"],
    ],
  );
});

test("values are in memory where the browser has no room, until it has", async () => {
  const store = await begun();
  const accept = refuse("setItem");
  store.put("a", 2);
  store.put("c", 3);
  assert.deepEqual([store.names(), store.get("a"), store.get("c")], [["a", "b", "broken", "c"], 2, 3]);
  accept();
  store.put("c", 4);
  store.remove("a");
  assert.deepEqual([store.get("c"), localStorage.getItem("mine:c"), store.names()], [4, "4", ["b", "broken", "c"]]);
});

test("a browser that gives no storage is none to fail by", async () => {
  const store = await begun();
  store.place = () => {
    throw new Error("no storage");
  };
  store.put("m", 5);
  assert.deepEqual([store.names(), store.get("m"), store.get("a")], [["m"], 5, null]);
  store.remove("m");
  assert.deepEqual(store.names(), []);
});
