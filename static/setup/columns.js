/** Names of columns of the chosen files, offered in the fields that take such names. Without this script all are typed. */
import { byId, element } from "../elements.js";

const READ = 64 * 1024;
const MOST = 200;
const LONGEST = 100;
const RECORDS = 50;
const UNREADABLE = /[\p{Cc}\ufffd]/u;

/** The keys of the first JSON objects in a text: lines, one after another, or in an array. @param {string} text @returns {string[]} */
function keys(text) {
  const found = new Set();
  let depth = 0;
  let start = 0;
  let records = 0;
  for (const { 0: sign, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}]/gs)) {
    if (sign === "{" && depth++ === 0) start = index;
    if (sign !== "}" || depth === 0 || --depth > 0) continue;
    try {
      for (const key of Object.keys(JSON.parse(text.slice(start, index + 1)))) found.add(key);
    } catch {
      return [...found];
    }
    if (++records === RECORDS) break;
  }
  return [...found];
}

/** The cells of the first line of a table. @param {string} text @param {string} delimiter @returns {string[]} */
function cells(text, delimiter) {
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${delimiter}\\r\\n]*))(${delimiter}|\\r?\\n|$)`, "y");
  const found = [];
  for (let match = cell.exec(text); match; match = cell.exec(text)) {
    found.push((match[1]?.replaceAll('""', '"') ?? match[2]).trim());
    if (match[3] !== delimiter) break;
  }
  return found;
}

/** The names of columns at the beginning of a file of JSON or of a table; none of another file. @param {string} text @returns {string[]} */
export function columnsOf(text) {
  const plain = text.replace(/^\ufeff/, "");
  const [line] = plain.split(/\r?\n/, 1);
  const delimiter = ["\t", ",", ";"].sort((one, other) => line.split(other).length - line.split(one).length)[0];
  const isJson = /^\s*[[{]/.test(plain);
  const found = isJson ? keys(plain) : cells(plain, delimiter);
  const named = found.filter((name) => name && name.length <= LONGEST && !UNREADABLE.test(name));
  // The names of an index may be empty; what else is none is a line of data, or no table at all.
  const isHeader = found.length > 1 && named.length >= found.length - 1 && new Set(named).size === named.length;
  return isJson || isHeader ? named : [];
}

/** @param {Iterable<File>} files */
async function offer(files) {
  const names = new Set();
  for (const file of [...files].slice(0, 5)) {
    const bytes = await file.slice(0, READ).arrayBuffer();
    for (const name of columnsOf(new TextDecoder().decode(bytes))) names.add(name);
  }
  const options = [...names].slice(0, MOST).map((name) => element("option", { value: name }));
  byId("columns").replaceChildren(...options);
}

const input = /** @type {HTMLInputElement} */ (byId("files"));
input.addEventListener("change", () => void offer(input.files ?? []));
