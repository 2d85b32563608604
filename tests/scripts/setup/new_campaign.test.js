import assert from "node:assert/strict";
import { test } from "node:test";
import { each, give, one, open, pass, pressButton, settled } from "../page.js";

const HTML = `<head><meta name=csrf-token content=t><meta name=session-url content=/session></head>
  <p id=drop-hint hidden></p><p id=summary hidden></p><p id=there></p><p id=step-there></p><p id=onward hidden></p>
  <form id=upload action=/send data-most=1000 data-account="Ben B"><input name=csrf_token value=t1><input name=complete value=yes>
  <input type=file id=files name=files multiple><div id=drop></div><button value=add id=add>Add</button>
  <button value=check id=check>Check</button></form><details id=repairs></details><ul id=reports></ul><div id=preview>Old</div>`;

const report = (file, more = {}) => ({ file, added: true, sentence: "2 topics", problems: [], warnings: [], more: 0, ...more });
const PROBLEMS = {
  added: false,
  sentence: "1 error",
  problems: [
    { line: 3, message: "no id" },
    { line: null, message: "empty" },
  ],
};
const refused = (file, more = {}) => report(file, { ...PROBLEMS, ...more });
const REFUSED_ROW = ["1 error", "line 3 no id", "empty"];

/** The page on which files are added, and a server that answers each with the next of `answers`. */
async function begun() {
  const state = /** @type {any} */ ({
    answers: [],
    sent: [],
    headers: {},
    session: { account: "Ben B", csrf_token: "t2" },
    job: null,
    cancelled: [],
    waits: null,
    preview: "New",
  });
  const answer = ({ path, method, body }) => {
    if (path === "/session") return Response.json(state.session);
    if (path === "/api/jobs/9") return Response.json(state.job);
    if (method === "POST") return Response.json({ path: state.cancelled.push(path), body });
    return new Response(`<div id=preview>${state.preview}</div>`);
  };
  open(HTML, { answer });
  /** What sends a file, and says how far it is. */
  class Sending extends EventTarget {
    upload = new EventTarget();
    headers = {};
    status = 0;
    response = null;

    open() {}

    setRequestHeader(name, value) {
      this.headers[name] = value;
    }

    async send(data) {
      const fields = {};
      for (const name of new Set(data.keys())) fields[name] = data.getAll(name).map((value) => value.name ?? value);
      state.sent.push(fields);
      state.headers = this.headers;
      await state.waits;
      [this.status, this.response] = state.answers.shift();
      this.dispatchEvent(new Event("loadend"));
    }
  }
  give("XMLHttpRequest", Sending);
  await import("#static/setup/new_campaign.js");
  const choose = (...names) => {
    const chosen = new DataTransfer();
    for (const name of names) chosen.items.add(new File(["x".repeat(name === "large" ? 1001 : 1000)], name));
    one("#files").files = chosen.files;
  };
  /** Sends files whose answers are these; what the row of each says. @param {string[]} names @param {any[]} answers */
  const send = async (names, answers, button = "#add") => {
    state.answers = answers;
    choose(...names);
    one(button).click();
    await settled();
    return each("#reports li.report", (row) =>
      [...row.querySelectorAll(".report-said, li, .hint")].map(({ textContent }) => textContent.trim()),
    );
  };
  return { state, choose, send };
}

const good = (...reports) => [200, { reports }];
const said = () => one("#summary").textContent;
const chosen = () => [...one("#files").files].map(({ name }) => name);
const asksBeforeLeaving = () => !dispatchEvent(new Event("beforeunload", { cancelable: true }));

