/**
 * The outbox as earlier versions kept it, one entry a key of localStorage: read once, and moved to the database.
 *
 * A key is "workbench:outbox:CAMPAIGN:ACCOUNT:ORDER:UUID", campaign and account as in an address.
 */
const PREFIX = "workbench:outbox:";

/** @returns {string[]} in ascending order, the oldest entry of an owner first */
function keys() {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).sort();
  } catch {
    return [];
  }
}

/** @param {string} key @returns {import("./outbox.js").Entry | null} null for what is no entry */
function entryAt(key) {
  try {
    const [campaign, account, order] = key.slice(PREFIX.length).split(":").map(decodeURIComponent);
    const { uuid, judgment, after, refused } = JSON.parse(localStorage.getItem(key) ?? "");
    if (!uuid || !judgment) return null;
    return { campaign, account, uuid, judgment, after, refused, order: Number(order) || 0, log: null };
  } catch {
    return null;
  }
}

/** The entries of all campaigns and accounts. @returns {import("./outbox.js").Entry[]} */
export function earlierEntries() {
  return keys().flatMap((key) => entryAt(key) ?? []);
}

/** Removes what has another place by now, or none. @param {Set<string>} uuids */
export function forgetEarlier(uuids) {
  for (const key of keys()) {
    if (uuids.has(entryAt(key)?.uuid ?? "")) localStorage.removeItem(key);
  }
}
