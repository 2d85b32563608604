"""One team's sheet of results, for its organisers and for the team itself: a job draws it."""

from __future__ import annotations

from flask import abort, g
from flask.typing import ResponseReturnValue

from workbench.core.errors import NotThere
from workbench.jobs.processes import Work
from workbench.release.archive_jobs import draw_sheet
from workbench.release.team_sheets.sheets import sheets_of
from workbench.storage.campaign.log.log import head
from workbench.web.release.file_jobs import kept_file, made_file


def team_sheet(team: str, kind: str, as_of: int | None, *, for_team: bool = False) -> ResponseReturnValue:
    """An answer with the sheet, now or as of a row of the log; 404 where no run of the team takes part.

    The team itself gets it as of now, or what was drawn for the team before.
    """
    what = "sheet", team, kind, for_team
    if (kept := kept_file(what, head(g.campaign.at(as_of)))) is not None:
        return kept
    as_of = None if for_team else as_of
    try:
        (sheet,) = sheets_of(g.campaign.at(as_of), teams=[team])
    except NotThere as error:
        abort(404, "No run of your team takes part." if for_team else str(error))
    return made_file(
        f"Team sheet: {sheet.name}, {kind.upper()}",
        what,
        sheet.head,
        lambda target: Work(draw_sheet, (target, sheet, kind)),
        as_of=as_of,
    )