test("files are sent one after the other, and the last completes the collection", async () => {
  const { state, send } = await begun();
  assert.equal(one("#drop-hint").hidden, false);
  const rows = await send(
    ["a", "b"],
    [
      [200, { reports: [report("a")], there: "0 topics" }],
      [200, { reports: [report("b")], there: "4 topics" }],
    ],
  );
  assert.deepEqual(rows, [["2 topics"], ["2 topics"]]);
  const [first, last] = state.sent;
  assert.deepEqual(first, { csrf_token: ["t1"], do: ["add"], files: ["a"], named: ["a", "b"] });
  assert.deepEqual(last, { csrf_token: ["t1"], complete: ["yes"], do: ["add"], files: ["b"], named: ["a", "b"] });
  assert.deepEqual(state.headers, { Accept: "application/json", "X-Account": "Ben%20B" });
  assert.deepEqual(
    [said(), chosen(), one("#there").textContent, one("#step-there").textContent],
    ["2 files added.", [], "4 topics", "4 topics"],
  );
  assert.deepEqual([one("#onward").hidden, one("#summary").hidden], [false, false]);
  assert.deepEqual([document.querySelectorAll(".report-added").length, document.querySelector("#reports svg")], [2, null]);
  await send(["a"], [[200, { reports: [report("a")], there: "0 topics", job: "7" }]]);
  assert.equal(document.querySelector("#reports a"), null, "a page for the team is for what was checked");
  assert.deepEqual([said(), one("#onward").hidden], ["1 file added.", true]);
});

test("a file with errors shows them and completes nothing", async () => {
  const { state, send } = await begun();
  const warned = report("b", {
    warnings: [
      { line: 2, message: "odd" },
      { line: null, message: "old" },
    ],
    more: 1200,
  });
  const rows = await send(["a", "b"], [good(refused("a")), good(warned)]);
  assert.deepEqual(rows, [REFUSED_ROW, ["2 topics", "warning, line 2 odd", "warning old", "and 1,200 more"]]);
  assert.equal(state.sent[1].complete, undefined);
  assert.ok(one(".report-refused .findings-problem") && one(".report-added .findings-warning"));
  assert.deepEqual([said(), chosen(), one("#repairs").open], ["1 file added. 1 file with errors: nothing was added from them.", [], false]);
  await send(["a", "b"], [good(refused("a")), good(refused("b"))]);
  assert.equal(said(), "Nothing was added: 2 files with errors.");
});

test("what was only checked, or can be repaired, stays chosen", async () => {
  const { state, send } = await begun();
  const answers = [good(report("a", { added: false })), [200, { reports: [refused("b", { check: {} })], job: "7 8" }]];
  await send(["a", "b"], answers, "#check");
  assert.deepEqual(
    state.sent.map((one) => one.do),
    [["check"], ["check"]],
  );
  assert.equal(said(), "1 file good, 1 with errors. This was a check: nothing was added.");
  assert.deepEqual([chosen(), one("#repairs").open, one("#preview").textContent], [["a", "b"], true, "Old"]);
  assert.ok(one(".report-checked"));
  assert.deepEqual(
    [one("#reports a").getAttribute("href"), one("#reports a").textContent],
    ["//report/7%208?file=0", "Page for the team on b"],
  );
});

for (const { status, body = {}, why } of [
  { status: 0, body: null, why: /cannot be reached/ },
  { status: 401, why: /signed out/ },
  { status: 413, why: /more than the server accepts/ },
  { status: 503, why: /campaign is busy/ },
  { status: 500, body: { message: "Broken." }, why: /not added: Broken\./ },
  { status: 500, why: /the server answered 500/ },
]) {
  test(`a file that did not arrive, by status ${status}, says why (${why.source}) and stays chosen`, async () => {
    const { send } = await begun();
    const [[first, reason]] = await send(["a"], [[status, body]]);
    assert.equal(first, "not added");
    assert.match(reason, why);
    assert.deepEqual([said(), chosen()], ["Nothing was added: 1 file with errors.", ["a"]]);
  });
}

test("a file that is larger than the server takes is not sent", async () => {
  const { state, send } = await begun();
  const [[, reason]] = await send(["large"], []);
  assert.match(reason, /more than the server accepts/);
  assert.deepEqual(state.sent, []);
});

