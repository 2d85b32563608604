"""The pages of a campaign, each declared once in PLACES: menu, titles, headings, links and the jump field follow it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from flask import Flask, current_app, g, request, url_for
from markupsafe import Markup

from workbench.core.wording import translatable as _
from workbench.people.members.searchers import may_search
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection.nuggets import rows
from workbench.web.access.rules import SEARCHERS, rule_of
from workbench.web.requests.languages import gettext

SET_UP, JUDGE, RESULTS, RELEASE = GROUPS = (_("Set up"), _("Judge"), _("Results"), _("Release"))
ASSESSING = ("assessor", "adjudicator")


class Place(NamedTuple):
    """A page of a campaign: its view and its name; who may open it is declared at the view.

    The organiser's menu has it in a `group`, or another page leads to it (`under`, an endpoint); `row` has the other
    roles whose menu has it, where `when` says so of the campaign. `kind` is a part of its address, where a view has
    several pages; `about` says that it is about one thing, which its address names.
    """

    endpoint: str
    name: str
    group: str = ""
    under: str = ""
    row: tuple[str, ...] = ()
    kind: str = ""
    about: bool = False
    when: Callable[[Campaign], object] = bool

    @property
    def address(self) -> str:
        """Its address in this request's campaign."""
        return url_for(self.endpoint, campaign=g.campaign.name, kind=self.kind or None)


PLACES = [
    Place("dashboard.page", _("Dashboard")),
    Place("jobs.every", _("Jobs"), under="dashboard.page"),
    Place("jobs.page", _("Job"), under="jobs.every", about=True),
    Place("task_steps.page", _("From runs to qrels"), SET_UP),
    Place("topics.page", _("Topics"), SET_UP),
    Place("new_campaign.step", _("Add topics"), under="topics.page", kind="topics"),
    Place("topics.topic", _("Topic"), under="topics.page", about=True),
    Place("topic_changes.page", _("Correct or withdraw topic"), under="topics.topic", about=True),
    Place("pairs.of_topic", _("Judgments of topic"), under="topics.topic", about=True),
    Place("pairs.page", _("Pair"), under="topics.topic", about=True),
    Place("new_campaign.step", _("Add documents"), SET_UP, kind="documents"),
    Place("runs.page", _("Runs"), SET_UP),
    Place("new_campaign.step", _("Add runs"), under="runs.page", kind="runs"),
    Place("runs.run", _("Run"), under="runs.page", about=True),
    Place("submissions.page", _("Submissions"), SET_UP),
    Place("pooling.page", _("Pool"), SET_UP),
    Place("new_campaign.step", _("Import a sample"), under="pooling.page", kind="samples"),
    Place("simulation.page", _("Simulation"), SET_UP),
    Place("preview.page", _("Judging preview"), SET_UP),
    Place("campaign_settings.page", _("Settings"), SET_UP),
    Place("scale.page", _("Change the scale"), under="campaign_settings.page"),
    Place("questions.page", _("Questions"), under="campaign_settings.page"),
    Place("webhooks.page", _("Webhooks"), under="campaign_settings.page"),
    Place("campaigns.own_topics", _("Your topics"), JUDGE, row=ASSESSING),
    Place("judge.page", _("Judging"), under="campaigns.own_topics"),
    Place("offline.page", _("Offline judging"), under="campaigns.own_topics"),
    Place("assessor_settings.history", _("Your judgments"), JUDGE, row=ASSESSING),
    Place("own_work.page", _("Your work"), under="assessor_settings.history"),
    Place("assignments.page", _("Assignments"), JUDGE),
    Place("assignments.hand_over", _("Hand over work"), under="assignments.page"),
    Place("people.page", _("People"), JUDGE),
    Place("assessors.page", _("Assessor activity"), JUDGE),
    Place("assessors.one", _("Assessor"), under="assessors.page", about=True),
    Place("guidelines.page", _("Guidelines"), JUDGE),
    Place("training.page", _("Training"), JUDGE),
    Place("training.practice", _("Practice"), under="training.page"),
    Place("norming.page", _("Norming"), JUDGE),
    Place("agreement.page", _("Agreement"), JUDGE),
    Place("agreement.effect", _("Effect of disagreement"), under="agreement.page"),
    Place("judge_quality.page", _("A judge against people"), under="agreement.page"),
    Place("judge_quality.every", _("Judges"), under="agreement.page"),
    Place("judge_quality.boards", _("Leaderboards under a judge"), under="agreement.page"),
    Place("models.page", _("Labels from models"), JUDGE),
    Place("new_campaign.step", _("Add labels of models"), under="models.page", kind="model-labels"),
    Place("judge_quality.corrected", _("Scores corrected by people"), under="board.page"),
    Place("adjudication.page", _("Adjudication"), JUDGE, row=("adjudicator",)),
    Place("adjudication.pair", _("Adjudicate"), under="adjudication.page"),
    Place("nuggets.page", _("Nuggets"), under="topics.page", row=ASSESSING, when=rows),
    Place("new_campaign.step", _("Add nuggets"), under="nuggets.page", kind="nuggets"),
    Place("nuggets.topic", _("Nuggets of topic"), under="nuggets.page", about=True),
    Place("searching.page", _("Search"), JUDGE, row=ASSESSING),
    Place("board.page", _("Leaderboard"), RESULTS, row=("observer",)),
    Place("board.printed", _("Leaderboard in print"), under="board.page"),
    Place("compare.page", _("Compare runs"), RESULTS),
    Place("compare.pairs", _("All pairs"), under="compare.page"),
    Place("compare.boards", _("Two leaderboards"), under="compare.page"),
    Place("compare.topic_set", _("Number of topics"), under="compare.page"),
    Place("battles.page", _("Battles"), RESULTS),
    Place("costs.page", _("Scores and costs"), RESULTS),
    Place("costs.recent", _("Freshness"), RESULTS),
    Place("trust.page", _("Can we stop?"), RESULTS),
    Place("online.page", _("What users do"), RESULTS),
    Place("new_campaign.step", _("Add user outcomes"), under="online.page", kind="outcomes"),
    Place("publish.page", _("Publish"), RELEASE),
    Place("reuse.page", _("Reuse"), RELEASE),
    Place("submitting.page", _("Submit runs"), row=("participant",)),
    Place("own_team.page", _("Your runs"), row=("participant",)),
    Place("own_team.answers", _("Answers of"), under="own_team.page", about=True),
]
"""Analyses of plugins add theirs (`analysis.of_plugins`)."""


