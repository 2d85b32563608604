/** The cards on the screen, and the proof that one has been in full view for long enough to be judged. */
import { gettext } from "../messages.js";
import { byId, element } from "../elements.js";
import { Card, loadFrame, shownBefore } from "./card.js";
import { isBusy } from "./keys.js";
import { DRAWN_AFTER, SEEN_FROM } from "./viewer.js";

/** Pixels by which a card may be outside: heights are rounded. */
const SLACK = 1;

export class CardStage {
  constructor(/** @type {HTMLElement} */ scroller, /** @type {(card: Card) => void} */ onload) {
    this.scroller = scroller;
    this.onload = onload;
    this.batch = /** @type {Batch | null} */ (null);
    this.current = /** @type {Card | null} */ (null);
    this.currentSince = Infinity;
    this.region = byId("document");
    this.strip = document.querySelector(".strip");
    this.timer = 0;
    scroller.addEventListener("scroll", () => this.moved(), { passive: true });
    addEventListener("scroll", () => this.moved(), { passive: true });
    document.addEventListener("visibilitychange", () => this.moved());
    new ResizeObserver(() => this.refit()).observe(scroller);
  }

  /** @returns {Card[]} */
  get cards() {
    return this.batch?.cards ?? [];
  }

  cardOf(/** @type {string} */ documentId) {
    return this.cards.find((card) => card.has(documentId)) ?? null;
  }

  /** Loads documents as cards that are not shown yet. @param {Wanted[]} wanted @param {string[]} [rest] the documents that come after them @returns {Promise<Batch>} */
  load(wanted, rest = []) {
    const list = element("ol", { class: "cards", "aria-label": "Cards", inert: true });
    this.scroller.append(list);
    return this.add({ list, cards: [], rest, whole: null }, wanted);
  }

  /** Loads more documents as cards; what did not come is left out. @param {Batch} batch @param {Wanted[]} wanted @returns {Promise<Batch>} */
  async add(batch, wanted) {
    const made = await Promise.all(grouped(wanted).map((group) => this.make(batch.list, group)));
    const cards = made.flat();
    const isFollowed = this.current !== null && this.isInView(this.current);
    for (const card of cards) this.onload(card);
    for (const { place } of cards) place.classList.remove("coming");
    batch.cards = [...batch.cards, ...cards];
    if (this.batch === batch) this.refit(isFollowed);
    else this.level(batch);
    return batch;
  }

  /** A card of near duplicates; those that have no room on the screen together get a card each. @param {HTMLElement} list @param {Wanted[]} group @returns {Promise<Card[]>} */
  async make(list, group) {
    const places = group.map(() => element("li", { class: "card coming", tabindex: "-1" }));
    list.append(...places);
    const card = await this.fill(places[0], group);
    const { top, bottom } = this.view();
    while (card && card.members.length > 1 && card.height > bottom - top) card.giveBack();
    const count = card?.members.length ?? 1;
    for (const place of places.slice(1, count)) place.remove();
    const others = await Promise.all(group.slice(count).map((one, at) => this.fill(places[at + count], [one])));
    return [card, ...others].filter((one) => one !== null);
  }

  /** @param {HTMLElement} place @param {Wanted[]} group @returns {Promise<Card | null>} */
  async fill(place, group) {
    const loaded = await Promise.all(group.map(({ address, html }) => loadFrame(address, html, place)));
    const members = loaded.filter((member, at) => member?.shown.document_id === group[at].document_id);
    if (members.length === group.length) {
      const card = new Card(place, /** @type {Member[]} */ (members), group[0].alone);
      card.fit();
      return card;
    }
    if (group.length > 1) place.replaceChildren();
    else place.remove();
    return group.length > 1 ? this.fill(place, group.slice(0, 1)) : null;
  }

