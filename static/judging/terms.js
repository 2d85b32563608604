/** The words marked in documents: those of the topic, and those the assessor adds. */
import { gettext } from "../messages.js";
import { byId, element } from "../elements.js";
import { postJson } from "../session.js";

export class Terms {
  /**
   * @param {{terms_url: string, topic_id: string, account: string, terms: string[], terms_off: string[]}} page @param {() => void} onchange
   * the documents have to be marked again @param {() => void} onescape
   */
  constructor(page, onchange, onescape) {
    this.page = page;
    this.onchange = onchange;
    this.own = page.terms;
    this.off = page.terms_off;
    this.list = byId("terms");
    this.box = byId("term");
    this.status = byId("terms-status");
    byId("terms-form").addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      const text = this.box.value.trim();
      if (text) void this.change({ add: text });
    });
    this.box.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape" && !event.isComposing) onescape();
    });
    /** How often each word is marked in the document on the screen, and its colour there. @type {{text: string, own: boolean, hits: number, colour: number}[]} */
    this.counted = [];
    this.show();
  }

  count(/** @type {Shown | null} */ shown) {
    this.counted = shown?.terms ?? this.counted;
    this.show();
  }

  show() {
    const focused = document.activeElement?.getAttribute("data-word");
    const topic = this.counted.filter((term) => !term.own && !this.off.includes(term.text));
    const own = this.own.map((text) => ({ text, hits: this.counted.find((term) => term.own && term.text === text)?.hits ?? 0 }));
    this.list.replaceChildren(
      ...topic.map(({ text, hits }) => this.switchOf(text, String(hits))),
      ...this.off.map((text) => this.switchOf(text, "off")),
      ...own.map((term) => this.row(term)),
    );
    if (focused) this.list.querySelector(`[data-word="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  colourOf(/** @type {string} */ text, /** @type {boolean} */ own) {
    return String(this.counted.find((term) => term.text === text && term.own === own)?.colour ?? 0);
  }

  /** A word of the topic, which a press switches off and on. @param {string} text @param {string} hits */
  switchOf(text, hits) {
    const isOn = hits !== "off";
    const name = element("span", { class: "term-word", dir: "auto" }, text);
    const button = element(
      "button",
      {
        type: "button",
        class: "term-switch",
        "data-word": text,
        "aria-pressed": String(isOn),
        title: isOn ? gettext("Do not mark this word") : gettext("Mark this word"),
      },
      name,
      element("span", { class: "term-hits" }, hits),
    );
    button.addEventListener("click", () => void this.change(isOn ? { off: text } : { on: text }));
    return element("li", { class: "term", "data-hits": isOn ? hits : "off", "data-term": this.colourOf(text, false) }, button);
  }

  /** A word of the assessor's own. @param {{text: string, hits: number}} term */
  row({ text, hits }) {
    const row = element(
      "li",
      { class: "term own", "data-hits": String(hits), "data-term": this.colourOf(text, true) },
      element("span", { class: "term-word", dir: "auto" }, text),
      element("span", { class: "term-hits" }, String(hits)),
    );
    const drop = element(
      "button",
      { type: "button", class: "drop", "aria-label": gettext("No longer mark %(word)s", { word: text }) },
      "×",
    );
    drop.addEventListener("click", () => void this.change({ remove: text }));
    row.append(drop);
    return row;
  }

  async change(/** @type {{add?: string, remove?: string, off?: string, on?: string}} */ change) {
    const sent = { topic_id: this.page.topic_id, ...change };
    const answer = await postJson(this.page.terms_url, sent, this.page.account).catch(() => null);
    if (answer?.status !== 200) {
      this.status.textContent = answer?.body.message ?? gettext("The server does not respond: nothing was changed.");
      return;
    }
    this.status.textContent = "";
    if (this.box.value.trim() === change.add) this.box.value = "";
    this.own = answer.body.terms;
    this.off = answer.body.off;
    this.show();
    this.onchange();
  }
}
