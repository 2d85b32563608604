"""The leaderboard."""

from __future__ import annotations

from flask import Blueprint

from workbench.web.access import allow_in_campaign

blueprint = Blueprint("board", __name__)


@blueprint.get("/c/<campaign>/board")
@allow_in_campaign("organiser")
def page(campaign: str) -> str:
    """The leaderboard."""
    return campaign
