/** What the page says about saving: the state in the strip, what was refused, what waits for others, other tabs. */
import { gettext, ngettext } from "../messages.js";
import { renew, watchOver } from "../page_version.js";
import { byId, element, hide, sentence, write } from "../elements.js";
import { isBusy } from "./keys.js";
import { nameOfJudgment } from "./panel.js";
import { SaveNews } from "./save_news.js";
import { SignInAgain } from "../accounts/signin_again.js";
import { Tabs } from "../tabs.js";
import { downloadUnsent, importUnsent } from "./unsent.js";
import { ANOTHER_CAMPAIGN, STORED_DIFFERENTLY } from "./verdicts.js";

/** Milliseconds within which a judgment is usually on the disk, and the next document on the screen. */
const LONG = 30;
/** Milliseconds after which a click on a link has led away, if it does. */
const GONE_AFTER = 1_000;

/** What to do where a topic was closed, withdrawn or given to another. */
const ASK = gettext(
  "They are kept in this browser. Ask an organiser to let you judge the topic, then choose Try again; or save them as a file: ",
);

/** What to do with judgments of another campaign. */
const SAVE = gettext("They stay in this browser until you store them in this campaign or discard them. Save them as a file: ");

const STATES = {
  saved: () => gettext("Saved"),
  saving: (/** @type {number} */ count) => gettext("%(num)s waiting", { num: count }),
  offline: (/** @type {number} */ count) => gettext("Offline, %(num)s kept here", { num: count }),
  outdated: (/** @type {number} */ count) => gettext("Old page, %(num)s kept here", { num: count }),
  "signed out": (/** @type {number} */ count) => gettext("Signed out, %(num)s kept here", { num: count }),
  problem: () => gettext("Problem, see below"),
};

export class Saving {
  /**
   * @param {Outbox} outbox
   * @param {any} page what the server put into the page
   * @param {{discarded: (entry: Entry) => void, look: (entry: Entry) => void, signedIn: () => void, isKept: () => boolean}} listener
   */
  constructor(outbox, page, listener) {
    this.outbox = outbox;
    this.page = page;
    this.listener = listener;
    document.addEventListener("click", (event) => this.clicked(event));
    addEventListener("beforeunload", (event) => {
      const { state, durable } = outbox.state;
      const isSafe = this.isLeaving || (durable && (listener.isKept() || (this.isGoingOn && state === "saving" && navigator.onLine)));
      if (outbox.entries().length && !isSafe) event.preventDefault();
    });
    byId("download-unsent").addEventListener("click", () => downloadUnsent(outbox));
    byId("import-unsent").addEventListener("change", (/** @type {Event} */ event) => void this.take(event));
    byId("save-state").addEventListener("click", () => byId("unsent").showModal());
    const topic = [page.campaign, page.account, page.topic_id].map(encodeURIComponent).join(":");
    this.tabs = new Tabs(topic, (count) => (byId("other-tab").hidden = count === 0));
    /** Whether a document could not be loaded because no account, or another account, is signed in. */
    this.isOut = false;
    /** Whether a judgment is on its way to this machine's disk, and the next document about to come. */
    this.isMoving = false;
    /** Whether the page is reloading by itself: nothing is judged on it any more. */
    this.isLeaving = false;
    /** Whether one is about to go to another topic, whose page sends what is on its way here. */
    this.isGoingOn = false;
    this.judged = /** @type {string | null} */ (null);
    this.timer = 0;
    this.news = new SaveNews(byId("save-news"));
    this.listed = "";
    this.signInAgain = new SignInAgain(
      page,
      () => this.signedIn(),
      () => outbox.entries().length,
    );
    this.signInAgain.channel?.postMessage("signed in");
    byId("sign-in-way").addEventListener("click", () => void this.signInAgain.show());
    watchOver(
      () => this.mayLeave(),
      () => this.leave(),
      gettext("It reloads with the next judgment; nothing is lost."),
    );
  }

  clicked(/** @type {MouseEvent} */ { target, ctrlKey, metaKey, shiftKey }) {
    if (target instanceof Element && target.closest(".next-topic") !== null && !ctrlKey && !metaKey && !shiftKey) this.goOn();
    else this.isGoingOn = false;
  }

  goOn() {
    this.isGoingOn = true;
    setTimeout(() => (this.isGoingOn = false), GONE_AFTER);
  }

  signedOut() {
    this.isOut = true;
    this.show();
    void this.signInAgain.offer();
  }

  /** A document has come; whether that means that the account is signed in again, the server knows. */
  documentCame() {
    if (this.isOut) void this.signInAgain.offer();
  }

  signedIn() {
    this.isOut = false;
    this.show();
    this.listener.signedIn();
    this.outbox.attempts.hurry();
  }

