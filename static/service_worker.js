/**
 * Answers with what was downloaded for offline judging, where the server does not answer. A copy is a cache of one edition of the server,
 * one campaign and one account (static/judging/offline_copies.js makes it): judging pages as the server made them, the documents, and the
 * files that they load. The server is always asked first for a page or a document, so that a copy is never mixed with what it says now. The
 * worker deletes copies when their account signs out, when another account signs in, and when their time is over; without copies it goes
 * away. The server writes SERVER above this: its edition, how caches of copies are named, and its addresses.
 */

/** Milliseconds without an answer after which a copy is used, if there is one. */
const PATIENCE = 8_000;
/** What a proxy answers for a server that is gone; the server's own answers name its edition, and say themselves what is wrong. */
const GONE = new Set([502, 503, 504]);
const MANIFEST = "/manifest.json";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/** @typedef {{edition: string, language?: string, account: string, until: number, whole: boolean, at: number, page_url: string, judge_url: string, topics: {topic_id: string, url: string, frame_url: string}[]}} Manifest */

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(Promise.all([worker.clients.claim(), tidy()])));

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (address.origin !== location.origin) return;
  if (request.method === "POST" && SERVER.sign_out.includes(address.pathname)) event.respondWith(signOut(request));
  else if (request.method === "POST" && address.pathname.endsWith("/api/texts")) event.respondWith(texts(event));
  else if (request.method !== "GET") return;
  else if (request.mode === "navigate" && request.destination === "document") event.respondWith(page(event, address));
  else if (address.pathname.startsWith(SERVER.static)) event.respondWith(file(request));
});

async function names() {
  const all = await caches.keys();
  return all
    .filter((name) => name.startsWith(SERVER.prefix))
    .map((name) => ({ name, account: JSON.parse(name.slice(SERVER.prefix.length))[2] }));
}

/** Every copy that may be used, the best first: whole ones before others, then the newest. @returns {Promise<{cache: Cache, manifest: Manifest}[]>} */
async function copies() {
  const found = [];
  for (const { name } of await names()) {
    const cache = await caches.open(name);
    const manifest = await (await cache.match(MANIFEST))?.json();
    if (manifest && manifest.until > Date.now()) found.push({ cache, manifest });
  }
  return found.sort((one, other) => Number(other.manifest.whole) - Number(one.manifest.whole) || other.manifest.at - one.manifest.at);
}

/** Deletes copies whose time is over, and those of other accounts than `account`, if it is known; a worker without copies goes away. */
async function tidy(/** @type {string | null} */ account = null) {
  const listed = await names();
  for (const { name, account: owner } of listed) {
    const manifest = await (await (await caches.open(name)).match(MANIFEST))?.json();
    if ((manifest && manifest.until <= Date.now()) || (account !== null && owner !== account)) await caches.delete(name);
  }
  if (listed.length && !(await names()).length) await worker.registration.unregister();
}

/** The account signs out: whatever becomes of that, nothing of it stays here. @param {Request} request */
async function signOut(request) {
  for (const { name } of await names()) await caches.delete(name);
  await worker.registration.unregister();
  return fetch(request);
}

/**
 * The server's answer; null when there is none, or none within `patience` milliseconds.
 * @param {Promise<Response>} answer @param {number} [patience] any time, if it is not given @returns {Promise<Response | null>}
 */
async function answered(answer, patience) {
  const all = [answer.catch(() => null)];
  if (patience !== undefined) all.push(new Promise((resolve) => setTimeout(resolve, patience, null)));
  const first = await Promise.race(all);
  const isGone = first !== null && GONE.has(first.status) && !first.headers.has("X-Workbench-Edition");
  return isGone ? null : first;
}

async function page(/** @type {FetchEvent} */ event, /** @type {URL} */ address) {
  const answer = fetch(event.request);
  // Other pages may take their time: a copy has only what says that the server does not respond.
  const first = await answered(answer, address.pathname.endsWith("/judge") ? PATIENCE : undefined);
  if (first) {
    const account = first.headers.get("X-Workbench-Account");
    event.waitUntil(tidy(account === null ? null : decodeURIComponent(account)));
    return first;
  }
  return (await keptPage(address)) ?? answer;
}

/** The page of a copy for an address: that of its topic, else the one that lists what there is. @param {URL} address */
async function keptPage(address) {
  const all = await copies();
  const ofCampaign = all.filter(({ manifest }) => address.pathname.startsWith(manifest.page_url.replace(/offline$/, "")));
  const { cache, manifest } = (ofCampaign.length ? ofCampaign : all)[0] ?? {};
  if (!cache) return null;
  if (address.pathname === manifest.judge_url && !address.searchParams.has("norming")) {
    const wanted = address.searchParams.get("topic");
    const topic = manifest.topics.find(({ topic_id: id }) => wanted === null || id === wanted);
    if (topic && wanted === null) return Response.redirect(topic.url);
    const kept = topic && (await cache.match(topic.url));
    if (kept) return kept;
  }
  return cache.match(manifest.page_url);
}

/** Documents, many in one answer: from the copy of the edition, language and account that asks. @param {FetchEvent} event */
async function texts({ request }) {
  const asked = await request.clone().json();
  const edition = request.headers.get("X-Workbench-Edition");
  const language = request.headers.get("X-Workbench-Language");
  const account = decodeURIComponent(request.headers.get("X-Account") ?? "");
  const answer = fetch(request);
  const first = await answered(answer, PATIENCE);
  if (first) return first;
  for (const { cache, manifest } of await copies()) {
    const topic = manifest.topics.find(({ topic_id: id }) => id === asked.topic_id);
    const isRight =
      manifest.edition === edition &&
      (manifest.language ?? "en") === (language ?? "en") &&
      manifest.account === account &&
      new URL(request.url).pathname.startsWith(manifest.page_url.replace(/offline$/, ""));
    if (isRight && topic && !asked.norming) return json({ texts: await keptTexts(cache, topic.frame_url, asked) });
  }
  return answer;
}

/** @param {Cache} cache @param {string} frame @param {{documents: {document_id: string, against: string | null}[], size: number}} asked */
async function keptTexts(cache, frame, { documents, size }) {
  const found = [];
  let room = size;
  for (const { document_id, against } of documents) {
    const beside = against === null ? "" : `&against=${encodeURIComponent(against)}`;
    const html = await (await cache.match(`${frame}${encodeURIComponent(document_id)}${beside}`))?.text();
    room -= html?.length ?? 0;
    if (found.length && room < 0) break;
    if (html !== undefined) found.push({ document_id, against, html });
  }
  return found;
}

function json(/** @type {object} */ value) {
  return new Response(JSON.stringify(value), { headers: { "Content-Type": "application/json" } });
}

/** A file of the edition that its address names. @param {Request} request */
async function file(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}
