/**
 * What the browser keeps for judging without a network: a copy of an assessor's topics, in one of its caches. A copy is of one edition of
 * the server, one campaign, one account and one language, which its name says. Its manifest says which topics are in it; a topic is in the manifest only
 * while its page and all its documents are in the cache. static/service_worker.js answers with it where the server does not.
 */
import { meta, pageLanguage } from "../elements.js";
import { frameOf } from "./queue.js";

const MANIFEST = "/manifest.json";

/** Whether this browser can keep copies: not over plain HTTP on a network name, and not in some private windows. */
export const isSupported = () => isSecureContext && "serviceWorker" in navigator && "caches" in globalThis;

/** When the page was downloaded, if it comes from a copy, else null. @returns {Date | null} */
export function downloadedAt() {
  const content = meta("downloaded");
  return content ? new Date(content) : null;
}

export class OfflineCopy {
  /** @param {string} name @param {Cache} cache @param {Manifest | null} manifest null while nothing whole is in it */
  constructor(name, cache, manifest) {
    this.name = name;
    this.cache = cache;
    this.manifest = manifest;
  }

  static async open(/** @type {string} */ name) {
    const cache = await caches.open(name);
    const manifest = await cache.match(MANIFEST);
    return new OfflineCopy(name, cache, manifest ? await manifest.json() : null);
  }

  /** The copy of an edition, which is made where there is none. @param {{prefix: string, edition: string, campaign: string, account: string}} owner */
  static make({ prefix, edition, campaign, account }) {
    return OfflineCopy.open(prefix + JSON.stringify([edition, campaign, account, ...(pageLanguage() === "en" ? [] : [pageLanguage()])]));
  }

  async describe(/** @type {Manifest} */ manifest) {
    await this.cache.put(MANIFEST, new Response(JSON.stringify(manifest)));
    this.manifest = manifest;
  }

  /** @param {string} topicId @returns {KeptTopic | null} */
  topic(topicId) {
    return this.manifest?.topics.find(({ topic_id: id }) => id === topicId) ?? null;
  }

  async remove(/** @type {string} */ topicId) {
    const topic = this.topic(topicId);
    if (!topic || !this.manifest) return;
    await this.describe({ ...this.manifest, topics: this.manifest.topics.filter((other) => other !== topic) });
    await this.cache.delete(topic.url);
    for (const place of topic.places) await this.cache.delete(frameOf(topic.frame_url, place));
  }

  /** A topic's document is not as the copy has it any more. @param {string} topicId @param {string} documentId */
  async forget(topicId, documentId) {
    const topic = this.topic(topicId);
    const gone = topic?.places.filter(({ document_id: id }) => id === documentId) ?? [];
    if (!topic || !this.manifest || !gone.length) return;
    for (const place of gone) await this.cache.delete(frameOf(topic.frame_url, place));
    const left = { ...topic, places: topic.places.filter((place) => !gone.includes(place)) };
    await this.describe({ ...this.manifest, topics: this.manifest.topics.map((other) => (other === topic ? left : other)) });
  }
}

/** The names of this account's copies of this campaign. @param {{prefix: string, campaign: string, account: string}} owner */
async function namesOf({ prefix, campaign, account }) {
  return (await caches.keys()).filter((name) => {
    const [, ...owner] = name.startsWith(prefix) ? JSON.parse(name.slice(prefix.length)) : [];
    return owner[0] === campaign && owner[1] === account;
  });
}

/** Those that can be used, the best first; of an earlier edition too. @param {Parameters<typeof namesOf>[0]} owner @returns {Promise<OfflineCopy[]>} */
export async function copiesOf(owner) {
  if (!isSupported()) return [];
  const all = await Promise.all((await namesOf(owner)).map(OfflineCopy.open));
  const usable = all.filter(({ manifest }) => manifest && manifest.until > Date.now());
  const rank = (/** @type {OfflineCopy} */ { manifest }) => (manifest?.whole ? 1e15 : 0) + (manifest?.at ?? 0);
  return usable.sort((one, other) => rank(other) - rank(one));
}

/** Deletes all but one. @param {Parameters<typeof namesOf>[0]} owner @param {string} [kept] the name of that one */
export async function removeCopies(owner, kept) {
  for (const name of await namesOf(owner)) if (name !== kept) await caches.delete(name);
}