Links = list[tuple[Place, str]]
"""Pages of the menu, each with "page" for the one that is open, "true" for one that leads to it, else ""."""


def init_app(app: Flask) -> None:
    """Let all templates ask for the menu, names and links."""
    for function in (menu, page_name, page_link):
        app.add_template_global(function)


def menu() -> dict[str, Links]:
    """The menu of this request's campaign for its role: in groups for organisers, one row ("") for others."""
    way = way_to(here())
    current = dict.fromkeys(way, "true") | dict.fromkeys(way[:1], "page")
    is_grouped = g.role == "organiser"
    found: dict[str, Links] = {name: [] for name in (("", *GROUPS) if is_grouped else ("",))}
    for place in PLACES:
        if (not place.under if is_grouped else g.role in place.row and place.when(g.campaign)) and may_open(
            place
        ):
            found[place.group if is_grouped else ""].append((place, current.get(place, "")))
    return found


def page_name() -> str:
    """What the page of this request is called; "" where it is none of PLACES."""
    return gettext(found.name) if (found := here()) else ""


def page_link(endpoint: str, css: str = "", **values: Any) -> Markup:
    """A link to a page of this request's campaign, with its name; `kind` chooses one of several pages of a view."""
    place = next(
        each for each in PLACES if each.endpoint == endpoint and each.kind in ("", values.get("kind"))
    )
    address = url_for(endpoint, campaign=g.campaign.name, **values)
    current = Markup(' aria-current="page"') if place == here() else ""
    return Markup('<a class="{}" href="{}"{}>{}</a>').format(css, address, current, gettext(place.name))


def here() -> Place | None:
    """The page of this request; of a form, that at or above its address, else the first one of its blueprint."""
    kind = (request.view_args or {}).get("kind", "")
    same = [each for each in PLACES if each.kind in ("", kind)]
    rules = current_app.url_map.iter_rules
    at_address = (each for each in same if str(request.url_rule) in map(str, rules(each.endpoint)))
    beside = (each for each in same if each.endpoint.partition(".")[0] == request.blueprint)
    whole = (each for each in PLACES if not each.about)
    above = (each for each in whole if request.path.startswith(f"{each.address}/"))
    return next(at_address, None) or next(beside, None) or next(above, None)


def way_to(place: Place | None) -> list[Place]:
    """A page, the page that leads to it, and so on to one of the menu."""
    way = []
    while place is not None:
        way.append(place)
        place = next((each for each in PLACES if each.endpoint == way[-1].under), None)
    return way


def may_open(place: Place) -> bool:
    """Whether this request's role may open a page."""
    rule = rule_of(current_app, place.endpoint)
    is_open = rule is not None and g.role in (rule.roles or ())
    return is_open and (rule != SEARCHERS or may_search(g.campaign, g.member, g.role))
