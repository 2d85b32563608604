"""Agreement between assessors, for the organiser: overall, by topic, by pair, self-agreement; and what their
disagreement does to the result.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, g, make_response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.analysis.between_assessors import sheets
from workbench.analysis.between_assessors.cached import (
    DISAGREEMENT,
    agreement_takes_long,
    cached_agreement,
)
from workbench.analysis.between_assessors.coefficients import RESAMPLES, CampaignAgreement, Grouped, Scope
from workbench.analysis.between_assessors.effect import Effect
from workbench.core.results import content
from workbench.formats.tables.csv_cells import as_csv
from workbench.formats.tables.json_text import json_text
from workbench.formats.tables.sheets import Sheet
from workbench.scoring.board import DEFAULT_MEASURES
from workbench.storage.campaign.assigning import draws
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import allow_in_campaign
from workbench.web.agreement import agreement_words as words
from workbench.web.analysis.result_pages import ResultRequest, result_page
from workbench.web.judging.grade_buttons import grade_buttons
from workbench.web.requests.answers import attached

blueprint = Blueprint("agreement", __name__)

WAYS: dict[str, Grouped] = {"all": "campaign", "topic": "topic", "pair": "pair", "self": "assessor"}
"""What `?by=` may say."""

PARAMETERS = ("by", "scope", "pairs")
"""What a page is asked for by."""

SHOWN = 300
"""This many topics or pairs of assessors are listed."""


@blueprint.get("/c/<campaign>/agreement")
@allow_in_campaign("organiser")
def page(campaign: str) -> ResponseReturnValue:
    """Agreement `?by=` all, topic, pair or self; `?scope=` is one of their rows in detail.

    Where pairs were drawn for a second judgment these alone count, by weight, unless `?pairs=all`. With `?format=` csv
    or json all numbers come as a file. What takes seconds is answered with 202 and a page that asks again.
    """
    way = request.args.get("by", "all")
    if way not in WAYS:
        abort(404, "There is no such agreement page.")
    any_drawn = bool(draws.all_draws(g.campaign)) and way != "self"
    # Sixty assessors are 1,770 pairs of them: rows have no intervals, which take most of the time.
    resamples = 0 if way in ("topic", "pair") and "format" not in request.args else RESAMPLES
    drawn = any_drawn and request.args.get("pairs") != "all"
    if _may_wait() and agreement_takes_long(g.campaign, WAYS[way], drawn=drawn, resamples=resamples):
        return _being_counted(way)
    found = cached_agreement(g.campaign, WAYS[way], drawn=drawn, resamples=resamples)
    if "format" in request.args:
        return _file(f"agreement-{way}", sheets.sheet_of_values(found), content(found))
    scope = _scope(found)
    if scope is not None and not resamples:
        alone = cached_agreement(g.campaign, WAYS[way], drawn=drawn, only=scope.name).scopes
        scope = alone[0] if alone else scope  # a judgment may have been cleared meanwhile
    return render_template(
        "agreement/agreement/page.html",
        here=way,
        found=found,
        resamples=RESAMPLES,
        scope=scope,
        rows=[words.row_of(each) for each in found.scopes[:SHOWN]],
        coefficients=[] if scope is None else words.lines_of(scope),
        notes=[] if scope is None else words.notes_of(scope),
        matrix=None if scope is None else words.matrix_of(scope, found.grades),
        lead=words.lead_of(found, scope),
        any_drawn=any_drawn,
        has_numbers=bool(found.shared),
        own_address={"by": way, **_kept(found)},
        kept=_kept(found),
        **_common(),
    )


@result_page(blueprint, DISAGREEMENT, "/agreement/effect")
def effect(found: Effect, asked: ResultRequest) -> str:
    """The leaderboard by `?measure=` under other grades, and how far each run's score moves."""
    return render_template(
        "agreement/agreement/effect.html",
        here="effect",
        found=found,
        asked=asked,
        views=asked.table(sheets.sheet_of_views(found), "view"),
        lead=words.lead_of_effect(found),
        line=words.Line.of_ranges(found),
        measures=DEFAULT_MEASURES,
        has_numbers=bool(found.shared_topics),
        kept={},
        **_common(),
    )


def _may_wait() -> bool:
    """Whether to answer with a page that says that numbers are being computed: once, and not in place of a file."""
    return "counted" not in request.args and "format" not in request.args


def _being_counted(here: str) -> Response:
    """A page that says so immediately, and requests the same address again, which then computes."""
    parameters: dict[str, Any] = {name: request.args[name] for name in PARAMETERS if name in request.args}
    html = render_template(
        "agreement/agreement/counting.html",
        here=here,
        name=g.campaign.name,
        lead="Computing the numbers …",
        has_numbers=False,
        kept={"pairs": "all"} if request.args.get("pairs") == "all" else {},
        again=url_for(request.endpoint or ".page", campaign=g.campaign.name, counted="now", **parameters),
    )
    return make_response(html, 202)


def _file(what: str, sheet: Sheet, content: dict[str, Any]) -> Response:
    """The same as rows, or as JSON with all digits."""
    name = f"{g.campaign.name}.{what}"
    kind = request.args["format"]
    if kind not in ("csv", "json"):
        abort(404, "Available formats: CSV and JSON.")
    if kind == "json":
        return attached(json_text(content), f"{name}.json", "application/json")
    return attached("".join(as_csv(sheet)), f"{name}.csv", "text/csv; charset=utf-8")


def _scope(found: CampaignAgreement) -> Scope | None:
    """The scope that is looked at in detail: the one asked for, or the only one there is."""
    name = request.args.get("scope")
    if name is None:
        return found.scopes[0] if found.shared and found.by == "campaign" else None
    chosen = next((scope for scope in found.scopes if scope.name == name), None)
    if chosen is None:
        abort(404, "No shared judgments for this selection, or no such topic or assessor.")
    return chosen


def _kept(found: CampaignAgreement) -> dict[str, Any]:
    return {"pairs": "all"} if request.args.get("pairs") == "all" else {}


def _common() -> dict[str, Any]:
    current = settings.read(g.campaign)
    return {
        "name": g.campaign.name,
        "words": words,
        "settings": current,
        "buttons": {button.grade: button for button in grade_buttons(current.grades, current.relevant_from)},
        "titles": topics.titles(g.campaign),
    }
