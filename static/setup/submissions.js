/** Times are in UTC, which is what counts; the time in the zone of this browser is shown beside it. */
const shown = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

for (const time of document.querySelectorAll("time[data-local]")) {
  const moment = new Date(time.getAttribute("datetime") ?? "");
  if (!Number.isNaN(moment.getTime())) time.append(` (${shown.format(moment)} your time)`);
}
