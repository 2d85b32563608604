/** Decisions of adjudication among the judgments that are on their way: each goes where its form says, under its own uuid. */
import { postJson } from "../session.js";

/** @param {Record<string, any>} judgment @param {string} account @returns {Promise<Answer>} as for a judgment; `stored.next` is the address that it leads to */
export async function postDecision(judgment, account) {
  const { uuid, log, decision } = judgment;
  const answer = await postJson(decision.url, new URLSearchParams({ ...decision.fields, uuid, log }), account);
  const { next, seq, repeated } = answer.body;
  return next ? { ...answer, body: { stored: { ...judgment, next, seq }, repeated } } : answer;
}