  /** Shows other cards in place of those on the screen; resolves once they are painted. @param {Batch} batch */
  async show(batch) {
    this.leave();
    const before = this.batch;
    this.batch = batch;
    batch.list.inert = false;
    batch.list.classList.add("shown");
    before?.list.classList.remove("shown");
    if (before) before.list.inert = true;
    this.scroller.scrollTop = 0;
    this.fit();
    await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted, DRAWN_AFTER)));
    this.look();
  }

  drop(/** @type {Batch} */ batch) {
    batch.list.remove();
    if (this.batch === batch) this.batch = null;
  }

  /** From now on nothing counts as current. */
  leave() {
    this.current?.place.removeAttribute("aria-current");
    this.current = null;
    this.hold();
  }

  /** Makes a card the one that the next key judges, and brings it into view. @param {Card} card */
  choose(card) {
    this.leave();
    this.current = card;
    card.place.setAttribute("aria-current", "true");
    if (!this.isInView(card)) card.place.scrollIntoView({ block: "nearest", inline: "nearest" });
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (this.current !== card) return;
        this.currentSince = performance.now();
        if (!isBusy()) card.place.focus({ preventScroll: true });
        this.sayWhenSeen(); // if it was scrolled into view, that was heard
      }, DRAWN_AFTER),
    );
  }

  /** A card was judged: until another is chosen, no key judges anything. */
  hold() {
    this.currentSince = Infinity;
    clearTimeout(this.timer);
    this.region.setAttribute("aria-busy", "true");
  }

  /** What is seen has changed: says when the current card may be judged. */
  moved() {
    this.look();
    if (this.whyNot()) this.region.setAttribute("aria-busy", "true");
    this.sayWhenSeen();
  }

  /** A timer may end early, and a card come into view without a word to the page: it is asked until the card may be judged. */
  sayWhenSeen() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const why = this.whyNot();
      this.region.setAttribute("aria-busy", String(why !== ""));
      if (why && this.current && !document.hidden) this.sayWhenSeen();
    }, SEEN_FROM);
  }

  /** Why the current card cannot be judged now; "" when it can. @returns {string} */
  whyNot() {
    const { current } = this;
    if (!current) return gettext("Ignored: no card yet");
    const view = this.view();
    this.look([current], view);
    if (!this.isInView(current, view))
      return this.isTall(current, view)
        ? gettext("Ignored: taller than the screen; open it")
        : gettext("Ignored: the card is not in full view");
    if (current.isCut) return gettext("Ignored: wider than the card; open it");
    const from = Math.max(current.since, this.currentSince);
    return performance.now() - from >= SEEN_FROM ? "" : gettext("Ignored: too early");
  }

  /** @param {1 | -1} step @returns {Card | null} */
  neighbour(step) {
    const at = this.current ? this.cards.indexOf(this.current) + step : 0;
    return this.cards[at] ?? null;
  }

  /** Notes since when each card is in full view. */
  look(cards = this.cards, view = this.view()) {
    const now = performance.now();
    for (const card of cards) card.since = !document.hidden && this.isInView(card, view) ? Math.min(card.since, now) : Infinity;
  }

  /** Makes the cards as high as their documents; a line above them leads to one document at a time if most are taller than the screen. */
  fit() {
    const tall = this.measure();
    this.region.toggleAttribute("data-tall", 2 * tall.length > this.cards.length);
    this.follow();
  }

  /** The same without another line above them, which would move what is being read. @param {boolean} [isFollowed] whether the current card is kept in view */
  refit(isFollowed = true) {
    this.measure();
    if (isFollowed) this.follow();
    else this.moved();
  }

  measure() {
    for (const card of this.cards) card.fit();
    const tall = this.batch ? this.level(this.batch) : [];
    for (const card of this.cards) {
      card.why.textContent = tall.includes(card)
        ? gettext("Taller than the screen: open it to judge it.")
        : card.isCut
          ? gettext("Wider than the card: open it to judge it.")
          : "";
    }
    return tall;
  }

  /** Where there is less room than before, the current card stays in view. */
  follow() {
    if (this.current && !this.isInView(this.current)) this.current.place.scrollIntoView({ block: "nearest" });
    this.moved();
  }

  /** Cards beside each other are as high as the highest, unless that is more than the screen, where none of them could be judged; gives those that are more. @param {Batch} batch */
  level({ cards }) {
    const view = this.view();
    const tall = cards.filter((card) => this.isTall(card, view));
    const tops = new Set(tall.map(({ place }) => place.offsetTop));
    const beside = cards.filter(({ place }) => tops.has(place.offsetTop)); // all asked before any changes: else each is laid out again
    for (const card of cards) card.place.toggleAttribute("data-even", !beside.includes(card));
    return tall;
  }

  isTall(/** @type {Card} */ card, { top, bottom } = this.view()) {
    return card.height > bottom - top + SLACK;
  }

  /** What of the page is seen of the cards: between the strip and what is fixed at the bottom. */
  view() {
    const { top, bottom, left, right } = this.scroller.getBoundingClientRect();
    const strip = this.strip?.getBoundingClientRect().bottom ?? 0;
    const bar = byId("controls");
    const end = getComputedStyle(bar).position === "fixed" ? bar.getBoundingClientRect().top : innerHeight;
    return { top: Math.max(top, strip, 0), bottom: Math.min(bottom, end), left, right };
  }

  isInView(/** @type {Card} */ card, view = this.view()) {
    const { top, bottom, left, right } = card.place.getBoundingClientRect();
    const isHigh = top >= view.top - SLACK && bottom <= view.bottom + SLACK;
    return card.place.isConnected && isHigh && left >= view.left - SLACK && right <= view.right + SLACK;
  }
}

/** Documents in their order, near duplicates that one grade does for together: each is compared with the one before it, and nothing decisive differs, nor their judgments. What is compared with none is not looked into. @param {Wanted[]} wanted @returns {Wanted[][]} */
function grouped(wanted) {
  const groups = /** @type {Wanted[][]} */ ([]);
  for (const one of wanted) {
    const before = groups.at(-1);
    const shown = one.against === null || one.isApart ? null : shownBefore(one.html);
    const { twin } = shown ?? { twin: null };
    const isCopy = shown?.state === "text" && twin !== null && !twin.reasons.length && twin.document_id === before?.at(-1)?.document_id;
    if (before && isCopy) before.push(one);
    else groups.push([one]);
  }
  return groups;
}
