"""The topics of a campaign: how hard each is, and what is found and missed in it."""

from __future__ import annotations

from flask import Blueprint, g, render_template

from workbench.campaign import settings, topics
from workbench.web.access import allow_in_campaign

blueprint = Blueprint("topics", __name__)


@blueprint.get("/c/<campaign>/topics")
@allow_in_campaign("organiser")
def page(campaign: str) -> str:
    """All topics with their counts and their scores over all runs."""
    return render_template(
        "topics/page.html", settings=settings.read(g.campaign), rows=topics.all_topics(g.campaign)
    )
