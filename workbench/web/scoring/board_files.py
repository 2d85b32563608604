"""The leaderboard as it is shown, to be taken along: as CSV, as LaTeX, and as a page for print."""

from __future__ import annotations

from flask import Blueprint, Response, g, render_template

from workbench.campaign.rounds import require_one_round
from workbench.scoring.board.rendering import RENDERINGS
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import BOARD_READERS, allow_in_campaign
from workbench.web.scoring import board_rows
from workbench.web.scoring.board import board_shown, known_request, scores_of, sorted_rows
from workbench.web.scoring.board_request import read_shown

blueprint = Blueprint("board_files", __name__)


@blueprint.get("/c/<campaign>/board.csv")
@allow_in_campaign(*BOARD_READERS)
def csv(campaign: str) -> Response:
    """The rows that the board of the same address shows, as CSV with all digits."""
    return _text("csv", "text/csv")


@blueprint.get("/c/<campaign>/board.tex")
@allow_in_campaign(*BOARD_READERS)
def latex(campaign: str) -> Response:
    """The same as a LaTeX tabular."""
    return _text("latex", "text/plain")


@blueprint.get("/c/<campaign>/board/print")
@allow_in_campaign(*BOARD_READERS)
def printed(campaign: str) -> str:
    """The same as a page without controls, in numbers, for print."""
    query, _ = known_request()
    board, shown = board_shown(query), read_shown()
    return render_template(
        "scoring/board/print.html",
        board=board,
        rows=shown.of(sorted_rows(board)[0]),
        judged=board_rows.judged_columns(board.columns),
        settings=settings.read(g.campaign.at(query.row)),
        name=campaign,
    )


def _text(form: str, mimetype: str) -> Response:
    query, _ = known_request()
    if form == "latex" and query.part is None:
        require_one_round(g.campaign.at(query.as_of), "A LaTeX table")
    table = scores_of(query).table
    shown = read_shown().of(sorted_rows(board_shown(query))[0])
    by_tag = {row.tag: row for row in table.rows}
    rows = tuple(by_tag[row.run] for _, row in shown if row.run in by_tag)
    return Response("".join(RENDERINGS[form](table._replace(rows=rows))), mimetype=mimetype)
