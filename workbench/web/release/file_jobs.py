"""Files that a job makes of a campaign as of a row of its log: once for all who want the same, and kept for a while."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

from flask import Response, abort, g, redirect, request, send_file, url_for
from flask.typing import ResponseReturnValue

from workbench.core.errors import NotThere
from workbench.core.wording import sized
from workbench.jobs.processes import Outcome, Work
from workbench.release.archive_jobs import draft_of, draw_sheet
from workbench.release.team_sheets.rendering import SHEET_FORMATS
from workbench.release.team_sheets.sheets import sheets_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection.rounds import taking_part, with_teams_of_now
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.erasable import names_version
from workbench.storage.campaign.log.log import Head
from workbench.web.requests import campaign_jobs
from workbench.web.requests.file_cache import file_cache
from workbench.web.requests.form_values import requested_row, seen_campaign

KIND = "release"
"""The kind of these jobs."""

What = tuple[object, ...]
"""What tells a file from others of the same campaign and row."""


def kept_file(what: What, head: Head) -> Response | None:
    """The answer with a file that was made before; None where none is kept."""
    found = file_cache().opened(_key(what, head))
    if found is None:
        return None
    stream, name = found
    return send_file(stream, as_attachment=True, download_name=name)


def made_file(
    name: str, what: What, head: Head, work: Callable[[Path], Work], *, as_of: int | None
) -> ResponseReturnValue:
    """An answer with the file that a job makes, or the way to the job's page where that takes longer.

    `work` is what the job `name` does, from where the file is to lie; it gives the name that the file is saved under.
    `as_of` is the row that was requested. Others judge meanwhile: a second request for the newest shows what is being
    made, as of the row that was newest then.
    """
    files, key = file_cache(), _key(what, head)
    target = files.path(key)
    asked = urlencode({**request.args.to_dict(), "as_of": head.seq})
    address = f"{url_for(request.endpoint or '', campaign=g.campaign.name)}?{asked}"

    def outcome_of(name: str) -> Outcome:
        files.keep(key, target, name)
        said = f"{name}, {sized(target.stat().st_size)}, as of log row {head.seq:,}."
        return Outcome(said, address, "Download")

    def done(_: str) -> ResponseReturnValue:
        if (kept := kept_file(what, head)) is not None:
            return kept
        record = campaign_jobs.find(begun.id)  # it was begun at an earlier row
        return redirect(address if record is None else record.outcome.address, 303)

    begun = campaign_jobs.begin(
        name,
        KIND,
        work(target),
        key=(what, as_of),
        outcome_of=outcome_of,
        afterwards=partial(draft_of(target).unlink, missing_ok=True),
    )
    return campaign_jobs.answer(begun, done)


def requested_format() -> str:
    """The format of team sheets that `?format=` names, by default PDF; an answer 422 for another."""
    kind = request.args.get("format", "pdf")
    if kind not in SHEET_FORMATS:
        abort(422, f"Team sheets are available as {' or '.join(SHEET_FORMATS)}, not {kind!r}.")
    return kind


def requested_as_of() -> int | None:
    """The row of the log that `?as_of=` names, if it names one; an answer 422 where the log does not have it."""
    found = requested_row("as_of")
    return None if found is None else found.seq


def _key(what: What, head: Head) -> What:
    return str(g.campaign.path), head, names_version(g.campaign), what


def team_sheet(campaign: Campaign, team: str, kind: str, *, for_team: bool = False) -> ResponseReturnValue:
    """An answer with the sheet of a team in the campaign as it is seen; 404 where no run of the team takes part.

    The team itself gets it as of now, or the end of a round that is over, or what was drawn for the team before.
    """
    seen = seen_campaign() if for_team else campaign
    stored = with_teams_of_now(seen, taking_part(seen))
    of_team = tuple(run.run for run in stored if run.record.team == team)
    what = "sheet", team, kind, for_team, seen.view, of_team
    if (kept := kept_file(what, log.head(campaign))) is not None:
        return kept
    try:
        (sheet,) = sheets_of(seen, teams=[team])
    except NotThere as error:
        abort(404, "No run of your team takes part." if for_team else str(error))
    return made_file(
        f"Team sheet: {sheet.name}, {kind.upper()}",
        what,
        sheet.head,
        lambda target: Work(draw_sheet, (target, sheet, kind)),
        as_of=seen.as_of,
    )
