"""The page of how recent what runs find is."""

from __future__ import annotations

from flask import render_template

from workbench.analysis.costs.freshness import FRESHNESS, Freshnesses, TeamDelay, sentences
from workbench.formats.tables.sheets import sheet_of
from workbench.web.access.rules import Pages
from workbench.web.analysis.result_pages import ResultRequest, result_page

blueprint = Pages("freshness", __name__)


@result_page(blueprint, FRESHNESS, "/freshness")
def page(found: Freshnesses, asked: ResultRequest) -> str:
    """The share of recent documents by run, and how soon teams found new ones."""
    return render_template(
        "analysis/costs/freshness.html",
        found=found,
        asked=asked,
        sentences=sentences(found),
        table=asked.table(FRESHNESS.sheet(found), "run"),
        teams=sheet_of(TeamDelay, found.teams),
    )
