/** What the judging page has from the browser's copy for offline judging, and what it says of it. */
import { gettext } from "../messages.js";
import { byId, counted, hide, meta, moment, pageLanguage } from "../elements.js";
import { copiesOf, downloadedAt, isSupported } from "./offline_copies.js";

export class OfflineState {
  constructor(/** @type {any} */ data, /** @type {Texts} */ texts) {
    this.data = data;
    this.texts = texts;
    this.copy = /** @type {OfflineCopy | null} */ (null);
    this.downloaded = downloadedAt();
  }

  /** Finds the copy. A page that comes from it waits for this. */
  async ready() {
    const { data, texts } = this;
    const copies = data.norming ? [] : await copiesOf({ ...data.offline, campaign: data.campaign, account: data.account });
    this.copy =
      copies.find(({ manifest }) => manifest?.edition === meta("edition") && (manifest.language ?? "en") === pageLanguage()) ?? null;
    const topic = this.copy?.topic(data.topic_id) ?? null;
    texts.keep(topic?.places ?? []);
    const isOld = copies.length > 0 && (!this.copy || (topic !== null && !this.isOf(topic)));
    this.show(isOld);
  }

  isOf(/** @type {KeptTopic} */ { topic_version: topic, guideline_version: guidelines }) {
    return topic === this.data.topic_version && guidelines === this.data.guideline_version;
  }

  /** Whether a page can be left while judgments wait here: another page of the copy sends them. */
  get isKept() {
    return Boolean(this.copy?.manifest?.topics.length);
  }

  holds(/** @type {string} */ topicId, /** @type {string} */ documentId) {
    return this.copy?.topic(topicId)?.places.some(({ document_id: id }) => id === documentId) ?? false;
  }

  /** The server has another text of a document. @param {Record<string, any>} judgment */
  forget({ topic_id: topicId, document_id: documentId }) {
    void this.copy?.forget(topicId, documentId);
  }

  show(/** @type {boolean} */ isOld) {
    hide(byId("offline-old"), !isOld || this.downloaded !== null);
    hide(byId("offline-copy"), this.downloaded === null);
    byId("offline-copy-time").textContent = this.downloaded ? moment(this.downloaded) : "";
    byId("offline-words").textContent = this.words();
  }

  words() {
    if (!isSupported())
      return gettext(
        "Keep this tab open while there is no network: at this address the browser keeps no copy, and neither a reload nor another topic would work.",
      );
    const topics = this.copy?.manifest?.topics ?? [];
    if (!topics.length) return gettext("Without a network, keep this tab open, or download your topics beforehand:");
    const documents = topics.reduce((sum, { places }) => sum + places.length, 0);
    return gettext("%(topics)s with %(documents)s can be judged without a network, even after a reload.", {
      topics: counted(topics.length, "topic"),
      documents: counted(documents, "document"),
    });
  }
}
