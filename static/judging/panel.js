/** What stands around the document: progress, the marked grade, the last judgments, brief words. */
import { gettext, number, withNodes } from "../messages.js";
import { roomAfter } from "../direction.js";
import { byId, counted, element, hide, setAttribute, write } from "../elements.js";
import { stopAtChecked } from "./grades.js";

export const NARROW = "(max-width: 860px) and (min-height: 561px), (max-width: 560px)";
const TOOLS = "(max-width: 860px) and (min-height: 561px)";
const TOUCHED = "(hover: none) and (pointer: coarse)";
const SAID_FOR = 1_600;
/** Milliseconds for what is longer to read, or has a link. */
export const READ_FOR = 10_000;

/** @param {{kind: string | null, grade: number | null}} judgment @param {GradeButton[]} grades */
export function nameOfJudgment({ kind, grade }, grades) {
  if (kind === "can't tell") return gettext("Can’t tell");
  if (kind === "cleared") return gettext("Cleared");
  if (kind === null) return gettext("no judgment");
  return grades.find((button) => button.grade === grade)?.name ?? String(grade);
}

/** The same small disc that the grade's button carries. @param {{kind: string | null, grade: number | null}} judgment */
export function shapeOf({ kind, grade }) {
  const template = document.getElementById(kind === "grade" ? `shape-${grade}` : "shape-cannot-tell");
  return template instanceof HTMLTemplateElement ? template.content.cloneNode(true) : "";
}

export function showProgress(/** @type {Queue} */ queue, /** @type {string} */ timeLeft) {
  const { total, judged, cannotTell, later, open } = queue.counts();
  const cannot = cannotTell ? gettext(", %(num)s can’t tell", { num: cannotTell }) : "";
  byId("progress").replaceChildren(
    ...withNodes(gettext("%(done)s of %(all)s", { all: total }), { done: element("b", {}, number(judged)) }),
    element("span", { class: "strip-more" }, gettext(" judged")),
    element("span", {}, later ? gettext(", %(num)s later", { num: later }) : ""),
    element("span", { class: "strip-more" }, cannot),
  );
  byId("time-left").textContent = timeLeft;
  const bar = byId("progress-bar");
  bar.max = total;
  bar.value = judged + cannotTell;
  const postponing = document.getElementById("topic-later");
  if (postponing) hide(postponing, open === 0);
}

export function showReady(/** @type {number} */ ready, /** @type {number} */ open) {
  const rest = open - ready;
  const values = { documents: counted(ready, "document"), rest };
  const all = gettext("%(documents)s can be judged without the network, which is all that is left of this topic.", values);
  const some = gettext("%(documents)s can be judged without the network; %(rest)s more of this topic need it.", values);
  byId("ready").textContent = open ? (rest ? some : all) : gettext("%(documents)s can be judged without the network.", values);
  byId("ready-count").textContent = number(ready);
}

/** The buttons that judge; in their bar alone, since a look through the whole page holds up the next document. @returns {NodeListOf<HTMLButtonElement>} */
const judgingButtons = () => byId("controls").querySelectorAll("[data-grade], [data-action='cannot tell']");

/** Those of an answer that is no single key, and its field. @returns {NodeListOf<HTMLButtonElement>} */
const answering = () => byId("grades").querySelectorAll("[data-label], [data-action], #weight");

/** @returns {HTMLButtonElement | null} */
const postponingButton = () => byId("controls").querySelector("[data-action='later']");

export function showMine(/** @type {Item | null} */ item, /** @type {GradeButton[]} */ grades) {
  for (const button of judgingButtons()) {
    const { grade } = button.dataset;
    const isMine = grade === undefined ? item?.kind === "can't tell" : item?.kind === "grade" && String(item.grade) === grade;
    setAttribute(button, button.getAttribute("role") === "radio" ? "aria-checked" : "aria-pressed", String(Boolean(isMine)));
  }
  stopAtChecked(byId("grades"));
  const isMine = item?.state === "mine";
  const later = postponingButton();
  if (later) setAttribute(later, "aria-pressed", String(Boolean(item?.later)));
  hide(byId("clear"), !isMine);
  const words = isMine ? gettext("You judged this: %(grade)s", { grade: nameOfJudgment(item, grades) }) : "";
  const told = item?.state === "other" ? gettext("Another assessor has judged this document.") : words;
  write(byId("mine"), told);
}

