/** What stands around the document: progress, save state, the marked grade, the last judgments, problems. */
import { byId, counted, element } from "./elements.js";

/** @typedef {{grade: number, name: string, key: string, fill: number, tone: string}} GradeButton */

/** @param {{kind: string | null, grade: number | null}} judgment @param {GradeButton[]} grades */
export function nameOfJudgment({ kind, grade }, grades) {
  if (kind === "can't tell") return "Can’t tell";
  if (kind === "cleared") return "Cleared";
  if (kind === null) return "no judgment";
  return grades.find((button) => button.grade === grade)?.name ?? String(grade);
}

/** The same small disc that the grade's button carries. @param {{kind: string | null, grade: number | null}} judgment */
function shapeOf({ kind, grade }) {
  const template = document.getElementById(kind === "grade" ? `shape-${grade}` : "shape-cannot-tell");
  return template instanceof HTMLTemplateElement ? template.content.cloneNode(true) : "";
}

/** @param {import("./queue.js").Queue} queue @param {string} timeLeft */
export function showProgress(queue, timeLeft) {
  const { total, judged, cannotTell } = queue.counts();
  const cannot = cannotTell ? `, ${cannotTell.toLocaleString("en")} can’t tell` : "";
  byId("progress").replaceChildren(
    element("b", {}, judged.toLocaleString("en")),
    ` of ${total.toLocaleString("en")}`,
    element("span", { class: "strip-more" }, ` judged${cannot}`),
  );
  byId("time-left").textContent = timeLeft;
  const bar = byId("progress-bar");
  bar.max = total;
  bar.value = judged + cannotTell;
}

const SAVE_STATES = {
  saved: () => "Saved",
  saving: (/** @type {number} */ count) => `Saving ${count}`,
  offline: (/** @type {number} */ count) => `Offline, ${count} kept here`,
  "signed out": (/** @type {number} */ count) => `Signed out, ${count} kept here`,
  problem: () => "Problem, see below",
};

/** @param {import("./outbox.js").State} state */
export function showSaveState({ state, waiting, durable }) {
  const place = byId("save-state");
  const unkept = durable || !waiting ? "" : " (only while this page is open)";
  const text = SAVE_STATES[state](waiting) + unkept;
  if (place.textContent !== text) place.textContent = text;
  place.dataset.state = state;
  byId("signed-out").hidden = state !== "signed out";
}

/**
 * Marks what I have judged, on the buttons and in words.
 * @param {import("./queue.js").Item | null} item @param {GradeButton[]} grades
 */
export function showMine(item, grades) {
  for (const button of document.querySelectorAll("[data-grade], [data-action='cannot tell']")) {
    const grade = button instanceof HTMLElement ? button.dataset.grade : undefined;
    const isMine = grade === undefined ? item?.kind === "can't tell" : item?.kind === "grade" && String(item.grade) === grade;
    button.setAttribute("aria-pressed", String(Boolean(isMine)));
  }
  const isMine = item?.state === "mine";
  byId("clear").hidden = !isMine;
  const words = isMine ? `You judged this: ${nameOfJudgment(item, grades)}` : "";
  byId("mine").textContent = item?.state === "other" ? "Somebody else has judged this document." : words;
}

/** @param {boolean} can whether the document shown may be judged */
export function allowJudging(can) {
  for (const button of document.querySelectorAll("[data-grade], [data-action='cannot tell']")) {
    /** @type {HTMLButtonElement} */ (button).disabled = !can;
  }
}

/**
 * @param {import("./queue.js").Queue} queue @param {GradeButton[]} grades
 * @param {(documentId: string) => string} titleOf @param {(documentId: string) => void} open
 */
export function showLastJudged(queue, grades, titleOf, open) {
  const rows = queue.lastJudged(5).map((item) => {
    const name = nameOfJudgment(item, grades);
    const title = element("span", { class: "recent-title", dir: "auto" }, titleOf(item.document_id));
    const button = element("button", { type: "button", class: "recent" }, shapeOf(item), title, element("span", { class: "recent-grade" }, name));
    button.addEventListener("click", () => open(item.document_id));
    return element("li", {}, button);
  });
  byId("recent").replaceChildren(...rows);
  byId("recent-empty").hidden = rows.length > 0;
}

/**
 * @param {import("./outbox.js").Entry[]} refused @param {GradeButton[]} grades
 * @param {{keep: (entry: import("./outbox.js").Entry) => void, look: (entry: import("./outbox.js").Entry) => void,
 *   discard: (entry: import("./outbox.js").Entry) => void}} ways
 */
export function showProblems(refused, grades, ways) {
  byId("problems").hidden = refused.length === 0;
  byId("problem-count").textContent = `${counted(refused.length, "judgment")} not stored`;
  byId("problem-list").replaceChildren(...refused.map((entry) => problem(entry, grades, ways)));
}

/** @type {(...arguments_: Parameters<typeof showProblems> extends [any, infer G, infer W] ? [import("./outbox.js").Entry, G, W] : never) => HTMLElement} */
function problem(entry, grades, ways) {
  const { reason, message, current } = entry.refused ?? { reason: "", message: "", current: null };
  const mine = nameOfJudgment(/** @type {any} */ (entry.judgment), grades);
  const row = element("li", {}, element("b", { dir: "auto" }, entry.judgment.document_id), ` — your judgment here: ${mine}. `);
  if (reason === "replaced elsewhere") {
    const there = current ? nameOfJudgment(current, grades) : "no judgment";
    row.append(`You judged this document elsewhere meanwhile: ${there}. `);
    row.append(way(`Store ${mine}`, () => ways.keep(entry)), way(`Leave ${there}`, () => ways.discard(entry)));
  } else if (reason === "text changed") {
    row.append(`${message}. `, way("Look at it again", () => ways.look(entry)));
  } else {
    row.append(`${message || `the server answered with ${entry.refused?.status}`}. `);
    row.append(way("Try again", () => ways.keep(entry)), way("Give it up", () => ways.discard(entry)));
  }
  return row;
}

/** @param {string} label @param {() => void} action */
function way(label, action) {
  const button = element("button", { type: "button", class: "small" }, label);
  button.addEventListener("click", action);
  return button;
}

let ignoredTimer = 0;

/** A brief sign that a key did nothing, and why. @param {string} why */
export function showIgnored(why) {
  const sign = byId("ignored");
  sign.textContent = why;
  sign.hidden = false;
  clearTimeout(ignoredTimer);
  ignoredTimer = setTimeout(() => (sign.hidden = true), 1_200);
}
