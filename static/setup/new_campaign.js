/**
 * Sending files: dropped or chosen, one request each, with its progress and its report. Without this script the form
 * sends them all at once and shows the same reports.
 */
import { byId, counted, drawn, element } from "../elements.js";
import { postJson, sessionState } from "../session.js";
import { followed, percent } from "./jobs.js";

const REASONS = {
  0: "not sent: the server cannot be reached, or the file has changed since it was chosen",
  401: "not sent: you are signed out. Sign in in another tab, then send this file again",
  413: "not sent: that is more than the server accepts at once",
  503: "not added: the campaign is busy. Send this file again",
};

/**
 * @typedef {{line: number | null, message: string}} Finding
 * @typedef {{file: string, added: boolean, sentence: string, problems: Finding[], warnings: Finding[], more: number, check?: object | null, job?: string, unsent?: boolean}} Report
 * @typedef {{status: number, body: any}} Answer
 */

function findings(/** @type {Finding[]} */ problems, /** @type {string} */ kind) {
  const items = problems.map(({ line, message }) => {
    const places = [kind === "warning" ? "warning" : "", line === null ? "" : `line ${line}`].filter(Boolean);
    const place = element("span", { class: "finding-line" }, places.join(", "));
    return element("li", {}, place, " ", element("span", { dir: "auto" }, message));
  });
  return element("ul", { class: `findings findings-${kind}` }, ...items);
}

class Bar {
  constructor() {
    this.sent = drawn("rect", { class: "bar-mine", height: "6" });
    this.element = drawn("svg", { class: "bar bar-thin", width: "100%", height: "6", role: "progressbar" }, this.sent);
    this.show(0);
  }

  /** @param {number} share from 0 to 1 */
  show(share) {
    this.sent.setAttribute("width", `${100 * share}%`);
    this.element.setAttribute("aria-valuenow", String(Math.round(100 * share)));
  }
}

/** A file in the list: waiting, on its way, or with its report. */
class Row {
  constructor(/** @type {File} */ file) {
    this.file = file;
    this.said = element("span", { class: "report-said", dir: "auto" }, "waiting");
    this.bar = new Bar();
    this.bar.element.setAttribute("aria-label", file.name);
    this.name = element("b", { dir: "auto" }, file.name);
    const head = element("p", { class: "report-head" }, this.name, " ", this.said);
    this.element = element("li", { class: "report" }, head, this.bar.element);
  }

  progress(/** @type {number} */ share) {
    this.bar.show(share);
    this.said.textContent = share < 1 ? `sending, ${Math.floor(100 * share)} %` : "checking";
  }

  /** Shows the job that checks the file until it has ended, and a way to cancel it. @returns {Promise<Job | null>} */
  async follow(/** @type {string} */ address, /** @type {string} */ account) {
    const cancel = element("button", { class: "small", type: "button" }, "Cancel");
    cancel.append(element("span", { class: "visually-hidden" }, ` ${this.file.name}`));
    cancel.addEventListener("click", () => {
      /** @type {HTMLButtonElement} */ (cancel).disabled = true;
      void postJson(`${address.replace("/api/", "/")}/cancel`, new URLSearchParams(), account);
    });
    this.element.append(cancel);
    const job = await followed(address, (now) => {
      this.said.textContent = now.state === "waiting" ? "waiting for other jobs" : "checking";
      this.bar.show((percent(now) ?? 100) / 100);
    });
    cancel.remove();
    return job;
  }

  /** @param {Report[]} reports one, or those on the files of an archive, each with a row of its own */
  finish(reports) {
    const others = reports.slice(1).map((report, place) => {
      const row = new Row(this.file);
      row.show(report, place + 1);
      return row.element;
    });
    this.show(reports[0], 0);
    this.element.after(...others);
  }

  /** @param {Report} report @param {number} place among the reports of one job */
  show({ file, added, sentence, problems, warnings, more, check, job }, place) {
    this.bar.element.remove();
    this.name.textContent = file;
    this.element.classList.add(`report-${added ? "added" : problems.length ? "refused" : "checked"}`);
    this.said.textContent = sentence;
    if (problems.length) this.element.append(findings(problems, "problem"));
    if (warnings.length) this.element.append(findings(warnings, "warning"));
    if (more) this.element.append(element("p", { class: "hint" }, `and ${more.toLocaleString("en")} more`));
    if (check && job) this.element.append(element("p", {}, teamPage(file, job, place)));
  }
}

