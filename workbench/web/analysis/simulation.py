"""Simulations for the organiser: which strategies find what with which budget, on the campaign's judgments so far."""

from __future__ import annotations

from flask import g, request

from workbench.analysis.simulating.campaigns import SIMULATION, CampaignSimulation, names_of
from workbench.analysis.simulating.selection import usual_strategies
from workbench.analysis.simulating.sheets import rows_sheet
from workbench.formats.tables.sheets import printed_rows
from workbench.methods.pooling import STRATEGIES
from workbench.storage.campaign.grades import rows_over_time
from workbench.web.access.rules import Pages
from workbench.web.analysis.result_pages import ResultRequest, result_page
from workbench.web.requests import campaign_jobs
from workbench.web.setup.strategy_fields import fields_of

blueprint = Pages("simulation", __name__)
blueprint.app_template_filter("printed_sheet")(printed_rows)


@result_page(blueprint, SIMULATION, "/simulation")
def page(found: CampaignSimulation | None, asked: ResultRequest) -> str:
    """The form, and what came of the simulation that is asked for, else of the newest."""
    values = asked.values
    if asked.problem:  # the form keeps what was typed into it
        values = values | request.args.to_dict() | {"strategy": request.args.getlist("strategy")}
    names, usual = names_of(values["strategy"]), usual_strategies()
    return asked.page(
        "analysis/simulation/page.html",
        found,
        names=names,
        others="; ".join(name for name in names if name not in usual),
        fields=fields_of(SIMULATION, values)[1:],
        strategies=[STRATEGIES[name] for name in usual],
        rows=None if found is None else rows_sheet(found.found.rows),
        judged=rows_over_time.first_judgment(g.campaign) is not None,
        jobs=campaign_jobs.listed(SIMULATION.name),
    )
