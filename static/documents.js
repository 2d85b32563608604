/** Documents of one topic from the server, fetched before they are needed. */
import { getJson } from "./session.js";

const KEPT = 16;

/**
 * @typedef {object} Shown
 * @property {string} document_id
 * @property {"text"|"frame"|"empty"|"missing"} state
 * @property {string} title
 * @property {{name: string, value: string}[]} fields
 * @property {{kind: string, text: string}[]} blocks
 * @property {string | null} frame address of the cleaned HTML
 * @property {number} pool
 * @property {string | null} text_hash
 * @property {number} topic_version
 * @property {number} guideline_version
 * @property {{seq: number, kind: string, grade: number | null, comment: string} | null} mine
 */

/** No document came; `status` is 0 when there was no answer at all. */
export class NoDocument extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export class Documents {
  /**
   * @param {string} address of the documents of the topic; the document's id is added to it
   * @param {string} account that opened the page; what the server knows of somebody else's judgments is not for it
   */
  constructor(address, account) {
    this.address = address;
    this.account = account;
    /** @type {Map<string, Shown>} */
    this.here = new Map();
    /** @type {Map<string, Promise<Shown>>} */
    this.coming = new Map();
  }

  /** The document, if it is here already. @param {string} documentId */
  ready(documentId) {
    return this.here.get(documentId);
  }

  /** @param {string} documentId @returns {Promise<Shown>} */
  fetch(documentId) {
    const here = this.here.get(documentId);
    if (here) return Promise.resolve(here);
    let coming = this.coming.get(documentId);
    if (!coming) {
      coming = this.load(documentId).finally(() => this.coming.delete(documentId));
      this.coming.set(documentId, coming);
    }
    return coming;
  }

  /** @param {string} documentId */
  async load(documentId) {
    let answer;
    try {
      answer = await getJson(this.address + encodeURIComponent(documentId), { "X-Account": encodeURIComponent(this.account) });
    } catch {
      throw new NoDocument(0, "The server does not answer.");
    }
    if (answer.status !== 200) throw new NoDocument(answer.status, answer.body.message ?? "");
    this.keep(answer.body);
    return answer.body;
  }

  /** @param {Shown} shown */
  keep(shown) {
    this.here.delete(shown.document_id);
    this.here.set(shown.document_id, shown);
    while (this.here.size > KEPT) this.here.delete(/** @type {string} */ (this.here.keys().next().value));
  }

  /** Forgets a document, so that the next look asks the server. @param {string} documentId */
  forget(documentId) {
    this.here.delete(documentId);
  }
}
