"""The figures of a campaign as files, and what a browser needs to draw them."""

from __future__ import annotations

import contextlib
from functools import cache
from pathlib import Path
from threading import Lock

from flask import Response, abort, current_app, g, make_response, request

from workbench.analysis.figures import draw, drawing_takes_long
from workbench.core.errors import REFUSED, InputError
from workbench.formats.text.writing import write_atomically
from workbench.methods.charts import FORMATS, Chart, browser_script, drawing_version
from workbench.web.access.rules import BOARD_READERS, PUBLIC, Pages
from workbench.web.requests.answers import refusal
from workbench.web.requests.long_work import drawn, slow_at_first
from workbench.web.scoring.over_questions import QUESTION

blueprint = Pages("figures", __name__)

A_YEAR = 365 * 24 * 3600
_making = Lock()
OF_THE_BOARD = frozenset({"leaderboard", "ranking-stability"})
"""Figures that are on the board, so that observers see them too."""

SHOWN_IN_PLACE = ("json", "svg")


@blueprint.app_template_global("drawing_version")
@cache
def _drawing_version() -> str:
    return drawing_version()


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


@blueprint.get("/figures/runtime.js", allow=PUBLIC)
@slow_at_first
def runtime() -> Response:
    """Vega, Vega-Lite and Vega-Embed as one script from this machine; pages ask for it with the version as `?v=`."""
    response = make_response(_script(Path(current_app.instance_path)))
    response.headers["Content-Type"] = "text/javascript; charset=utf-8"
    response.headers["Cache-Control"] = f"public, max-age={A_YEAR}, immutable"
    return response


def _script(instance: Path) -> bytes:
    """The script from the instance folder, made with the first request; where nothing can be written, from memory."""
    kept = instance / f"drawing-{_drawing_version()}.js"
    in_memory = current_app.extensions.setdefault("workbench_drawing", {})
    with _making:  # it takes seconds, and is asked for by several figures of a page at once
        with contextlib.suppress(OSError):
            return kept.read_bytes()
        if kept not in in_memory:
            script = drawn(browser_script)
            try:
                write_atomically(kept, [script])
            except (InputError, OSError):
                in_memory[kept] = script.encode()
            else:
                return script.encode()
    return bytes(in_memory[kept])
