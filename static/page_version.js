/**
 * The edition of the server: which version of it made this page, and which one answers now. After an update the page says that it is of an
 * earlier version. It is reloaded by its reader's press, while it is hidden, or at a moment that the page itself knows to be safe; never
 * twice for one edition, since a page that two versions answer by turns would not come to rest.
 */
import { gettext } from "./messages.js";
import { element, meta, pageLanguage } from "./elements.js";

const OPENED = meta("edition");
const TRIED = "workbench:edition";
/** Milliseconds after which a page counts as unattended. */
const UNTOUCHED = 60_000;

/** What a request says of the page that sends it. @type {Record<string, string>} */
export const FORM = OPENED
  ? { "X-Workbench-Form": meta("form"), "X-Workbench-Edition": OPENED, "X-Workbench-Language": pageLanguage() }
  : {};

/** The edition that answered last, if it is another one than the page's. */
let newest = "";

let page = /** @type {{mayLeave: () => boolean, leave: () => void, when: string} | null} */ (null);

export function heard(/** @type {Headers} */ headers) {
  const edition = headers.get("X-Workbench-Edition");
  if (!edition || !OPENED || edition === OPENED || edition === newest) return;
  const isNews = !newest;
  newest = edition;
  if (isNews) tell();
}

/**
 * When this page may be reloaded; without it a page may go while nothing was typed into it and it is unattended.
 * @param {() => boolean} mayLeave @param {() => void} leave reloads the page @param {string} [when] as text
 */
export function watchOver(mayLeave, leave, when = "") {
  page = { mayLeave, leave, when };
}

/** Reloads the page if it is of an earlier version, has not tried to for this edition, and loses nothing. */
export function renew() {
  if (!newest || !page?.mayLeave() || triedFor(newest)) return;
  page.leave();
}

/** Whether reloading was tried for this edition; from now on it was. @param {string} edition */
function triedFor(edition) {
  try {
    if (sessionStorage.getItem(TRIED) === edition) return true;
    sessionStorage.setItem(TRIED, edition);
    return false;
  } catch {
    return true; // without a memory it would be tried for ever
  }
}

let isTyped = false;
let touchedAt = Date.now();
addEventListener("input", () => (isTyped = true), { capture: true });
for (const kind of ["keydown", "pointerdown", "wheel"]) {
  addEventListener(kind, () => (touchedAt = Date.now()), { capture: true, passive: true });
}
document.addEventListener("visibilitychange", () => document.hidden && renew());

/** A page that is only read, on a wall perhaps: it goes when it was not touched for a while. */
function watchUntouched() {
  const isLeft = () => document.hidden || Date.now() - touchedAt > UNTOUCHED;
  watchOver(
    () => !isTyped && isLeft(),
    () => location.reload(),
  );
  setInterval(renew, UNTOUCHED / 4);
}

function tell() {
  if (!page) watchUntouched();
  const leave = page?.leave ?? (() => location.reload());
  const button = element("button", { type: "button", class: "small" }, gettext("Reload"));
  button.addEventListener("click", () => leave());
  const words = `${gettext("The server was updated while this page was open.")} ${page?.when ?? ""} `;
  const line = element("p", { class: "alert", id: "newer", role: "status" }, words, button);
  (document.querySelector(".alerts") ?? document.querySelector("main"))?.prepend(line);
  if (document.hidden) renew();
}
