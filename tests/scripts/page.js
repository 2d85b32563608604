/** A page without a browser: scripts of static/ find its document and storage, and time passes only as the test says. */
import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { afterEach, mock } from "node:test";
import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import { Window } from "happy-dom";

const STATIC = new URL("../../static/", import.meta.url).href;
/** Milliseconds that the page took to load. */
const LOADED = 500;
const START = Date.parse("2026-03-01T13:00:00Z");
/** What Node has too, in a form that does not fit the documents of a page; all else that Node has stays, with its clock. */
const OF_PAGES = [
  "CustomEvent",
  "DOMException",
  "Event",
  "EventTarget",
  "File",
  "FormData",
  "Storage",
  "localStorage",
  "navigator",
  "sessionStorage",
];
const OF_NODE = new Set(Object.getOwnPropertyNames(globalThis).filter((name) => !OF_PAGES.includes(name)));
let pages = 0;

class Highlight extends Set {
  /** @param {Range[]} ranges */
  constructor(...ranges) {
    super(ranges);
  }
}

/** What the tabs of a browser tell each other; here they are in one page. */
class Channel {
  /** @type {Set<Channel>} */
  static all = new Set();

  /** @param {string} name */
  constructor(name) {
    this.name = name;
    Channel.all.add(this);
  }

  /** @type {((event: MessageEvent) => void) | null} */
  onmessage = null;

  /** @param {any} data */
  postMessage(data) {
    const event = /** @type {MessageEvent} */ ({ data: structuredClone(data) });
    for (const other of Channel.all) if (other !== this && other.name === this.name) queueMicrotask(() => other.onmessage?.(event));
  }
}

// Each page has scripts of its own, as if they were loaded with it.
registerHooks({
  resolve(name, context, next) {
    const found = next(name, context);
    return found.url.startsWith(STATIC) ? { ...found, url: `${found.url}?page=${pages}` } : found;
  },
});

/** @typedef {{method: string, path: string, body: any, headers: Headers}} Request */

/**
 * Opens a page with this HTML. @param {string} html
 * @param {{address?: string, answer?: (request: Request) => Response | Promise<Response>}} [options] `answer` is the server
 */
export function open(html = "", { address = "http://localhost/", answer = unreachable } = {}) {
  pages += 1;
  mock.reset();
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: START });
  const window = new Window({ url: address, settings: { errorCapture: "disabled" } });
  giveHighlights(window);
  for (const name of Object.getOwnPropertyNames(window)) {
    if (OF_NODE.has(name) || !/^\w+$/.test(name)) continue;
    const value = window[name];
    const isMethod = typeof value === "function" && !/^[A-Z]/.test(name);
    give(name, isMethod ? value.bind(window) : value);
  }
  for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"]) {
    give(name, window[name].bind(window));
  }
  give("window", window);
  give("indexedDB", new IDBFactory());
  give("IDBKeyRange", IDBKeyRange);
  give("BroadcastChannel", Channel);
  Channel.all.clear();
  give("performance", { now: () => Date.now() - START + LOADED, timeOrigin: START - LOADED });
  give("requestAnimationFrame", (/** @type {FrameRequestCallback} */ draw) => setTimeout(() => draw(performance.now()), 16));
  give("fetch", async (/** @type {string} */ url, /** @type {RequestInit} */ options = {}) => {
    const { method = "GET", body = null } = options;
    const { pathname, search } = new URL(url, window.location.href);
    return answer({ method, path: pathname + search, body, headers: new Headers(options.headers) });
  });
  window.document.write(`<!doctype html>${html}`);
}

/** Puts a value into the place of what a page has by this name. @param {string} name @param {any} value @param {object} [place] */
export function give(name, value, place = globalThis) {
  Object.defineProperty(place, name, { value, configurable: true, writable: true });
}

/** Gives a window the colours of ranges, which only a browser paints. @param {any} view */
export function giveHighlights(view) {
  give("CSS", Object.assign(view.CSS, { highlights: new Map() }), view);
  give("Highlight", Highlight, view);
}

/** @returns {never} */
function unreachable() {
  throw new TypeError("Failed to fetch");
}

afterEach(() => mock.reset());

/** Lets time pass, and what waits for it happen; what is begun then waits for the next time. @param {number} milliseconds */
export async function pass(milliseconds) {
  await settled();
  mock.timers.tick(milliseconds);
  await settled();
}

/** Waits until what has begun has come as far as it can without time passing. */
export async function settled() {
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
}

/** The one element that fits. @param {string} selector @returns {any} */
export function one(selector) {
  const found = document.querySelectorAll(selector);
  assert.equal(found.length, 1, `${selector} fits ${found.length} elements`);
  return found[0];
}

/** What a property or a function of each element is that fits. @template T @param {string} selector @param {(each: any) => T} of @returns {T[]} */
export function each(selector, of) {
  return [...document.querySelectorAll(selector)].map(of);
}

/** Presses a key where the focus is; whether the page left it to the browser. @param {string} key @param {KeyboardEventInit} [more] */
export function press(key, more = {}) {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  return (document.activeElement ?? document.body).dispatchEvent(event);
}

/** Hides the page, as another tab does that is shown, or shows it again. @param {boolean} hidden */
export function hide(hidden) {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}

/** What the page has coloured under a name. @param {string} name @returns {string[]} */
export function coloured(name) {
  return [.../** @type {any} */ (CSS.highlights.get(name) ?? [])].map(String);
}

/** Presses the button with this text, in a part of the page. @param {string} text @param {string} part */
export function pressButton(text, part = "body") {
  const [button, ...others] = [...document.querySelectorAll(`${part} button`)].filter((one) => one.textContent === text);
  assert.ok(button && !others.length, `there are ${button ? others.length + 1 : 0} buttons “${text}”`);
  /** @type {HTMLElement} */ (button).click();
}

/** A document of a queue as the server writes it, which nobody has judged. @param {string} document_id @returns {any} */
export function queued(document_id, more = {}) {
  return { document_id, state: "open", kind: null, grade: null, seq: null, near: null, later: false, ...more };
}
