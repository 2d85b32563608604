/** Times on the page as the reader's own clock and language have them; without this they are in UTC. */
const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

for (const time of document.querySelectorAll("time[datetime]")) {
  const at = new Date(/** @type {HTMLTimeElement} */ (time).dateTime);
  if (!Number.isNaN(at.valueOf())) time.textContent = format.format(at);
}