  /** The judgment is kept, and the next document comes with the next frame; the state's words come after it. @param {string} documentId */
  moved(documentId) {
    this.isMoving = false;
    this.judged = documentId;
    byId("save-state").dataset.state = this.outbox.state.state;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.showNow(), LONG);
    renew();
  }

  /** Whether the page can be reloaded without a loss: everything is on the disk, nothing is being typed, the server answers. */
  mayLeave() {
    const { state, waiting, refused, durable } = this.outbox.state;
    const isKept = durable || waiting + refused.length === 0;
    return isKept && !isBusy() && !this.isMoving && !this.isOut && state !== "offline" && state !== "signed out";
  }

  /** Until the next document is on the screen the address names the one that was judged: it is not come back to. */
  leave() {
    this.isLeaving = this.outbox.state.durable;
    const address = new URL(location.href);
    if (address.searchParams.get("document") === this.judged) address.searchParams.delete("document");
    history.replaceState(null, "", address);
    location.reload();
  }

  /** A frame drawn for these few words alone would hold up the frame of the next document. */
  show() {
    clearTimeout(this.timer);
    if (this.isMoving) this.timer = setTimeout(() => this.showNow(), LONG);
    else this.showNow();
  }

  showNow() {
    const state = this.outbox.state;
    this.showState(state);
    this.showProblems(state.refused);
    const others = this.outbox.others();
    const line = byId("others");
    const one = others.length === 1 && others[0].count === 1;
    hide(line, others.length === 0);
    const whose = others.map(({ account, count }) => gettext("%(account)s’s %(num)s", { account, num: count })).join(", ");
    line.textContent = one
      ? gettext("%(whose)s waits on this machine, and goes to the server when the owner signs in here.", { whose })
      : others.length > 1
        ? gettext("%(whose)s wait on this machine, and go to the server when their owners sign in here.", { whose })
        : gettext("%(whose)s wait on this machine, and go to the server when the owner signs in here.", { whose });
  }

  showState(/** @type {OutboxState} */ { state, waiting, refused, durable }) {
    this.news.heard(state);
    const place = byId("save-state");
    const unkept = durable || !waiting ? "" : ` ${gettext("(only while this page is open)")}`;
    const text = STATES[state](waiting) + unkept;
    write(byId("save-words"), text);
    place.dataset.state = state;
    const left = [
      waiting && ngettext("%(num)s judgment not yet sent.", "%(num)s judgments not yet sent.", waiting),
      refused.length &&
        ngettext(
          "%(num)s judgment not stored, see the list on the page.",
          "%(num)s judgments not stored, see the list on the page.",
          refused.length,
        ),
    ];
    byId("unsent-count").textContent = left.filter(Boolean).join(" ") || gettext("All judgments are stored on the server.");
    // The browser fetches the next topic's page (next_topic.js) if it has not done so yet.
    document.querySelector(".finished .next-topic")?.toggleAttribute("data-ahead", state === "saved");
    byId("download-unsent").disabled = this.outbox.entries().length === 0;
    hide(byId("signed-out"), state !== "signed out" && !this.isOut);
    if (state === "outdated") renew();
    // All is stored, by a server that has answered this page.
    if (state === "saved" && this.outbox.told.size) hide(byId("offline-copy"), true);
    // What the server stored again was sent by the account: the dialog has nothing to ask any more.
    if (state === "signed out" || (state === "saved" && this.signInAgain.isOut)) void this.signInAgain.offer();
  }

  showProblems(/** @type {Entry[]} */ refused) {
    // A list that is rebuilt while a finger is on one of its buttons loses the press.
    const listed = JSON.stringify(refused.map((entry) => [entry.uuid, entry.refused, this.newest(entry).uuid]));
    if (listed === this.listed) return;
    this.listed = listed;
    byId("problems").hidden = refused.length === 0;
    byId("problem-count").textContent = ngettext("%(num)s judgment not stored", "%(num)s judgments not stored", refused.length);
    const words = refused.some(isShut) ? ASK : refused.some(isForeign) ? SAVE : "";
    byId("problem-way").replaceChildren(...(words ? [words, way(gettext("Export unsent"), () => downloadUnsent(this.outbox))] : []));
    byId("problem-list").replaceChildren(...refused.map((entry) => this.problem(entry)));
    const ways = this.waysForAll(refused);
    hide(byId("problem-all"), ways.length === 0);
    byId("problem-all").replaceChildren(...ways);
  }

  /** One press for several rows that have the same way out. @param {Entry[]} refused */
  waysForAll(refused) {
    const conflicts = refused.filter(isConflict);
    const foreign = refused.filter(isForeign);
    const others = refused.filter((entry) => !isConflict(entry) && !isChanged(entry) && !isForeign(entry));
    /** @param {Entry[]} entries @param {string} label @param {(entry: Entry) => void} action */
    const all = (entries, label, action) => (entries.length > 1 ? [way(label, () => entries.forEach(action))] : []);
    const keep = (/** @type {Entry} */ entry) => this.keep(entry);
    const giveUp = (/** @type {Entry} */ entry) => this.giveUp(entry);
    const isPast = foreign.some((entry) => this.isPast(entry));
    return [
      ...all(conflicts, gettext("Store all %(num)s of this page", { num: conflicts.length }), keep),
      ...all(conflicts, gettext("Keep all %(num)s made elsewhere", { num: conflicts.length }), giveUp),
      ...(isPast ? [] : all(foreign, gettext("Store all %(num)s in this campaign", { num: foreign.length }), keep)),
      ...all(foreign, gettext("Discard all %(num)s of the other campaign", { num: foreign.length }), giveUp),
      ...all(others, gettext("Try all %(num)s again", { num: others.length }), keep),
    ];
  }

  /** What was judged last of the document: it may wait behind what was refused, and is stored or given up with it. @param {Entry} entry @returns {Entry} */
  newest(entry) {
    const later = this.outbox.followers(entry.uuid).at(-1);
    return later ? this.newest(later) : entry;
  }

  problem(/** @type {Entry} */ entry) {
    const { reason = "", message = "", status = 0, current = null } = entry.refused ?? {};
    const mine = nameOfJudgment(/** @type {any} */ (this.newest(entry).judgment), this.page.grades);
    const there = current ? nameOfJudgment(current, this.page.grades) : gettext("no judgment");
    const elsewhere =
      reason === STORED_DIFFERENTLY
        ? `${message}: ${there}.`
        : gettext("You also judged this document elsewhere: %(grade)s.", { grade: there });
    const said = isConflict(entry)
      ? elsewhere
      : sentence(message || gettext("the server answered with %(status)s", { status: String(status) }));
    const name = element("b", { dir: "auto" }, entry.judgment.document_id);
    // A narrow line does not part them from each other.
    const ways = element("span", { class: "problem-ways" }, ...this.waysOf(entry, mine, there));
    return element("li", {}, name, ` — ${gettext("your judgment here: %(grade)s.", { grade: mine })} ${said} `, ways);
  }

  waysOf(/** @type {Entry} */ entry, /** @type {string} */ mine, /** @type {string} */ there) {
    const keep = (/** @type {string} */ label) => way(label, () => this.keep(entry));
    const giveUp = (/** @type {string} */ label) => way(label, () => this.giveUp(entry));
    if (isConflict(entry)) return [keep(gettext("Store %(grade)s", { grade: mine })), giveUp(gettext("Keep %(grade)s", { grade: there }))];
    if (isChanged(entry)) return [way(gettext("Open document"), () => this.lookAgain(entry))];
    if (!isForeign(entry)) return [keep(gettext("Try again")), giveUp(gettext("Discard"))];
    return [
      this.isPast(entry) ? way(gettext("Reload"), () => this.leave()) : keep(gettext("Store in this campaign")),
      giveUp(gettext("Discard")),
    ];
  }

  /** Whether the page itself is of the other campaign, and has to be loaded again before it can judge in this one. @param {Entry} entry */
  isPast({ judgment }) {
    return judgment.log === this.page.log;
  }

  keep(/** @type {Entry} */ entry) {
    void this.outbox.keepMine(entry.uuid);
  }

  giveUp(/** @type {Entry} */ entry) {
    void this.outbox.discard(entry.uuid);
    this.listener.discarded(entry);
  }

  lookAgain(/** @type {Entry} */ entry) {
    void this.outbox.discard(entry.uuid);
    this.listener.look(entry);
  }

  /** A file with judgments that were not sent from another machine. @param {Event} event */
  async take(event) {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const file = input.files?.[0];
    if (file) byId("import-result").textContent = await importUnsent(this.outbox, file);
    input.value = "";
  }
}

/** Whether another judgment of one's own is in force, so that one of the two is to be chosen. @param {Entry} entry */
function isConflict({ refused, judgment }) {
  if (judgment.decision) return false; // of adjudication: its page shows what is there now
  return refused?.reason === "replaced elsewhere" || (refused?.reason === STORED_DIFFERENTLY && Boolean(refused.current));
}

/** Whether the document has another text now, so that it is to be read again. @param {Entry} entry */
function isChanged({ refused }) {
  return refused?.reason === "text changed";
}

/** Whether it was made for a campaign that had the same name. @param {Entry} entry */
function isForeign({ refused }) {
  return refused?.reason === ANOTHER_CAMPAIGN;
}

/** Whether the topic may not be judged by this account now: an organiser can change that. @param {Entry} entry */
function isShut({ refused }) {
  return refused?.reason === "topic closed" || refused?.reason === "not yours";
}

/** @param {string} label @param {() => void} action @returns {HTMLElement} */
function way(label, action) {
  const button = element("button", { type: "button", class: "small" }, label);
  button.addEventListener("click", action);
  return button;
}
