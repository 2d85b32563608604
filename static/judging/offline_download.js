/** Downloading an assessor's topics for judging without a network, one topic after the other. */
import { pageLanguage } from "../elements.js";
import { gettext } from "../messages.js";
import { postJson } from "../session.js";
import { OfflineCopy, removeCopies } from "./offline_copies.js";
import { frameOf, Queue } from "./queue.js";

/** The server takes no more at once. */
const PART = 25;
const LARGEST = 1_000_000;
/** Bytes of the browser's storage that are left free: judgments have to be stored too. */
const RESERVE = 50_000_000;
const TIMEOUT = 30_000;
const DAY = 24 * 3_600_000;

/** @typedef {{topic_id: string, title: string, open: number}} Topic */
/**
 * @typedef {{campaign: string, account: string, edition: string, prefix: string, days: number, worker_url: string, root: string,
 *   page_url: string, judge_url: string, files: string[], topics: Topic[]}} Data
 */

/** Why a download ended before its end, for the assessor to read. */
export class Stopped extends Error {}

const UPDATED = gettext("The server was updated meanwhile. Reload this page and download again.");
const NO_ROOM = gettext(
  "The browser has no more room for this site. Free space on this device, or judge what is here first; then download again.",
);
const NO_ANSWER = gettext("The server does not respond.");

export class Download {
  constructor(/** @type {Data} */ data, /** @type {(done: number, total: number) => void} */ onprogress) {
    this.data = data;
    this.onprogress = onprogress;
  }

  /** Downloads all topics; what came before it was stopped can be used. Throws Stopped. */
  async run() {
    const { data } = this;
    try {
      await register(data);
      this.copy = await OfflineCopy.make(data);
      await this.files();
      for (const [done, topic] of data.topics.entries()) {
        this.onprogress(done, data.topics.length);
        await this.topic(topic);
      }
      await this.describe({ whole: true });
      await removeCopies(data, this.copy.name);
    } catch (error) {
      throw stopped(error);
    }
  }

  async describe(/** @type {Partial<Manifest>} */ changes = {}) {
    const { campaign, account, edition, page_url, judge_url, days } = this.data;
    const topics = this.copy?.manifest?.topics ?? [];
    const of = { campaign, account, edition, language: pageLanguage(), page_url, judge_url };
    const now = { ...of, at: Date.now(), until: Date.now() + days * DAY, whole: false, topics };
    await this.copy?.describe({ ...now, ...changes });
  }

  /** What all topics need, and the page that lists them. */
  async files() {
    const { files, page_url: page } = this.data;
    for (const address of files) await this.copy?.cache.put(address, await answer(address));
    await this.copy?.cache.put(page, kept(await this.html(page)));
    await this.describe();
    const listed = new Set(this.data.topics.map(({ topic_id: id }) => id));
    for (const { topic_id: id } of [...(this.copy?.manifest?.topics ?? [])]) if (!listed.has(id)) await this.copy?.remove(id);
  }

  /** A page of the edition and account that this page is of. @param {string} address @returns {Promise<{html: string, headers: Headers}>} */
  async html(address) {
    const response = await answer(address, { Accept: "text/html" });
    if (response.headers.get("X-Workbench-Edition") !== this.data.edition) throw new Stopped(UPDATED);
    if (decodeURIComponent(response.headers.get("X-Workbench-Account") ?? "") !== this.data.account)
      throw new Stopped(gettext("Another account is signed in now."));
    return { html: await response.text(), headers: response.headers };
  }

  /** Downloads a topic again; while it is on its way it is not in the copy. @param {Topic} topic */
  async topic(topic) {
    await this.copy?.remove(topic.topic_id);
    await checkRoom();
    const url = addressOf(this.data, topic);
    // Without a network documents come one at a time, also where a campaign has cards.
    const answered = await this.html(`${url}&alone=1`);
    const page = JSON.parse(new DOMParser().parseFromString(answered.html, "text/html").getElementById("page-data")?.textContent ?? "{}");
    if (page.shut) return;
    const queue = new Queue(page.queue);
    const wanted = queue.nextOpen(null, Infinity).map((id) => queue.place(id));
    const { topic_id, title } = topic;
    const described = {
      topic_id,
      title,
      url,
      frame_url: page.frame_url,
      topic_version: page.topic_version,
      guideline_version: page.guideline_version,
    };
    const { places, size } = await this.documents({ ...described, places: [], size: 0 }, wanted, page.texts_url);
    await this.copy?.cache.put(url, kept(answered));
    await this.describe({ topics: [...(this.copy?.manifest?.topics ?? []), { ...described, places, size }] });
  }

