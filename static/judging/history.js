/** Times on the page in the zone of this browser; without this script they are in UTC. */
import { moment } from "../elements.js";

for (const time of document.querySelectorAll("time[datetime]")) {
  const at = new Date(/** @type {HTMLTimeElement} */ (time).dateTime);
  if (!Number.isNaN(at.valueOf())) time.textContent = moment(at);
}
