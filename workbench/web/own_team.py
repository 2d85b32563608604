"""What a participant sees: the runs of their own team, and the scores of these once the organisers open them."""

from __future__ import annotations

from flask import Blueprint, g, render_template

from workbench.campaign import members, runs, settings
from workbench.web.access import allow_in_campaign

blueprint = Blueprint("own_team", __name__)


@blueprint.get("/c/<campaign>/own-runs")
@allow_in_campaign("participant")
def page(campaign: str) -> str:
    """The runs of the participant's team as they came in, in the order they were added."""
    team = members.team_of(g.campaign, g.account)
    found = [run for run in runs.all_runs(g.campaign) if team and run.record.team == team]
    return render_template(
        "own_team/page.html", settings=settings.read(g.campaign), team=team, runs=found, name=campaign
    )
