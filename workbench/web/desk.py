"""The organiser's desk: where a campaign stands, what needs a look, and what to do next."""

from __future__ import annotations

from flask import Blueprint, g, render_template

from workbench.campaign import settings
from workbench.web.access import allow_in_campaign

blueprint = Blueprint("desk", __name__)


@blueprint.get("/c/<campaign>/desk")
@allow_in_campaign("organiser")
def page(campaign: str) -> str:
    """The campaign at a glance."""
    return render_template("desk/page.html", settings=settings.read(g.campaign), name=campaign)
