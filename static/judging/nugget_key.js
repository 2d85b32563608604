/** The selected text of a document becomes a nugget of its topic, as soon as the server has it. */
import { gettext, number } from "../messages.js";
import { element } from "../elements.js";
import { postJson } from "../session.js";
import * as panel from "./panel.js";

/** Characters of a nugget; the server takes no more. */
const LONGEST = 1_000;
/** By what is new. */
const DONE = new Map(
  Object.entries({ nugget: gettext("Nugget added"), reference: gettext("Already a nugget; place added"), "": gettext("Already a nugget") }),
);

export class NuggetKey {
  /** @param {{nuggets: {url: string, page_url: string}, topic_id: string, account: string}} data @param {import("./remarks.js").Remarks} remarks which know what is selected @param {() => void} onsignedout */
  constructor({ nuggets, topic_id, account }, remarks, onsignedout) {
    this.addresses = nuggets;
    this.topicId = topic_id;
    this.account = account;
    this.remarks = remarks;
    this.onsignedout = onsignedout;
  }

  /** What is not added stays selected. @param {Pick<Shown, "document_id" | "text_hash">} shown */
  async add({ document_id, text_hash }) {
    const { inside } = this.remarks.viewer;
    const pieces = this.remarks.selected();
    const text = pieces.map((piece) => piece.text).join(" ");
    if (!pieces.length) return panel.say(gettext("Select some text first, or go to a marked word"));
    if (Array.from(text.replace(/\s+/gu, " ")).length > LONGEST) return panel.say(gettext("A nugget can have at most 1,000 characters"));
    const sent = { topic_id: this.topicId, document_id, text_hash, pieces };
    const answer = await postJson(this.addresses.url, sent, this.account).catch(() => null);
    if (answer?.status === 401) this.onsignedout();
    if (answer?.status !== 200) return panel.showIgnored(whyNot(answer), panel.READ_FOR);
    const { nuggets, added } = answer.body;
    inside?.getSelection()?.removeAllRanges();
    panel.sayLonger(`${DONE.get(added)} (${number(nuggets)})`, element("a", { href: this.addresses.page_url }, gettext("Nuggets")));
  }
}

/** @param {Answer | null} answer */
function whyNot(answer) {
  if (!answer) return gettext("No nugget added: the server does not respond. The text stays selected.");
  return gettext("No nugget added: %(why)s", {
    why: answer.body.message ?? gettext("the server answered with %(status)s", { status: String(answer.status) }),
  });
}
