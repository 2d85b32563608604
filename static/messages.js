/**
 * What scripts say, in the language of the page: a message is its English text, and its key. A page of another language loads
 * the catalogue as a script of its own before all others (workbench/web/requests/catalogues.py). A message has places, `%(name)s`,
 * which values fill, and a percent sign is written twice. Numbers are written as the language has them, with the digits 0 to 9.
 */

/** @typedef {Record<string, unknown>} Values */

const { language, messages } = globalThis.workbenchMessages ?? { language: "en", messages: {} };

/** The language for Intl: its digits are those of the tables, ids and keys beside them. */
export const LOCALE = `${language}-u-nu-latn`;
export const ENGLISH = "en-u-nu-latn";
const plurals = new Intl.PluralRules(LOCALE);
const numbers = new Intl.NumberFormat(LOCALE);

/** @param {number} value @returns {string} 1,480 */
export const number = (value) => numbers.format(value);

/** @param {string} message in English @param {Values} [values] @returns {string} */
export function gettext(message, values) {
  const found = messages[message];
  return filled(typeof found === "string" ? found : message, values ?? {});
}

/** The same with the plural form for a number, which fills `%(num)s`. @param {string} one @param {string} many @param {number} count @param {Values} [values] */
export function ngettext(one, many, count, values) {
  const found = messages[one];
  const english = count === 1 ? one : many;
  const form = typeof found === "object" ? (found[plurals.select(count)] ?? found.other ?? english) : english;
  return filled(form, { num: count, ...values });
}

/** Marks a message that is translated where it is shown. @param {string} message */
export const translatable = (message) => message;

/** A translated message with elements at places that nothing filled yet. @param {string} message @param {Record<string, Node>} nodes @returns {(string | Node)[]} */
export function withNodes(message, nodes) {
  return message
    .split(/%\((\w+)\)s/)
    .map((part, index) => (index % 2 ? (nodes[part] ?? "") : part))
    .filter((part) => part !== "");
}

function filled(/** @type {string} */ text, /** @type {Values} */ values) {
  return text.replace(/%\((\w+)\)s|%%/g, (place, /** @type {string | undefined} */ name) => {
    if (name === undefined) return "%";
    const value = values[name];
    return value === undefined ? place : typeof value === "number" ? number(value) : String(value);
  });
}
