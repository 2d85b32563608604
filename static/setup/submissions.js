/** Times are in UTC, which is what counts; the time in the zone of this browser is shown beside it. */
import { moment } from "../elements.js";

for (const time of document.querySelectorAll("time[datetime]")) {
  const at = new Date(/** @type {HTMLTimeElement} */ (time).dateTime);
  if (!Number.isNaN(at.valueOf())) time.append(` (${moment(at)}, your time)`);
}