export function allowJudging(/** @type {boolean} */ can) {
  for (const button of [...judgingButtons(), ...answering()]) button.disabled = !can;
}

/** Dims the button and leaves it at hand: pressed all the same, it says why nothing is postponed. @param {boolean} can */
export function allowPostponing(can) {
  const later = postponingButton();
  if (later) setAttribute(later, "aria-disabled", String(!can));
}

/**
 * @param {Queue} queue @param {GradeButton[]} grades
 * @param {(documentId: string) => string} titleOf @param {(documentId: string) => void} open
 */
export function showLastJudged(queue, grades, titleOf, open) {
  const rows = queue.lastJudged(5).map((item) => {
    const name = nameOfJudgment(item, grades);
    const title = element("span", { class: "recent-title", dir: "auto" }, titleOf(item.document_id));
    const button = element(
      "button",
      { type: "button", class: "recent" },
      shapeOf(item),
      title,
      element("span", { class: "recent-grade" }, name),
    );
    button.addEventListener("click", () => open(item.document_id));
    return element("li", {}, button);
  });
  byId("recent").replaceChildren(...rows);
  hide(byId("recent-empty"), rows.length > 0);
}

/** The topic leaves room for the grades; on a phone it is folded into the strip, and the page ends above their bar. */
export function fitScreen() {
  const bar = byId("controls");
  const title = document.querySelector(".strip-topic");
  const narrow = matchMedia(NARROW);
  const { style } = document.documentElement;
  byId("topic").open = !narrow.matches;
  const fit = () => {
    style.setProperty("--controls", `${bar.offsetHeight}px`);
    if (title && narrow.matches) style.setProperty("--title-end", `${roomAfter(title)}px`);
  };
  const sizes = new ResizeObserver(fit);
  for (const part of title ? [bar, title] : [bar]) sizes.observe(part);
  narrow.addEventListener("change", fit);
  // In a window of another shape they are on the page again, and not over it.
  matchMedia(TOOLS).addEventListener("change", () =>
    /** @type {HTMLElement | null} */ (document.querySelector(".reading:popover-open"))?.hidePopover(),
  );
}

export function openDialog(/** @type {string} */ id) {
  closeDialogs();
  byId(id).showModal();
}

export function closeDialogs() {
  for (const open of document.querySelectorAll("dialog[open]")) /** @type {HTMLDialogElement} */ (open).close();
}

/** The list of keys; its button opens the preferences where the page is only touched. @param {Input} input */
export const openKeys = (input) => openDialog(input === "button" && matchMedia(TOUCHED).matches ? "preferences" : "keys");

let saidTimer = 0;
let ignored = 0;

/** @param {...(Node | string)} words */
function brief(...words) {
  const sign = byId("said");
  sign.replaceChildren(...words);
  hold(SAID_FOR);
  return sign;
}

function hold(/** @type {number} */ milliseconds) {
  clearTimeout(saidTimer);
  saidTimer = setTimeout(() => byId("said").replaceChildren(), milliseconds);
}

export function say(/** @type {string} */ words) {
  delete brief(words).dataset.kind;
}

/** @param {...(Node | string)} words */
export function sayLonger(...words) {
  delete brief(...words).dataset.kind;
  hold(READ_FOR);
}

/** A brief sign that a key did nothing, and why. @param {string} why @param {number} [milliseconds] */
export function showIgnored(why, milliseconds = SAID_FOR) {
  ignored += 1;
  brief(why).dataset.kind = "ignored";
  hold(milliseconds);
}

export const ignoredSoFar = () => ignored;

/** What was judged just now. Spoken, the grade is enough: the title that is read out is the next document's. @param {string} title @param {{kind: string, grade: number | null}} judgment @param {GradeButton[]} grades */
export function confirm(title, judgment, grades) {
  const name = element("span", { class: "said-title", dir: "auto", "aria-hidden": "true" }, title);
  delete brief(shapeOf(judgment), element("b", {}, nameOfJudgment(judgment, grades)), name).dataset.kind;
}
