/** The card of one document that is asked for, as by undo or for a judgment that was refused. */
import { getJson } from "../session.js";
import * as panel from "./panel.js";

/** @typedef {import("./cards.js").CardsPage} CardsPage */

/** Shows the card of a document: on the screen if it is there, else alone, before those that are. @param {CardsPage} page @param {string} documentId */
export async function openCard(page, documentId) {
  const { stage } = page;
  const card = stage.cardOf(documentId);
  if (card) return page.choose(card);
  const batch = await stage.load([page.wantedOf(documentId)]);
  if (!batch.cards.length) {
    stage.drop(batch);
    return didNotCome(page, documentId);
  }
  const before = stage.batch; // other cards than at first, where another document was opened meanwhile
  if (before) {
    void page.ahead?.then((unseen) => unseen !== stage.batch && stage.drop(unseen));
    page.ahead = Promise.resolve(before);
  }
  await stage.show(batch);
  if (stage.batch === batch) page.choose(batch.cards[0]);
}

/** The page of the document alone says why, unless the server does not respond: then this page stays. @param {CardsPage} page @param {string} documentId */
async function didNotCome(page, documentId) {
  const { document_url: address, account } = page.data;
  const headers = { "X-Account": encodeURIComponent(account) };
  const answer = await getJson(address + encodeURIComponent(documentId), headers).catch(() => null);
  if (answer) return location.assign(page.wantedOf(documentId).alone);
  panel.say("The server does not respond, and the document could not be loaded");
  if (!page.stage.current) void page.next(null);
}
