"""Comparing: two to five runs topic by topic, all pairs of runs, two leaderboards, and how many topics it takes."""

from __future__ import annotations

from flask import Blueprint, g, render_template

from workbench.campaign import runs
from workbench.web.access import allow_in_campaign

blueprint = Blueprint("compare", __name__)


@blueprint.get("/c/<campaign>/compare")
@allow_in_campaign("organiser")
def page(campaign: str) -> str:
    """Two to five runs, topic by topic."""
    tags = [run.record.tag for run in runs.all_runs(g.campaign)]
    return render_template("compare/page.html", tags=tags, name=campaign)
