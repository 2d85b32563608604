"""The pool builder: what a pool would cost before it is made, and what is pooled already."""

from __future__ import annotations

from flask import Blueprint, g, render_template

from workbench import judging
from workbench.campaign import pools
from workbench.web.access import allow_in_campaign
from workbench.web.campaigns import missing_texts, next_steps, total_of
from workbench.web.natural import in_natural_order

blueprint = Blueprint("pooling", __name__)


@blueprint.get("/c/<campaign>/pool")
@allow_in_campaign("organiser")
def page(campaign: str) -> str:
    """How the pool was made, and its size per topic."""
    rows = in_natural_order(judging.topic_progress(g.campaign, g.account))
    return render_template(
        "pooling/page.html",
        pools=pools.all_pools(g.campaign),
        steps=next_steps(g.campaign),
        rows=rows,
        total=total_of(rows),
        name=campaign,
        missing=missing_texts(g.campaign),
    )
