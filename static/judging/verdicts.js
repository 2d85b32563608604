/** What an answer of the server means for an entry of the outbox. */
import { gettext } from "../messages.js";

/** What the server says it has stored has to be what was sent. */
export const SENT_BACK = ["uuid", "topic_id", "document_id", "kind", "grade", "text_hash"];

/** The judgment was made for a campaign that had the same name: for another log than that of the page, or of the server. */
export const ANOTHER_CAMPAIGN = "another campaign";

/** The entry, with the place in the log of what it replaces if that is known. @param {Entry} entry @param {Map<string, number>} seqs */
export function following(entry, seqs) {
  const replaces = entry.after ? seqs.get(entry.after) : undefined;
  return replaces === undefined ? entry : { ...entry, after: null, judgment: { ...entry.judgment, replaces } };
}

export const STORED_DIFFERENTLY = "stored differently";

/** The verdict on an entry that was answered with another judgment, which is in force if it is of the same document. @param {Entry} entry @param {any} stored */
export function storedDifferently({ judgment }, stored) {
  const isOfPair = stored.topic_id === judgment.topic_id && stored.document_id === judgment.document_id;
  return { reason: STORED_DIFFERENTLY, message: gettext("The server stored another judgment"), current: isOfPair ? stored : undefined };
}

const OTHER_VERSION = "other version";
const TOO_MANY = "too many in a minute";

/** Why an answer is no verdict on what was sent, in the words of the outbox; nothing where it is one. @param {Answer} answer */
export function troubleOf(answer) {
  if (answer.status === 401) return "signed out";
  if (answer.body.reason === OTHER_VERSION) return "outdated";
  if (answer.body.reason === TOO_MANY) return "saving"; // the same is taken a little later
  return isVerdict(answer) ? "" : "offline";
}

/** Whether an answer is our server's word on what was sent; not that of a proxy, nor a word on its own trouble. @param {Answer} answer */
function isVerdict({ status, body }) {
  return status >= 400 && status < 500 && status !== 408 && status !== 429 && Boolean(body.reason) && body.reason !== "csrf";
}

/** Whether what is in force is older than what was there to be replaced. @param {{seq: number} | null | undefined} current @param {number | null} replaces */
export function isOlder(current, replaces) {
  return current !== undefined && (current?.seq ?? 0) < (replaces ?? 0);
}
