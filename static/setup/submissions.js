/** Times stand in UTC, since that is what counts; beside it stands the time in the zone of this browser. */
const shown = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

for (const time of document.querySelectorAll("time[data-local]")) {
  const moment = new Date(time.getAttribute("datetime") ?? "");
  if (!Number.isNaN(moment.getTime())) time.append(` (${shown.format(moment)} your time)`);
}
