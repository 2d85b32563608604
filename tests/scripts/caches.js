/** What a browser keeps for pages without a network: its caches, and copies in them for judging offline. */
import { give } from "./page.js";

const nameOf = (request) => new URL(typeof request === "string" ? request : request.url, location.href).href;

class Cache {
  /** @type {Map<string, Response>} */
  held = new Map();

  /** @param {string | Request} request @param {Response} response */
  async put(request, response) {
    this.held.set(nameOf(request), response);
  }

  /** @param {string | Request} request */
  async match(request) {
    return this.held.get(nameOf(request))?.clone();
  }

  /** @param {string | Request} request */
  async delete(request) {
    return this.held.delete(nameOf(request));
  }

  async keys() {
    return [...this.held.keys()].map((url) => ({ url }));
  }
}

/** Gives the page caches; a page at a secure address has them. */
export function giveCaches() {
  /** @type {Map<string, Cache>} */
  const held = new Map();
  give("Cache", Cache);
  give("isSecureContext", true);
  give("caches", {
    async open(name) {
      if (!held.has(name)) held.set(name, new Cache());
      return held.get(name);
    },
    keys: async () => [...held.keys()],
    delete: async (name) => held.delete(name),
    match: async (request) => [...held.values()].map((cache) => cache.held.get(nameOf(request))?.clone()).find(Boolean),
  });
}

export const OWNER = { prefix: "copy:", edition: "e1", campaign: "small", account: "Ben" };

export const place = (document_id, against = null) => ({ document_id, against });

/** A topic as a copy has it. @param {string} topic_id @param {ReturnType<typeof place>[]} places */
export const topic = (topic_id, ...places) => ({
  topic_id,
  title: `Title ${topic_id}`,
  url: `/judge?topic=${topic_id}`,
  places,
  frame_url: `/doc?topic=${topic_id}&id=`,
  size: 1_500_000,
  topic_version: 1,
  guideline_version: 2,
});

/** Makes a copy for an owner that differs so, with this in its manifest. @param {object} owner @param {object} manifest */
export async function keep(owner = {}, manifest = {}) {
  const { OfflineCopy } = await import("#static/judging/offline_copies.js");
  const copy = await OfflineCopy.make({ ...OWNER, ...owner });
  await copy.describe(/** @type {any} */ ({ edition: "e1", until: Date.now() + 1, at: 0, whole: false, topics: [], ...manifest }));
  return copy;
}

/** The addresses that a copy has. @param {any} copy */
export const addresses = async (copy) => (await copy.cache.keys()).map(({ url }) => url.slice(location.origin.length)).sort();
