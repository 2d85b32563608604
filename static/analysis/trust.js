/** The page "Can we stop?" follows the judgments: its answer and the matrix of certain pairs; the lists are a link away. */
import { byId, write } from "../elements.js";
import { getNews } from "../session.js";
import { redraw } from "./figures.js";

const EVERY = 2_000;
const lead = byId("answer");
const news = byId("answer-news");
const now = byId("answer-now");
let etag = "";

async function follow() {
  try {
    if (!document.hidden) await ask();
  } catch {
    tell("The server does not respond; this page may be out of date.");
  }
  setTimeout(() => void follow(), EVERY);
}

async function ask() {
  const answer = await getNews(lead.dataset.answer, etag);
  etag = answer.etag;
  if (answer.problem) tell(answer.problem);
  else if (answer.news && String(answer.news.seq) !== lead.dataset.row) show(answer.news);
}

function show(/** @type {{seq: number, text: string, next: string}} */ found) {
  lead.dataset.row = String(found.seq);
  for (const [id, text] of [
    ["answer-words", found.text],
    ["answer-next", found.next],
  ]) {
    write(byId(id), text);
    byId(id).hidden = !text;
  }
  for (const figure of document.querySelectorAll("figure[data-figure*='/certain-pairs.']")) redraw(/** @type {HTMLElement} */ (figure));
  tell(`This answer and the matrix of certain pairs are as of log row ${found.seq.toLocaleString("en")}; the rest of the page is older.`);
  now.hidden = false;
}

function tell(/** @type {string} */ words) {
  write(byId("answer-news-words"), words);
  news.hidden = false;
}

void follow();
