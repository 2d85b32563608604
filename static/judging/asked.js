/**
 * The questions that are asked about a document besides its relevance, as soon as it has a grade from which they are. What they look like is
 * taken from their own pages, where those wait that cannot be asked now: without the network, say, or on a page that stays after grading.
 */
import { byId, hide } from "../elements.js";
import { getJson } from "../session.js";

/** Milliseconds without an answer of the server after which one goes on without being asked. */
const PATIENCE = 3_000;

/**
 * @typedef {{topic_id: string, from: number | null}} Question the topic of its answers, and the grade from which on it is asked
 * @typedef {{data: any, title: Element | null, buttons: Element[]}} Panel of the page of a question
 * @typedef {{grades: GradeButton[], labels: GradeButton[], answer: import("./long_answer.js").HowAnswered, actions: Action[]}} Keys of a page
 */

/** What the keys of a page give. @param {Keys} page @returns {GradeButton[]} */
export const keyed = ({ grades, labels, answer }) => (answer ? labels : grades);

/** What is on the panel to answer with. */
const FACES = "#grades > :not(template)";

export class Asked {
  /** @param {JudgingSession} session @param {import("./input.js").InputHandler} input @param {Keyboard} keyboard @param {import("./long_answer.js").LongAnswer} answer */
  constructor(session, input, keyboard, answer) {
    this.session = session;
    this.input = input;
    this.keyboard = keyboard;
    this.answering = answer;
    this.place = byId("grades");
    this.label = this.place.getAttribute("aria-label") ?? "";
    this.buttons = [...document.querySelectorAll(FACES)];
    /** What the page itself asks, where that is not relevance. @type {HTMLElement | null} */
    this.title = document.querySelector(".asked");
    /** @type {Map<string, Promise<Panel | null>>} */
    this.panels = new Map();
    /** What is still to be asked about the document. @type {Question[]} */
    this.waiting = [];
    /** Which thing of a pair stands on the left. @type {string | null} */
    this.left = null;
    /** @type {Promise<unknown> | null} */
    this.stored = null;
    /** What is asked now, and what an answer has to name. @type {{documentId: string, panel: Panel, proof: Record<string, any>} | null} */
    this.current = null;
  }

  get isOpen() {
    return this.current !== null;
  }

  /** A document got a grade: what is asked about it is to follow. @param {{uuid: string, kind: string, grade: number | null, left?: string | null}} judgment */
  begin({ uuid, kind, grade, left = null }) {
    this.left = left;
    const { data, outbox } = this.session;
    const isDue = (/** @type {Question} */ { from }) => from === null || (grade !== null && grade >= from);
    const isCut = outbox.state.state === "offline" || !navigator.onLine;
    this.waiting = kind === "grade" && !isCut ? data.asked.filter(isDue) : [];
    // The server asks once it has the grade.
    this.stored = this.waiting.length ? Promise.race([outbox.answered(uuid), late()]) : null;
  }

  /** Puts the next question about a document onto the panel. @param {string} documentId @returns {Promise<boolean>} whether there is one */
  async follow(documentId) {
    while (this.waiting.length) {
      const [{ topic_id: topicId }] = this.waiting.splice(0, 1);
      await this.stored;
      const panel = await Promise.race([this.panelOf(topicId), late()]);
      const proof = panel && (await Promise.race([this.proofOf(panel, documentId), late()]));
      if (!panel || !proof || this.session.view.wanted !== documentId) continue;
      this.current = { documentId, panel, proof };
      this.show(panel);
      return true;
    }
    return false;
  }

  /** A judgment as an answer to what is asked; the same where nothing is. @template {Record<string, any>} Sent @param {Sent} judgment @returns {Sent} */
  answer(judgment) {
    return this.current ? { ...judgment, ...this.current.proof, replaces: null, rationales: [] } : judgment;
  }

  /** What the page itself asks is on the panel again. */
  close() {
    if (!this.current) return;
    this.current.panel.title?.remove();
    if (this.title) hide(this.title, false);
    this.current = null;
    this.fill(this.buttons, this.session.data, this.label);
  }

  /** @param {string} topicId @returns {Promise<Panel | null>} */
  panelOf(topicId) {
    const known = this.panels.get(topicId) ?? this.fetch(topicId);
    this.panels.set(topicId, known);
    return known;
  }

  /** @param {string} topicId @returns {Promise<Panel | null>} */
  async fetch(topicId) {
    const answer = await getJson(`?${new URLSearchParams({ topic: topicId })}`, { Accept: "text/html" }).catch(() => null);
    const page = new DOMParser().parseFromString(answer?.status === 200 ? String(answer.body) : "", "text/html");
    const data = JSON.parse(page.getElementById("page-data")?.textContent ?? "null");
    if (!data) this.panels.delete(topicId);
    const buttons = [...page.querySelectorAll(FACES)].map((button) => document.importNode(button, true));
    return data && { data, title: document.importNode(/** @type {Element} */ (page.querySelector(".asked")), true), buttons };
  }

  /** What an answer has to name; null where none can be given, or was. @param {Panel} panel @param {string} documentId */
  async proofOf({ data }, documentId) {
    if (data.shut) return null;
    const headers = { "X-Account": encodeURIComponent(data.account) };
    const answer = await getJson(data.document_url + encodeURIComponent(documentId), headers).catch(() => null);
    if (answer?.status !== 200 || answer.body.mine || answer.body.state === "missing") return null;
    const { pool, text_hash, topic_version, guideline_version, left } = answer.body;
    // Things stand on the screen as the first question drew them.
    if ((left ?? null) !== this.left) return null;
    return { topic_id: data.topic_id, pool, text_hash, topic_version, guideline_version, ...(left ? { left } : {}) };
  }

  /** @param {Panel} panel */
  show({ data, title, buttons }) {
    if (this.title) hide(this.title, true);
    if (title) byId("controls").before(title);
    this.fill(buttons, data, title?.textContent?.trim() ?? "");
  }

  /** @param {Element[]} buttons @param {Keys} keys @param {string} label */
  fill(buttons, keys, label) {
    for (const face of document.querySelectorAll(FACES)) face.remove();
    this.place.prepend(...buttons);
    this.place.setAttribute("aria-label", label);
    this.place.setAttribute("role", keys.answer ? "group" : "radiogroup");
    this.input.grades = keyed(keys);
    this.answering.how = keys.answer;
    this.answering.show(null);
    this.keyboard.actions = keys.actions;
    this.keyboard.labelPage();
  }
}

/** @returns {Promise<null>} */
const late = () => new Promise((resolve) => setTimeout(resolve, PATIENCE, null));
