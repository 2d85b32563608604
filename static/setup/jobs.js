/** Shows how far jobs are, and what came of each once it has ended; without this script their pages refresh themselves. */
import { write } from "../elements.js";
import { gettext } from "../messages.js";
import { BACKGROUND, getJson } from "../session.js";

const PAUSE = 500;
const UNFINISHED = new Set(["waiting", "running"]);

export function percent(/** @type {Job} */ { done, total }) {
  return total ? Math.min(100, Math.floor((100 * done) / total)) : null;
}

/**
 * Asks for a job until it has ended, and tells of each answer; what answers nothing is asked again.
 * @param {string} address @param {(job: Job) => void} told @returns {Promise<Job | null>} null where it is gone
 */
export async function followed(address, told) {
  for (;;) {
    try {
      const { status, body } = await getJson(address, BACKGROUND);
      if (status === 200) {
        if (!UNFINISHED.has(body.state)) return body;
        told(body);
      } else if (status < 500) return null;
    } catch {
      // No answer says nothing about the job.
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

function show(/** @type {HTMLElement} */ card, /** @type {Job} */ job) {
  const bar = card.querySelector("progress");
  const share = percent(job);
  if (bar && share !== null) [bar.max, bar.value] = [100, share];
  if (bar && share === null) bar.removeAttribute("value");
  write(card.querySelector(".job-percent"), share === null ? "" : `${share} %`);
  write(card.querySelector(".job-what"), job.step);
  write(card.querySelector(".job-state b"), job.state === "running" ? gettext("Running") : gettext("Waiting for other jobs"));
}

/** Takes over what the server shows of the job now; the place that is read out stays. A job's own page has more to show. */
async function finish(/** @type {HTMLElement} */ card) {
  if ("alone" in card.dataset) return location.reload();
  const answer = await fetch(location.href).catch(() => null);
  const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  const fresh = page?.getElementById(card.id) ?? page?.querySelector(".job-list");
  if (!fresh?.classList.contains("job")) return location.reload();
  const said = /** @type {HTMLElement} */ (card.querySelector(".job-state"));
  const saidNow = /** @type {HTMLElement} */ (fresh.querySelector(".job-state"));
  said.replaceChildren(...saidNow.childNodes);
  saidNow.replaceWith(said);
  const hadFocus = card.contains(document.activeElement);
  card.className = fresh.className;
  card.replaceChildren(...fresh.childNodes);
  if (hadFocus) /** @type {HTMLElement | null} */ (card.querySelector("a, button"))?.focus();
}

async function follow(/** @type {HTMLElement} */ card) {
  await followed(card.dataset.address ?? "", (job) => show(card, job));
  await finish(card);
}

for (const card of document.querySelectorAll(".job[data-address]")) void follow(/** @type {HTMLElement} */ (card));
