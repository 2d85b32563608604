"""What the scores of runs cost, and how recent what they find is, for the organisers."""

from __future__ import annotations

from flask import g

from workbench.analysis.battles.board import measures_of
from workbench.analysis.costs.declared import COSTS, CostsOfRuns, for_people
from workbench.analysis.costs.declared import sentences as about_costs
from workbench.analysis.costs.freshness import FRESHNESS, Freshnesses, TeamDelay, sentences
from workbench.core.run_costs import COST_FIELDS
from workbench.formats.tables.sheets import sheet_of
from workbench.web.access.rules import Pages
from workbench.web.analysis.result_pages import ResultRequest, result_page

blueprint = Pages("costs", __name__)


@result_page(blueprint, COSTS, "/costs")
def page(found: CostsOfRuns, asked: ResultRequest) -> str:
    """The runs by `?measure=` and `?cost=`, with the front."""
    return asked.page(
        "analysis/costs/page.html",
        found,
        sentences=about_costs(found),
        table=asked.table(for_people(found), "run"),
        fields={name: COST_FIELDS[name] for name in found.known},
        measures=dict.fromkeys([*measures_of(g.campaign), asked.values["measure"]]),
        drawn=any(each.cost is not None for each in found.runs),
    )


@result_page(blueprint, FRESHNESS, "/freshness")
def recent(found: Freshnesses, asked: ResultRequest) -> str:
    """The share of recent documents by run, and how soon teams found new ones."""
    return asked.page(
        "analysis/costs/freshness.html",
        found,
        sentences=sentences(found),
        table=asked.table(FRESHNESS.sheet(found), "run"),
        teams=sheet_of(TeamDelay, found.teams),
    )