  async documents(/** @type {KeptTopic} */ topic, /** @type {Place[]} */ wanted, /** @type {string} */ address) {
    const places = [];
    let size = 0;
    for (let left = wanted; left.length; ) {
      const sent = { topic_id: topic.topic_id, documents: left.slice(0, PART), size: LARGEST };
      const { status, body } = await postJson(address, sent, this.data.account);
      if (status !== 200) throw new Stopped(body.message || NO_ANSWER);
      for (const { html, ...place } of body.texts) {
        if (!isOf(html, topic)) throw new Stopped(gettext("The topic or the guidelines changed meanwhile. Download again."));
        await this.copy?.cache.put(
          frameOf(topic.frame_url, place),
          new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } }),
        );
        places.push(place);
        size += html.length;
      }
      // What was asked for and did not come, though later ones of the list did, is not to be judged any more.
      const last = body.texts.at(-1)?.document_id;
      const at = left.findIndex(({ document_id: id }) => id === last);
      left = left.slice(at === -1 ? PART : at + 1);
    }
    return { places, size };
  }
}

/** @param {{judge_url: string}} data @param {{topic_id: string}} topic */
export const addressOf = ({ judge_url: address }, { topic_id: id }) => `${address}?topic=${encodeURIComponent(id)}`;

/** Has the browser answer from copies where the server does not. @param {Data} data */
async function register({ worker_url: address, root }) {
  await navigator.serviceWorker.register(address, { scope: root, updateViaCache: "none" });
  await navigator.serviceWorker.ready;
  // Browsers may throw away what was not marked when they need room; some ask first, and are not waited for.
  void navigator.storage?.persist?.();
}

async function answer(/** @type {string} */ address, /** @type {Record<string, string>} */ headers = {}) {
  const response = await fetch(address, { headers, redirect: "error", signal: AbortSignal.timeout(TIMEOUT) });
  if (!response.ok)
    throw new Stopped(
      response.status === 401
        ? gettext("You are signed out.")
        : gettext("The server answered with %(status)s.", { status: String(response.status) }),
    );
  return response;
}

/** A page as it is kept: it says when it was downloaded, has no token of the session, and fetches nothing ahead. @param {{html: string, headers: Headers}} answered */
function kept({ html, headers }) {
  const mark = `<head>\n  <meta name="downloaded" content="${new Date().toISOString()}">`;
  const token = /<meta name="csrf-token" content="([^"]*)">/.exec(html)?.[1];
  const page = html.replace("<head>", () => mark);
  const own = new Headers(headers);
  for (const name of ["Content-Encoding", "Content-Length", "Speculation-Rules"]) own.delete(name);
  return new Response(token ? page.replaceAll(token, "") : page, { headers: own });
}

/** Whether a document was made for the versions of a topic and its guidelines. @param {string} html @param {{topic_version: number, guideline_version: number}} topic */
function isOf(html, { topic_version: topic, guideline_version: guidelines }) {
  const head = new DOMParser().parseFromString(html.slice(0, html.indexOf("</head>")), "text/html");
  const shown = JSON.parse(head.querySelector("meta[name=shown]")?.getAttribute("content") ?? "{}");
  return shown.topic_version === topic && shown.guideline_version === guidelines;
}

async function checkRoom() {
  const { quota = Infinity, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  if (quota - usage < RESERVE) throw new Stopped(NO_ROOM);
}

function stopped(/** @type {any} */ error) {
  if (error instanceof Stopped) return error;
  return new Stopped(error?.name === "QuotaExceededError" ? NO_ROOM : NO_ANSWER);
}