/** The way to the report as a page to send to the team. @param {string} file @param {string} job @param {number} place */
function teamPage(file, job, place) {
  const address = `${location.pathname}/report/${encodeURIComponent(job)}?file=${place}`;
  return element("a", { class: "turn", href: address }, "Page for the team", element("span", { class: "visually-hidden" }, ` on ${file}`));
}

class Upload {
  constructor() {
    this.form = /** @type {HTMLFormElement} */ (byId("upload"));
    this.input = /** @type {HTMLInputElement} */ (byId("files"));
    this.drop = byId("drop");
    this.sending = false;
    this.left = 0;
    /** @type {string[]} The names of all files of this sending, for a table that names them. */
    this.names = [];
    /** Whether nothing is left to be sent: what the server checks goes on without this page. */
    this.isLast = false;
    byId("drop-hint").hidden = false;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const pressed = /** @type {HTMLButtonElement | null} */ (event.submitter);
      this.send([...(this.input.files ?? [])], pressed?.value ?? "add");
    });
    for (const kind of ["dragenter", "dragover"]) addEventListener(kind, (event) => this.hover(event));
    addEventListener("dragleave", (event) => event.relatedTarget === null && this.leave());
    addEventListener("drop", (event) => this.dropped(event));
    addEventListener("beforeunload", (event) => this.sending && !this.isLast && event.preventDefault());
  }

  hover(/** @type {Event} */ event) {
    event.preventDefault();
    this.drop.classList.add("drop-over");
  }

  leave() {
    this.drop.classList.remove("drop-over");
  }

  /** Dropped files are chosen files: the buttons say what becomes of them. @param {Event} event */
  dropped(event) {
    event.preventDefault();
    this.leave();
    const carried = /** @type {DragEvent} */ (event).dataTransfer;
    if (!carried?.files.length || this.sending) return;
    if ([...carried.items].some((item) => item.webkitGetAsEntry?.()?.isDirectory)) {
      this.say("A folder cannot be sent. Choose or drop the files in it.");
      return;
    }
    this.input.files = carried.files;
    this.input.dispatchEvent(new Event("change"));
  }

  /** @param {File[]} files @param {string} what to do: "add" or "check" */
  async send(files, what) {
    if (!files.length || this.sending) return;
    this.busy(true);
    this.names = files.map((file) => file.name);
    const rows = files.map((file) => new Row(file));
    byId("reports").replaceChildren(...rows.map((row) => row.element));
    this.say(`Sending ${counted(rows.length, "file")} …`);
    const ofFiles = /** @type {Report[][]} */ ([]);
    for (const [place, row] of rows.entries()) {
      this.left = rows.length - 1 - place;
      const last = place === rows.length - 1 && ofFiles.flat().every((report) => report.added);
      ofFiles.push(await this.sendOne(row, what, last));
    }
    const reports = ofFiles.flat();
    this.busy(false);
    this.keep(files.filter((_, place) => ofFiles[place].some((report) => !report.added && (!isRefused(report) || report.check))));
    const repairs = /** @type {HTMLDetailsElement | null} */ (document.getElementById("repairs"));
    if (repairs && reports.some((report) => report.check && isRefused(report))) repairs.open = true;
    this.say(summary(reports));
    if (reports.some((report) => report.added)) await showPreview();
  }

  /** Files that were checked alone, can be repaired, or did not arrive stay chosen: one press sends them again. @param {File[]} files */
  keep(files) {
    const carried = new DataTransfer();
    for (const file of files) carried.items.add(file);
    this.input.files = carried.files;
  }

  arrived() {
    this.isLast = this.left === 0;
  }

  /** @param {Row} row @param {string} what @param {boolean} last @returns {Promise<Report[]>} */
  async sendOne(row, what, last) {
    const reports = await this.reportsOn(row, what, last);
    row.finish(reports);
    return reports;
  }

  /** The report on a file, or those on the files of an archive. @param {Row} row @param {string} what @param {boolean} last @returns {Promise<Report[]>} */
  async reportsOn(row, what, last) {
    if (row.file.size > Number(this.form.dataset.most)) return [notSent(row.file, REASONS[413])];
    let answer = await this.post(row, what, last);
    if (answer.status === 400 && answer.body.reason === "csrf" && (await this.renewToken())) answer = await this.post(row, what, last);
    if (answer.status === 202) {
      this.arrived();
      const job = await row.follow(answer.body.address, this.form.dataset.account ?? "");
      if (job?.detail?.there) this.show(job.detail.there);
      if (job?.detail?.reports.length) return ofJob(job.detail.reports, job.id);
      return [notSent(row.file, job?.message || "not added: the check was cancelled")];
    }
    if (answer.body.there) this.show(answer.body.there);
    if (answer.body.reports?.length) return ofJob(answer.body.reports, answer.body.job);
    const known = /** @type {Record<number, string>} */ (REASONS)[answer.status];
    return [notSent(row.file, known ?? `not added: ${answer.body.message ?? `the server answered ${answer.status}`}`)];
  }

  /** With the last file alone, and when all others were added, is a collection complete. @returns {Promise<Answer>} */
  post(/** @type {Row} */ row, /** @type {string} */ what, /** @type {boolean} */ last) {
    const data = new FormData(this.form);
    data.set("do", what);
    if (!last) data.delete("complete");
    data.delete("files");
    data.append("files", row.file, row.file.name);
    for (const name of this.names) data.append("named", name);
    return new Promise((resolve) => {
      const request = new XMLHttpRequest();
      request.open("POST", this.form.action);
      request.responseType = "json";
      request.setRequestHeader("Accept", "application/json");
      request.setRequestHeader("X-Account", encodeURIComponent(this.form.dataset.account ?? ""));
      request.upload.addEventListener("progress", ({ loaded, total }) => row.progress(total ? loaded / total : 1));
      request.upload.addEventListener("load", () => row.progress(1));
      request.addEventListener("loadend", () => resolve({ status: request.status, body: request.response ?? {} }));
      request.send(data);
    });
  }

  /** A page left open over a sign-in has an old token. */
  async renewToken() {
    const { status, body } = await sessionState();
    if (status !== 200 || body.account !== this.form.dataset.account) return false;
    /** @type {HTMLInputElement} */ (this.form.elements.namedItem("csrf_token")).value = body.csrf_token;
    return true;
  }

  /** @param {string} there what the campaign holds now, as text */
  show(there) {
    byId("there").textContent = there;
    byId("step-there").textContent = there;
    byId("onward").hidden = /^0 /.test(there);
  }

  say(/** @type {string} */ words) {
    byId("summary").textContent = words;
    byId("summary").hidden = false;
  }

  busy(/** @type {boolean} */ sending) {
    this.sending = sending;
    this.isLast = false;
    for (const button of this.form.querySelectorAll("button")) button.disabled = sending;
  }
}

