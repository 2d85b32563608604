/** The card of one document that is asked for, as by undo or for a judgment that was refused, or from which one comes back. */
import { getJson } from "../session.js";
import * as panel from "./panel.js";

/** @typedef {import("./cards.js").CardsPage} CardsPage */

/** Shows the card of a document: on the screen if it is there, else among those it was judged with, before those that are. @param {CardsPage} page @param {string} documentId */
export async function openCard(page, documentId) {
  const { stage } = page;
  const card = stage.cardOf(documentId);
  if (card) return page.choose(card);
  const batch = await page.coming.these(page.coming.judgedWith(documentId));
  const wanted = batch.cards.find((one) => one.has(documentId));
  if (!wanted) {
    stage.drop(batch);
    return didNotCome(page, documentId);
  }
  const before = stage.batch; // other cards than at first, where another document was opened meanwhile
  if (before) {
    void page.coming.ahead?.then((unseen) => unseen !== stage.batch && stage.drop(unseen));
    page.coming.ahead = Promise.resolve(before);
  }
  await stage.show(batch);
  if (stage.batch === batch) page.choose(wanted);
}

/** Shows the cards on the screen, and loads those after them, with other marks. @param {CardsPage} page */
export async function markAgain(page) {
  const { coming, stage, texts } = page;
  const { batch, current } = stage;
  texts.clear();
  void coming.ahead?.then((unseen) => unseen !== stage.batch && stage.drop(unseen));
  coming.ahead = null;
  if (!batch) return;
  await coming.complete(batch);
  const fresh = await coming.these(batch.cards.flatMap(({ members }) => members.map(({ shown }) => shown.document_id)));
  if (stage.batch !== batch || !fresh.cards.length) return stage.drop(fresh);
  const documentId = (stage.current ?? current)?.first.document_id ?? "";
  const top = stage.scroller.scrollTop;
  const painted = stage.show(fresh);
  stage.scroller.scrollTop = top;
  const card = stage.cardOf(documentId);
  if (card) page.choose(card);
  stage.drop(batch);
  await painted;
  coming.prefetch();
}

/** The page of the document alone says why, unless the server does not respond: then this page stays. @param {CardsPage} page @param {string} documentId */
async function didNotCome(page, documentId) {
  const { document_url: address, account } = page.data;
  const headers = { "X-Account": encodeURIComponent(account) };
  const answer = await getJson(address + encodeURIComponent(documentId), headers).catch(() => null);
  if (answer) return location.assign(page.coming.wantedOf(documentId).alone);
  panel.say("The server does not respond, and the document could not be loaded");
  if (!page.stage.current) void page.next(null);
}

/**
 * The cards from the document on that was opened alone (`&at=`), which is the first of them unless it was postponed; null
 * where none was.
 * @param {CardsPage} page
 */
export function returned(page) {
  const { data, queue } = page;
  const at = new URL(location.href).searchParams.get("at");
  if (at === null || !queue.has(at)) return null;
  history.replaceState(null, "", `?topic=${encodeURIComponent(data.topic_id)}`);
  const [next] = queue.nextOpen(at);
  const { state, later } = queue.item(at);
  const isFirst = state === "open" ? !later : next !== undefined;
  return page.coming.load(at, isFirst ? [at] : []);
}
