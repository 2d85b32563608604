/** The page for judging without a network: downloads the assessor's topics, says what is here, and removes it. */
import { gettext, ngettext } from "../messages.js";
import { byId, counted, hide, moment, pageData, pageLanguage } from "../elements.js";
import { postJson } from "../session.js";
import { Download, Stopped, addressOf } from "./offline_download.js";
import { copiesOf, downloadedAt, isSupported, removeCopies } from "./offline_copies.js";
import { Outbox } from "./outbox.js";

const NO_KEEPING = gettext(
  "This browser cannot keep pages of this server: that needs an https address and a window that is not private. Keep the judging page open instead: " +
    "its loaded documents can be judged without a network, and the judgments are sent once it is back. Choose “the whole topic” under Preferences, " +
    "Preload, and wait until the line at the top says that all are ahead. No other topic can be opened meanwhile.",
);

class OfflinePage {
  constructor(/** @type {any} */ data) {
    this.data = data;
    this.outbox = new Outbox(data, (judgment) => postJson(data.judgments_url, judgment, data.account), {
      onchange: () => this.showWaiting(),
      onstored: () => this.showWaiting(),
    });
  }

  async start() {
    this.list();
    await this.outbox.ready();
    if (!isSupported()) return this.say(NO_KEEPING);
    byId("download").addEventListener("click", () => void this.download());
    byId("remove").addEventListener("click", () => void this.remove());
    await this.show();
    void this.outbox.run();
  }

  /** The topics that can be downloaded. They may be a thousand: as rows of the server they would be half a megabyte. */
  list() {
    if (!this.data.topics.length) return;
    const template = byId("topic-template");
    const rows = this.data.topics.map((/** @type {{topic_id: string, title: string, open: number}} */ topic) => {
      const row = template.content.cloneNode(true);
      row.querySelector(".row-id").textContent = topic.topic_id;
      const link = row.querySelector(".row-title");
      link.textContent = topic.title || topic.topic_id;
      link.href = addressOf(this.data, topic);
      row.querySelector(".row-note").dataset.kept = topic.topic_id;
      row.querySelector(".row-count").textContent = gettext("%(num)s to judge", { num: topic.open });
      return row;
    });
    byId("topics").append(...rows);
  }

  say(/** @type {string} */ words) {
    byId("offline-state").textContent = words;
  }

  async show(problem = "") {
    const [copy] = await copiesOf(this.data);
    const topics = copy?.manifest?.topics ?? [];
    const isOld =
      copy !== undefined && (copy.manifest?.edition !== this.data.edition || (copy.manifest?.language ?? "en") !== pageLanguage());
    this.say([problem, this.situation(copy?.manifest ?? null, isOld)].filter(Boolean).join(" "));
    for (const place of document.querySelectorAll("[data-kept]")) {
      const topic = topics.find(({ topic_id: id }) => id === /** @type {HTMLElement} */ (place).dataset.kept);
      place.textContent = topic ? ngettext("%(num)s document here", "%(num)s documents here", topic.places.length) : "";
    }
    hide(byId("download"), downloadedAt() !== null || !this.data.topics.length);
    byId("download").textContent = topics.length ? gettext("Download again") : gettext("Download");
    byId("download").className = topics.length ? "small" : "button";
    hide(byId("remove"), topics.length === 0);
    await this.showWayToJudge(copy?.manifest ?? null);
  }

  /** The way to the first topic of the copy with documents that are not judged, and how many these are in all. @param {Manifest | null} manifest */
  async showWayToJudge(manifest) {
    const keyOf = (/** @type {{topic_id: string}} */ { topic_id: topic }, /** @type {string} */ id) => JSON.stringify([topic, id]);
    const sent = manifest ? await this.outbox.receipts.since(manifest.at) : [];
    const judged = new Set(
      [...sent, ...this.outbox.entries()].map(({ judgment }) => keyOf(/** @type {any} */ (judgment), judgment.document_id)),
    );
    const left = (manifest?.topics ?? []).map((topic) => ({
      topic,
      count: topic.places.filter(({ document_id: id }) => !judged.has(keyOf(topic, id))).length,
    }));
    const first = left.find(({ count }) => count > 0);
    hide(byId("judge"), !first);
    if (!first) return;
    byId("judge").href = addressOf(this.data, first.topic);
    byId("judge").textContent = gettext("Judge offline (%(num)s)", { num: left.reduce((sum, { count }) => sum + count, 0) });
  }

  situation(/** @type {Manifest | null} */ manifest, /** @type {boolean} */ isOld) {
    if (!manifest?.topics.length) return gettext("Nothing is downloaded in this browser.");
    const documents = manifest.topics.reduce((sum, { places }) => sum + places.length, 0);
    const size = manifest.topics.reduce((sum, topic) => sum + topic.size, 0) / 1e6;
    const told = gettext(
      "%(documents)s of %(topics)s (%(size)s MB) can be judged here without a network, even after this browser was closed. Downloaded on %(time)s.",
      {
        documents: counted(documents, "document"),
        topics: counted(manifest.topics.length, "topic"),
        size: Math.max(0.1, size).toFixed(1),
        time: moment(new Date(manifest.at)),
      },
    );
    return isOld ? `${told} ${gettext("They are from an earlier version of this server, or in another language: download again.")}` : told;
  }

  showWaiting() {
    const { waiting, refused } = this.outbox.state;
    const place = byId("offline-waiting");
    hide(place, !waiting && !refused.length);
    place.textContent =
      (waiting
        ? `${ngettext("%(num)s judgment kept here, to be sent when the server responds.", "%(num)s judgments kept here, to be sent when the server responds.", waiting)} `
        : "") +
      (refused.length
        ? ngettext(
            "%(num)s judgment not stored: open a topic, which says why.",
            "%(num)s judgments not stored: open a topic, which says why.",
            refused.length,
          )
        : "");
  }

  async download() {
    const bar = byId("offline-bar");
    byId("download").disabled = true;
    hide(bar, false);
    const progress = (/** @type {number} */ done, /** @type {number} */ total) => {
      bar.value = done / total;
      this.say(gettext("Downloading: %(done)s of %(topics)s done. Keep this page open.", { done, topics: counted(total, "topic") }));
    };
    let problem = "";
    try {
      await new Download(this.data, progress).run();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      problem = gettext("The download stopped. %(why)s", { why: error.message });
    }
    hide(bar, true);
    byId("download").disabled = false;
    await this.show(problem);
  }

  /** Removes the copy; without any copy the browser does not ask the worker any more. Judgments stay until they are sent. */
  async remove() {
    if (!confirm(gettext("Remove the downloaded topics from this browser? Judgments that are not sent yet stay."))) return;
    await removeCopies(this.data);
    const left = (await caches.keys()).some((name) => name.startsWith(this.data.prefix));
    if (!left) await (await navigator.serviceWorker.getRegistration(this.data.root))?.unregister();
    await this.show();
  }
}

void new OfflinePage(pageData()).start();
