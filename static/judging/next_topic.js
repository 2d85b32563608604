/**
 * The next topic's page, which browsers that know speculation rules (next_topic.speculationrules) fetch ahead while the
 * last documents of this topic are judged. What is judged meanwhile the page knows from the receipts of the browser.
 */
import { byId, element } from "../elements.js";

/** With this many documents left to judge, or fewer, the next topic's page is fetched. */
const LEFT = 3;
/** Milliseconds after which it is fetched again: browsers keep such a page for five minutes. */
const FRESH = 240_000;
/** Milliseconds by which a page may be older than the moment at which one went on to it. */
const OLDEST = 600_000;

export class NextTopic {
  constructor(/** @type {Pick<JudgingSession, "data" | "queue" | "outbox" | "preferences">} */ page) {
    this.page = page;
    /** What is fetched: a link that is neither seen nor read out. @type {HTMLElement | null} */
    this.link = null;
    this.since = 0;
    this.times = 0;
    /** The version of the guidelines that is in what is fetched. @type {number} */
    this.guidelines = page.data.guideline_version;
    page.preferences.listen(() => this.giveUp());
  }

  /** The links that lead to it: that of the template, and that on the page once the topic is complete. @returns {Element[]} */
  links() {
    const template = document.getElementById("finished-template");
    const inside = template instanceof HTMLTemplateElement ? template.content.querySelectorAll(".next-topic") : [];
    return [...inside, ...document.querySelectorAll(".finished .next-topic")];
  }

  stored() {
    const { data, queue, outbox, preferences } = this.page;
    if (this.link && performance.now() - this.since > FRESH) this.giveUp();
    const [next] = this.links();
    // Without the browser's database undo would not lead back to what is judged from now on.
    const isTime = data.early && outbox.database !== null && queue.counts().open <= LEFT && !preferences.waiting().length;
    if (this.link || !next || !isTime) return;
    this.since = performance.now();
    this.link = element("a", {
      class: "next-topic visually-hidden",
      href: next.getAttribute("href") ?? "",
      tabindex: "-1",
      "aria-hidden": "true",
      "data-ahead": true,
    });
    byId("document").append(this.link);
  }

  heardGuidelines(/** @type {number} */ guidelines) {
    if (guidelines === this.guidelines) return;
    this.guidelines = guidelines;
    this.giveUp();
  }

  /** What was fetched is out of date, as with other preferences. For the browser another address is another page. */
  giveUp() {
    if (!this.link && !document.querySelector(".finished .next-topic[data-ahead]")) return;
    this.link?.remove();
    this.link = null;
    this.times += 1;
    for (const link of this.links()) {
      const address = new URL(link.getAttribute("href") ?? "", location.href);
      address.searchParams.set("again", String(this.times));
      link.setAttribute("href", address.pathname + address.search);
      link.removeAttribute("data-ahead");
    }
  }
}

/** From when on this page may have been made, in milliseconds by this machine's clock: not later than one went on to it. */
export function earliest() {
  const mayBeOlder = new URL(location.href).searchParams.has("after");
  return performance.timeOrigin - (mayBeOlder ? OLDEST : 0);
}
