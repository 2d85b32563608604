"""The figures of a campaign as files, and what a browser needs to draw them."""

from __future__ import annotations

from flask import Blueprint, Response, abort, g, make_response, request

from workbench.charts import FORMATS, browser_script
from workbench.errors import UnknownName
from workbench.figures import draw
from workbench.web.access import PUBLIC, allow, allow_in_campaign
from workbench.web.answers import refusal

blueprint = Blueprint("figures", __name__)

A_YEAR = 365 * 24 * 3600


@blueprint.get("/c/<campaign>/figures/<name>.<ending>")
@allow_in_campaign("organiser")
def file(campaign: str, name: str, ending: str) -> Response:
    """A figure in one of the formats, with its parameters in the query; 422 where it cannot be drawn."""
    if ending not in FORMATS:
        abort(404)
    try:
        chart = draw(g.campaign, name, request.args.to_dict(flat=False))
    except UnknownName as error:
        return refusal(422, "cannot be drawn", str(error))
    response = make_response(FORMATS[ending].write(chart))
    response.headers["Content-Type"] = f"{FORMATS[ending].media_type}; charset=utf-8"
    if ending not in ("json", "svg"):
        response.headers.set(
            "Content-Disposition", "attachment", filename=f"{campaign}.{chart.name}.{ending}"
        )
    return response


@blueprint.get("/figures/runtime.js")
@allow(PUBLIC)
def runtime() -> Response:
    """Vega, Vega-Lite and Vega-Embed as one script from this machine."""
    response = make_response(browser_script())
    response.headers["Content-Type"] = "text/javascript; charset=utf-8"
    response.headers["Cache-Control"] = f"public, max-age={A_YEAR}"
    return response
