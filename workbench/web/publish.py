"""What will be published: everything that can be taken away, and what a reader of it must know."""

from __future__ import annotations

from flask import Blueprint, g, render_template

from workbench.campaign import settings
from workbench.web.access import allow_in_campaign

blueprint = Blueprint("publish", __name__)


@blueprint.get("/c/<campaign>/publish")
@allow_in_campaign("organiser")
def page(campaign: str) -> str:
    """Everything that can be taken away, each with one sentence."""
    return render_template("publish/page.html", settings=settings.read(g.campaign), name=campaign)
