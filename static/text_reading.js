/** Shows how far the reading of texts is, and the page anew once it has ended. */
import { getJson } from "./session.js";

const PAUSE = 1_000;

/** @param {HTMLElement} place @param {HTMLProgressElement} bar */
async function follow(place, bar) {
  try {
    const { status, body } = await getJson(place.dataset.address ?? "");
    if (status === 200 && body.read === null) return location.reload();
    if (status === 200) [bar.max, bar.value] = [Math.max(body.total, 1), body.read];
  } catch {
    // No answer says nothing about the reading.
  }
  setTimeout(() => void follow(place, bar), PAUSE);
}

const place = document.querySelector(".reading-texts");
const bar = place?.querySelector("progress");
if (place instanceof HTMLElement && bar) void follow(place, bar);
