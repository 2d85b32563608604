/** Making elements without strings of HTML: text from the server only ever becomes text nodes. */
import { ENGLISH, LOCALE, ngettext, number } from "./messages.js";

/**
 * @template {string} Tag @param {Tag} tag @param {...(Node | string)} children
 * @param {Record<string, string | boolean | undefined>} [attributes] true sets an empty one, false and undefined none
 * @returns {Tag extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Tag] : HTMLElement}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (typeof value === "string") made.setAttribute(name, value);
  }
  made.append(...children);
  return /** @type {any} */ (made);
}

/** @param {string} tag @param {Record<string, string>} attributes @param {...Element} children @returns {SVGElement} */
export function drawn(tag, attributes, ...children) {
  const made = /** @type {SVGElement} */ (document.createElementNS("http://www.w3.org/2000/svg", tag));
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** @param {string} id @returns {any} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element #${id}`);
  return found;
}

/** Shows or hides an element; one that is so already is not touched, and nothing is laid out again. @param {HTMLElement} place @param {boolean} isHidden */
export function hide(place, isHidden) {
  if (place.hidden !== isHidden) place.hidden = isHidden;
}

/** Writes a text, if it is another one: what is read out is said once, and nothing is laid out again. @param {Element | null} place @param {string} text */
export function write(place, text) {
  if (place && place.textContent !== text) place.textContent = text;
}

/** Sets an attribute, if it has another value. @param {Element} place @param {string} name @param {string} value */
export function setAttribute(place, name, value) {
  if (place.getAttribute(name) !== value) place.setAttribute(name, value);
}

export function meta(/** @type {string} */ name) {
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute("content") ?? "";
}

/** The language that this page is in: what it keeps, and what it asks for, is in the same one. */
export const pageLanguage = () => document.documentElement.lang || "en";

/** @returns {any} */
export function pageData() {
  return JSON.parse(byId("page-data").textContent ?? "");
}

/** Words of the server as a sentence: a capital letter first, and a full stop at the end. @param {string} words */
export function sentence(words) {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}${/[.?]$/.test(words) ? "" : "."}`;
}

/** @type {Intl.DateTimeFormatOptions} */
const PARTS = {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZoneName: "short",
};
const ofTime = new Intl.DateTimeFormat("en-US", PARTS);
const elsewhere = new Intl.DateTimeFormat(LOCALE, PARTS);

/** "6 Mar 2026, 18:05 GMT+1": a time in the zone of this browser, written as the server writes it in UTC. @param {Date} at */
export function moment(at) {
  if (LOCALE !== ENGLISH) return elsewhere.format(at);
  const part = Object.fromEntries(ofTime.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${part.day} ${part.month} ${part.year}, ${part.hour}:${part.minute} ${part.timeZoneName}`;
}

/** What the pages of assessors and participants count. @type {Record<string, (count: number) => string>} */
const COUNTED = {
  document: (count) => ngettext("%(num)s document", "%(num)s documents", count),
  judgment: (count) => ngettext("%(num)s judgment", "%(num)s judgments", count),
  minute: (count) => ngettext("%(num)s minute", "%(num)s minutes", count),
  notice: (count) => ngettext("%(num)s notice", "%(num)s notices", count),
  topic: (count) => ngettext("%(num)s topic", "%(num)s topics", count),
};

/** "1 document", "2 documents", "1,480 documents"; nouns of other pages are English. @param {number} count @param {string} noun */
export function counted(count, noun) {
  return COUNTED[noun]?.(count) ?? `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
}
