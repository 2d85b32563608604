/** A file with the judgments that could not be sent, to be carried to another machine and taken in there. */
import { gettext, ngettext } from "../messages.js";

const FORM = "workbench unsent judgments, form 2";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Hands the unsent judgments to the browser as a file. They stay in the outbox. @param {Outbox} outbox */
export function downloadUnsent(outbox) {
  const { campaign, account } = outbox.owner;
  const made = new Date().toISOString();
  const entries = outbox.entries().map(({ uuid, judgment, after }) => ({ uuid, judgment, after }));
  const text = JSON.stringify({ form: FORM, campaign, account, made, entries }, null, 1);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = `unsent-${inFileName(campaign)}-${inFileName(account)}-${made.slice(0, 10)}.json`;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads the address a little later than the click returns.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Imports such a file, once or more often; resolves with a sentence on what happened. @returns {Promise<string>} */
export async function importUnsent(/** @type {Outbox} */ outbox, /** @type {File} */ file) {
  const { campaign, account } = outbox.owner;
  const content = contentOf(await file.text().catch(() => ""));
  if (content === null)
    return gettext("%(file)s is damaged or is not a file of unsent judgments. Nothing was imported.", { file: file.name });
  if (content.form !== FORM)
    return gettext("%(file)s was written by another version of the workbench. Nothing was imported.", { file: file.name });
  if (content.account !== account)
    return gettext("%(file)s holds judgments of %(owner)s, but you are signed in as %(account)s. Nothing was imported.", {
      file: file.name,
      owner: content.account,
      account,
    });
  if (content.campaign !== campaign)
    return gettext("%(file)s belongs to the campaign %(theirs)s, but this is %(campaign)s. Nothing was imported.", {
      file: file.name,
      theirs: content.campaign,
      campaign,
    });
  const count = await outbox.take(content.entries);
  const known = content.entries.length - count;
  const rest = known
    ? ` ${ngettext("%(num)s judgment in the file was already known.", "%(num)s judgments in the file were already known.", known)}`
    : "";
  return ngettext("%(num)s judgment imported.", "%(num)s judgments imported.", count) + rest;
}

/**
 * What a file says, if it is whole; of an unknown form only its name is looked at.
 * @param {string} text @returns {{form: string, campaign: string, account: string, entries: Entry[]} | null}
 */
function contentOf(text) {
  let content;
  try {
    content = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof content?.form !== "string" || !content.form.startsWith("workbench unsent judgments")) return null;
  const isWhole = content.form !== FORM || (Array.isArray(content.entries) && content.entries.every(isEntry));
  return isWhole ? content : null;
}

function isEntry(/** @type {any} */ entry) {
  const { uuid, judgment, after } = entry ?? {};
  const isNamed = UUID.test(uuid) && judgment?.uuid === uuid && (after === null || UUID.test(after));
  return isNamed && typeof judgment.topic_id === "string" && typeof judgment.document_id === "string";
}

function inFileName(/** @type {string} */ name) {
  return name.replace(/[^\p{L}\p{N}._-]+/gu, "-");
}
