/**
 * Requests to the server in the name of the account that opened the page. The CSRF token may expire while a page stays open: a refused
 * token is fetched again and the request sent again.
 */

import { gettext } from "./messages.js";
import { meta } from "./elements.js";
import { FORM, heard } from "./page_version.js";

const TIMEOUT = 20_000;

/** A header for what a page asks for by itself, again and again: it keeps no session alive. */
export const BACKGROUND = { "X-Background": "yes" };

let token = meta("csrf-token");

/**
 * An answer whose body breaks off, because its server was stopped, is none: this throws, and what was sent is kept.
 * @param {Response} response @returns {Promise<Answer>}
 */
async function answerOf(response) {
  heard(response.headers);
  const isJson = (response.headers.get("Content-Type") ?? "").startsWith("application/json");
  const body = await (isJson ? response.json() : response.text());
  return { status: response.status, body, headers: response.headers };
}

/** GET; throws only when no whole answer came. @param {string} url @param {Record<string, string>} [headers] @returns {Promise<Answer>} */
export async function getJson(url, headers = {}) {
  const options = { headers: { Accept: "application/json", ...headers }, signal: AbortSignal.timeout(TIMEOUT) };
  return answerOf(await fetch(url, options));
}

/**
 * GET of what a page follows, by the tag of what it has: the answer if it is another, and a sentence that says why there is none.
 * @param {string} url @param {string} etag "" for nothing yet @returns {Promise<{news: any, etag: string, problem: string}>}
 */
export async function getNews(url, etag) {
  const { status, body, headers } = await getJson(url, { ...BACKGROUND, ...(etag && { "If-None-Match": etag }) });
  if (status === 200) return { news: body, etag: headers.get("ETag") ?? "", problem: "" };
  const words =
    status === 401
      ? gettext("You are signed out: reload the page to sign in.")
      : body.message || gettext("The server answered with %(status)s.", { status: String(status) });
  return { news: null, etag, problem: status === 304 ? "" : words };
}

/** As JSON, or as a form what has the fields of one. @returns {Promise<Answer>} */
async function send(/** @type {string} */ url, /** @type {object | URLSearchParams} */ body, /** @type {string} */ account) {
  const isForm = body instanceof URLSearchParams;
  const response = await fetch(url, {
    method: "POST",
    headers: {
      Accept: "application/json",
      ...(!isForm && { "Content-Type": "application/json" }),
      "X-CSRFToken": token,
      "X-Account": encodeURIComponent(account),
      ...FORM,
    },
    body: isForm ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT),
  });
  return answerOf(response);
}

/**
 * Who is signed in now: 200 with `account`, or 401; in both cases `way` and `address` say how one signs in here, and `csrf_token` is for a
 * form. Throws only when no whole answer came. @returns {Promise<Answer>}
 */
export function sessionState() {
  return getJson(meta("session-url"));
}

/** Sends a form as a page of its own would, and takes over the token of the session that it begins. @returns {Promise<Answer>} */
export async function postForm(/** @type {string} */ url, /** @type {Record<string, string>} */ fields) {
  const options = {
    method: "POST",
    headers: { Accept: "application/json" },
    body: new URLSearchParams(fields),
    signal: AbortSignal.timeout(TIMEOUT),
  };
  const answer = await answerOf(await fetch(url, options));
  if (answer.status === 200 && answer.body.csrf_token) token = answer.body.csrf_token;
  return answer;
}

/**
 * POST in the name of `account`; throws only when no whole answer came. A status of 401 means: sign in (again) first.
 * @param {string} url @param {object} body @param {string} account @returns {Promise<Answer>}
 */
export async function postJson(url, body, account) {
  const answer = await send(url, body, account);
  if (answer.status !== 400 || answer.body.reason !== "csrf") return answer;
  const { status, body: state } = await sessionState();
  if (status !== 200 || state.account !== account) return { ...answer, status: 401 }; // another account, or none, is signed in now
  token = state.csrf_token;
  return send(url, body, account);
}

/** A random version 4 UUID, also where the browser withholds crypto.randomUUID (plain HTTP on a network name). */
export function uuid4() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
