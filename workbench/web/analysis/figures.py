"""The figures of a campaign as files."""

from __future__ import annotations

from flask import Response, abort, g, make_response, request

from workbench.analysis.figures import draw, drawing_takes_long
from workbench.core.errors import REFUSED
from workbench.methods.charts import FORMATS, Chart
from workbench.web.access.rules import BOARD_READERS, Pages
from workbench.web.requests.answers import refusal
from workbench.web.requests.long_work import drawn
from workbench.web.scoring.over_questions import QUESTION

blueprint = Pages("figures", __name__)

OF_THE_BOARD = frozenset({"leaderboard", "ranking-stability"})
"""Figures that are on the board, so that observers see them too."""

SHOWN_IN_PLACE = ("json", "svg")


@blueprint.get("/c/<campaign>/figures/<name>.<ending>", allow=BOARD_READERS)
def file(campaign: str, name: str, ending: str) -> Response:
    """A figure in one of the formats, with its parameters in the query; 422 where it cannot be drawn."""
    if g.role != "organiser" and name not in OF_THE_BOARD:
        abort(403)
    if ending not in FORMATS:
        abort(404)
    try:
        asked = request.args.to_dict(flat=False)
        asked.pop(QUESTION, None)  # the campaign is seen by it
        if drawing_takes_long(g.campaign, name, asked):
            message = "this figure takes longer to compute: open its page, where a job computes it first"
            return refusal(422, "cannot be drawn yet", message)
        chart = draw(g.campaign, name, asked)
    except REFUSED as error:
        return refusal(422, "cannot be drawn", str(error))
    return answer(chart, ending)


def answer(chart: Chart, ending: str) -> Response:
    """A figure of the campaign in one of the formats; 404 where there is none of this ending."""
    if ending not in FORMATS:
        abort(404)
    as_file = FORMATS[ending]
    response = make_response(drawn(as_file.write, chart) if as_file.is_drawn else as_file.write(chart))
    response.headers["Content-Type"] = as_file.media_type
    response.headers.set(
        "Content-Disposition",
        "inline" if ending in SHOWN_IN_PLACE else "attachment",
        filename=f"{g.campaign.name}.{chart.name}.{ending}",
    )
    return response
