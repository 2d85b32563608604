/** Times are in UTC, which is what counts; the time in the zone of this browser is shown beside it. */
import { moment } from "../elements.js";
import { gettext } from "../messages.js";

for (const time of document.querySelectorAll("time[datetime]")) {
  const at = new Date(/** @type {HTMLTimeElement} */ (time).dateTime);
  if (Number.isNaN(at.valueOf())) continue;
  const words = gettext("(%(when)s, your time)", { when: moment(at) });
  time.append(" ", words);
}