/** A topic as assessors see it, now that there are other ones. */
async function showPreview() {
  const there = document.getElementById("preview");
  const answer = there && (await fetch(location.pathname).catch(() => null));
  if (!there || !answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("preview");
  if (fresh) there.replaceWith(document.adoptNode(fresh));
}

/** @param {File} file @param {string} sentence @returns {Report} */
function notSent(file, sentence) {
  return {
    file: file.name,
    added: false,
    sentence: "not added",
    problems: [{ line: null, message: sentence }],
    warnings: [],
    more: 0,
    unsent: true,
  };
}

/** @param {Report[]} reports @param {string} job @returns {Report[]} */
function ofJob(reports, job) {
  return reports.map((report) => ({ ...report, job }));
}

function isRefused(/** @type {Report} */ report) {
  return report.problems.length > 0 && !report.unsent;
}

/** What became of all files, in one sentence, as the server says it. @param {Report[]} reports */
function summary(reports) {
  const files = (/** @type {number} */ count) => counted(count, "file");
  const added = reports.filter((report) => report.added).length;
  const refused = reports.filter((report) => report.problems.length).length;
  const checked = reports.length - added - refused;
  if (checked) return `${files(checked)} good, ${refused} with errors. This was a check: nothing was added.`;
  if (refused && added) return `${files(added)} added. ${files(refused)} with errors: nothing was added from them.`;
  return refused ? `Nothing was added: ${files(refused)} with errors.` : `${files(added)} added.`;
}

new Upload();
