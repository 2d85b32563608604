import assert from "node:assert/strict";
import { test } from "node:test";
import { one, open, pass, settled } from "../page.js";

const JOB = `<article class="job" id="job-7" data-address="/api/job"><p class="job-state"><b>Waiting</b></p><progress></progress>
  <span class="job-percent"></span><span class="job-what"></span><button>Cancel</button></article><article class="job" id="job-8"></article>`;
const ENDED = '<article class="job job-done" id="job-7"><p class="job-state"><b>Finished</b></p><a href="/result">Result</a></article>';

test("a job is shown until it has ended, and what came of it in its place", async () => {
  const job = /** @type {any} */ ({ state: "running", step: "reading", done: 1, total: 3 });
  let status = 200;
  const answer = ({ path }) => {
    if (path !== "/api/job") return new Response(ENDED);
    if (!status) throw new TypeError("no network");
    return Response.json(job, { status });
  };
  open(JOB, { answer });
  await import("#static/setup/jobs.js");
  await settled();
  const shown = () => [".job-percent", ".job-what", ".job-state b"].map((part) => one(`#job-7 ${part}`).textContent).join(", ");
  const bar = one("progress");
  const state = one("#job-7 .job-state");
  assert.deepEqual([shown(), bar.max, bar.value], ["33 %, reading, Running", 100, 33]);
  for (status of [500, 0]) {
    await pass(500);
    assert.equal(shown(), "33 %, reading, Running", "no answer says nothing about the job");
  }
  status = 200;
  Object.assign(job, { done: 5, state: "waiting" });
  await pass(500);
  assert.equal(shown(), "100 %, reading, Waiting for other jobs");
  Object.assign(job, { total: null, step: "counting", state: "running" });
  await pass(500);
  assert.deepEqual([shown(), bar.hasAttribute("value")], [", counting, Running", false]);
  one("#job-7 button").focus();
  job.state = "done";
  await pass(500);
  assert.deepEqual([document.activeElement, one("#job-7").className], [one("#job-7 a"), "job job-done"]);
  assert.deepEqual([state.isConnected, state.textContent], [true, "Finished"], "what is read out stays in its place");
});

test("the page of one job is loaded again when it has ended, with what else is there then", async () => {
  let reloads = 0;
  open(JOB.replace('id="job-7"', 'id="job-7" data-alone'), { answer: () => Response.json({ state: "done" }) });
  Object.defineProperty(location, "reload", { value: () => reloads++, configurable: true });
  const again = /** @type {string} */ ("#static/setup/jobs.js?alone");
  await import(again);
  await settled();
  assert.equal(reloads, 1);
});

test("a job that is gone is asked for no more", async () => {
  open("", { answer: () => Response.json({}, { status: 404 }) });
  const { followed } = await import("#static/setup/jobs.js");
  assert.equal(await followed("/api/job", () => {}), null);
});

test("how much of a job is done is a whole number up to a hundred, where it is known", async () => {
  open();
  const { percent } = await import("#static/setup/jobs.js");
  const share = (done, total) => percent(/** @type {any} */ ({ done, total }));
  assert.deepEqual([share(0, 0), share(1, null), share(0, 3), share(2, 3), share(3, 3), share(4, 3)], [null, null, 0, 66, 100, 100]);
});
