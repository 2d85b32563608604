"""Runs: what came in, what each brought to the pool, and taking one out of the campaign or back into it."""

from __future__ import annotations

from flask import Blueprint, g, render_template

from workbench.campaign import pools, runs
from workbench.web.access import allow_in_campaign

blueprint = Blueprint("runs", __name__)


@blueprint.get("/c/<campaign>/runs")
@allow_in_campaign("organiser")
def page(campaign: str) -> str:
    """The runs as they were submitted, and the pools that drew on each."""
    made = pools.all_pools(g.campaign)
    found = runs.all_runs(g.campaign)
    drawn_on = {
        run.record.tag: [pool.pool for pool in made if run.record.tag in pool.record.runs] for run in found
    }
    return render_template("runs/page.html", runs=found, drawn_on=drawn_on, name=campaign)
