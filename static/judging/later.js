/** Postponed documents: marked immediately, kept here until the server has them. */
import { postJson } from "../session.js";
import { Storage } from "../storage.js";

const AGAIN = 15_000;

export class Later {
  sending = false;

  /** @param {string} owner @param {{later_url: string, topic_id: string, account: string}} page @param {Queue} queue */
  constructor(owner, page, queue) {
    this.page = page;
    this.queue = queue;
    /** What the server does not know yet, by document. */
    this.unsent = new Storage(`workbench:later:${owner}:`);
    this.timer = 0;
    for (const documentId of this.unsent.names()) {
      if (queue.has(documentId)) queue.item(documentId).later = Boolean(this.unsent.get(documentId));
    }
    addEventListener("online", () => void this.send());
    void this.send();
  }

  /** Puts a document off, or no longer; says which. @param {string} documentId @returns {boolean} */
  toggle(documentId) {
    const item = this.queue.item(documentId);
    item.later = !item.later;
    this.unsent.put(documentId, item.later);
    void this.send();
    return item.later;
  }

  /** A judged document is put off no longer; the server knows that by the judgment. @param {string} documentId */
  judged(documentId) {
    this.unsent.remove(documentId);
  }

  async send() {
    if (this.sending) return;
    this.sending = true;
    clearTimeout(this.timer);
    try {
      for (let names = this.unsent.names(); names.length; names = this.unsent.names()) await this.sendOne(names[0]);
    } catch {
      this.timer = setTimeout(() => void this.send(), AGAIN);
    } finally {
      this.sending = false;
    }
  }

  /** Throws when there is no answer, or none that settles it. @param {string} documentId */
  async sendOne(documentId) {
    const later = this.unsent.get(documentId);
    const sent = { topic_id: this.page.topic_id, document_id: documentId, later };
    const { status } = await postJson(this.page.later_url, sent, this.page.account);
    if (status === 401 || status === 429 || status >= 500) throw new Error("not settled");
    if (this.unsent.get(documentId) === later) this.unsent.remove(documentId);
  }
}