test("an old token is renewed for the same account alone", async () => {
  const { state, send } = await begun();
  assert.deepEqual(await send(["a"], [[400, { reason: "csrf" }], good(report("a"))]), [["2 topics"]]);
  assert.deepEqual(
    state.sent.map((one) => one.csrf_token),
    [["t1"], ["t2"]],
  );
  assert.match((await send(["a"], [[400, { reason: "form" }]]))[0][1], /answered 400/);
  state.session.account = "Anna";
  assert.match((await send(["a"], [[400, { reason: "csrf" }]]))[0][1], /answered 400/);
});

test("a job that checks a file is followed and can be cancelled", async () => {
  const { state, send } = await begun();
  const job = /** @type {any} */ ({ state: "waiting", done: 1, total: 4, detail: null, message: "", id: "9" });
  state.job = job;
  const asked = [202, { address: "/api/jobs/9" }];
  const bar = () => one("#reports svg").getAttribute("aria-valuenow");
  assert.deepEqual(await send(["a"], [asked]), [["waiting for other jobs"]]);
  assert.deepEqual([bar(), one("#reports rect").getAttribute("width"), said()], ["25", "25%", "Sending 1 file …"]);
  assert.equal(asksBeforeLeaving(), false, "the server has the last file");
  Object.assign(job, { state: "running", total: null });
  await pass(500);
  assert.deepEqual([one(".report-said").textContent, bar()], ["checking", "100"]);
  pressButton("Cancel a");
  assert.equal(one("#reports button").disabled, true);
  Object.assign(job, { state: "done", detail: { there: "3 topics", reports: [report("a", { check: {} })] } });
  await pass(500);
  assert.deepEqual([said(), one("#there").textContent, state.cancelled], ["1 file added.", "3 topics", ["/jobs/9/cancel"]]);
  assert.deepEqual([document.querySelector("#reports button"), one("#reports a").getAttribute("href")], [null, "//report/9?file=0"]);
  Object.assign(job, { detail: null });
  assert.match((await send(["a"], [asked]))[0][1], /check was cancelled/);
  Object.assign(job, { detail: { reports: [] }, message: "Too late." });
  assert.equal((await send(["a"], [asked]))[0][1], "Too late.");
});

test("while files are on their way the page is not left and none are added", async () => {
  const { state, send } = await begun();
  state.waits = new Promise(() => {});
  assert.equal(asksBeforeLeaving(), false);
  assert.deepEqual(await send(["a", "b"], []), [["waiting"], ["waiting"]]);
  assert.deepEqual(
    [said(), asksBeforeLeaving(), each("#upload button", ({ disabled }) => disabled)],
    ["Sending 2 files …", true, [true, true]],
  );
});

test("dropped files are chosen, and folders are not", async () => {
  await begun();
  const drag = (kind, dataTransfer = new DataTransfer()) => {
    const event = Object.assign(new Event(kind, { bubbles: true, cancelable: true }), { dataTransfer, relatedTarget: null });
    return [!dispatchEvent(event), one("#drop").classList.contains("drop-over")];
  };
  const carry = (name) => {
    const carried = new DataTransfer();
    carried.items.add(new File(["x"], name));
    return carried;
  };
  assert.deepEqual([drag("dragenter"), drag("dragover")].flat(), [true, true, true, true]);
  assert.deepEqual(drag("dragleave"), [false, false]);
  drag("dragenter");
  assert.deepEqual([drag("drop", carry("a")), chosen()], [[true, false], ["a"]]);
  drag("drop");
  assert.deepEqual(chosen(), ["a"]);
  const folder = carry("b");
  /** @type {any} */ (folder.items[0]).webkitGetAsEntry = () => ({ isDirectory: true });
  drag("drop", folder);
  assert.deepEqual([chosen(), said()], [["a"], "A folder cannot be sent. Choose or drop the files in it."]);
});

test("a topic is shown as assessors see it once there are other ones", async () => {
  const { send } = await begun();
  await send(["a"], [good(refused("a"))]);
  assert.equal(one("#preview").textContent, "Old");
  await send(["a"], [good(report("a"))]);
  assert.equal(one("#preview").textContent, "New");
});
