"""The page "From runs to qrels": where the campaign is, what is next, and the page and the command that do it."""

from __future__ import annotations

from typing import NamedTuple

from flask import g, jsonify, render_template, url_for
from flask.typing import ResponseReturnValue

from workbench.analysis.dashboard.task_steps import Step, steps_of
from workbench.campaign import assessing
from workbench.core.results import content
from workbench.web.access.rules import ORGANISERS, Pages

blueprint = Pages("task_steps", __name__)

WAYS = {
    "topics": ("new_campaign.step", "Add topics"),
    "documents": ("new_campaign.step", "Add documents"),
    "runs": ("new_campaign.step", "Add runs"),
    "pool": ("pooling.page", "Create a pool"),
    "people": ("people.page", "Invite assessors"),
    "assign": ("assignments.page", "Assign topics"),
    "judge": ("campaigns.own_topics", "Judge"),
    "others judge": ("assessors.page", "Assessor activity"),
    "agreement": ("agreement.page", "Agreement"),
    "conflicts": ("adjudication.page", "Adjudicate"),
    "stop": ("trust.page", "Can we stop?"),
    "release": ("publish.page", "Publish"),
}
"""The page that does a step, and what its button says."""


class Way(NamedTuple):
    """A step with what a page says of it and where it leads."""

    step: Step
    words: str
    button: str
    address: str


def way_of(step: Step) -> Way:
    """The page of a step for the organiser of this request: what others are to judge is watched, not judged."""
    word, words = step.step, step.words
    if word == "agreement" and step.state == "now":
        word = "conflicts"
    elif word == "judge" and step.state == "now" and not assessing.open_pairs(g.campaign, g.member).total():
        word, words = "others judge", "The open pairs wait for their assessors; none is yours to judge."
    endpoint, button = WAYS[word]
    kind = word if endpoint == "new_campaign.step" else None
    return Way(step, words, button, url_for(endpoint, campaign=g.campaign.name, kind=kind))


@blueprint.get("/c/<campaign>/steps", allow=ORGANISERS)
def page(campaign: str) -> str:
    """All steps in their order, the next one marked."""
    found = steps_of(g.campaign)
    ways, following = [way_of(step) for step in found.steps], way_of(found.next)
    return render_template("setup/task_steps/page.html", found=found, ways=ways, following=following)


@blueprint.get("/c/<campaign>/api/steps", allow=ORGANISERS)
def numbers(campaign: str) -> ResponseReturnValue:
    """Where the campaign is on its way from runs to qrels, and the command of each step."""
    return jsonify(content(steps_of(g.campaign)))
