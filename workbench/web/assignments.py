"""Who judges what: topics given to assessors, taken by them, closed and opened again."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench import assigning
from workbench.assigning import Overview
from workbench.assigning.claiming import NotFree
from workbench.campaign import settings
from workbench.campaign.settings import WHO_JUDGES
from workbench.errors import AlreadySo, CampaignError, InputError, NotThere, UnknownName, WorkbenchError
from workbench.formats.content import content_of
from workbench.web.access import JUDGES, allow_in_campaign
from workbench.web.typed import whole_number

blueprint = Blueprint("assignments", __name__)

WORDS = {
    "anybody": "Anybody: every assessor sees all topics",
    "assigned": "Those it is assigned to: assessors see their own topics",
    "claimed": "Whoever takes it: topics that are assigned to nobody are taken for a while",
}
"""The choices of who judges, as the page puts them."""

AS = {
    "whole": "assessor, in the place of others",
    "more": "one more assessor of every pair",
    "second": "second assessor of the pairs drawn",
}
"""As what topics are given to somebody, as the page puts it."""

PERCENT = 100

TYPES = {"jsonl": "application/jsonl", "csv": "text/csv"}


@blueprint.get("/c/<campaign>/assignments")
@allow_in_campaign("organiser")
def page(campaign: str) -> str:
    """All topics with whom they belong to, and what can be changed about it."""
    return _page(campaign)


@blueprint.post("/c/<campaign>/assignments")
@allow_in_campaign("organiser")
def change(campaign: str) -> ResponseReturnValue:
    """Do what the form's `do` says with the topics it names."""
    todo = CHANGES.get(request.form.get("do", ""))
    if todo is None:
        abort(400, "Say what to change.")
    try:
        todo()
    except AlreadySo as error:
        words = f"Nothing is left to change ({error}): somebody else was quicker, or the form was sent twice."
        return _page(campaign, CampaignError(words)), 409
    except (CampaignError, InputError, NotThere, UnknownName) as error:
        return _page(campaign, error), 422
    return redirect(url_for(".page", campaign=campaign), 303)


@blueprint.get("/c/<campaign>/assignments/list")
@allow_in_campaign("organiser")
def export(campaign: str) -> Response:
    """The list of assignments as a file, `?form=jsonl` or `csv`."""
    ending = request.args.get("form", "jsonl")
    if ending not in TYPES:
        abort(404, f"A list is saved as {' or '.join(TYPES)}.")
    return Response(
        assigning.export_list(g.campaign, ending),
        mimetype=TYPES[ending],
        headers={"Content-Disposition": f'attachment; filename="{campaign}-assignments.{ending}"'},
    )


@blueprint.post("/c/<campaign>/")
@allow_in_campaign(*JUDGES)
def claim(campaign: str) -> ResponseReturnValue:
    """Take the topic of the form, or give it back (`do=give back`)."""
    topic_id = request.form.get("topic", "")
    if request.form.get("do") == "give back":
        assigning.give_back(g.campaign, topic_id, str(g.account))
        return redirect(url_for("campaigns.home", campaign=campaign), 303)
    try:
        assigning.claim(g.campaign, topic_id, str(g.account))
    except NotThere as error:
        abort(404, str(error))
    except NotFree as error:
        words = str(error)
        abort(409, f"{words[:1].upper()}{words[1:]}. Go back and choose another topic.")
    return redirect(url_for("judge.page", campaign=campaign, topic=topic_id), 303)


def sentence(found: Overview) -> str:
    """Where the assignments stand, in one sentence."""
    if not found.rows:
        return "There is nothing to assign yet: this campaign has no pool."
    if found.who_judges == "anybody":
        return "Every assessor may judge every topic."
    left = found.without_anybody
    if not left:
        return "Every topic that is still open has somebody to judge it."
    topics = f"{left:,} of {len(found.rows):,} topics"
    if found.who_judges == "claimed":
        return f"{topics} {'waits' if left == 1 else 'wait'} to be taken."
    return f"{topics} {'has' if left == 1 else 'have'} nobody to judge {'it' if left == 1 else 'them'}."


def _page(campaign: str, problem: WorkbenchError | None = None) -> str:
    found = assigning.overview(g.campaign)
    return render_template(
        "assignments/page.html",
        found=found,
        lead=sentence(found),
        choices=[(who, WORDS[who], who == found.who_judges) for who in WHO_JUDGES],
        parts=AS,
        chosen=set(request.form.getlist("topics")),
        typed=request.form,
        problem="" if problem is None else str(problem),
        draws=assigning.draws_of(g.campaign),
        name=campaign,
    )


def _topics() -> list[str]:
    chosen = request.form.getlist("topics")
    if not chosen:
        raise CampaignError("Tick the topics that are meant first.")
    return chosen


def _names() -> list[str]:
    names = [name for name in request.form.getlist("assessors") if name]
    if not names:
        raise CampaignError("Choose to whom the topics are to go.")
    return names


def _assign() -> None:
    wanted = request.form.get("part", "whole")
    if wanted not in AS:
        abort(400, f"A part is one of {', '.join(AS)}.")
    part = "second" if wanted == "second" else "whole"
    assigning.assign(g.campaign, _topics(), _names(), part=part, add=wanted == "more", actor=str(g.account))


def _unassign() -> None:
    for part in ("whole", "second"):
        assigning.unassign(g.campaign, _topics(), part=part, actor=str(g.account))


def _who_judges() -> None:
    who = request.form.get("who", "")
    if who not in WHO_JUDGES:
        abort(400, "Choose who judges.")
    usual = settings.read(g.campaign).lease_minutes
    minutes = whole_number("minutes", "A topic is taken for a whole number of minutes, such as 60.", usual)
    assigning.choose_who_judges(g.campaign, who, lease_minutes=minutes, actor=str(g.account))


def _import() -> None:
    file = request.files.get("list")
    if file is None or not file.filename:
        raise CampaignError("Choose the file with the list first.")
    assigning.import_list(g.campaign, content_of(file.filename, file.read()), actor=str(g.account))


def _spread() -> None:
    assigning.spread(g.campaign, actor=str(g.account))


def _double() -> None:
    share = request.form.get("share", type=float)
    if share is None or not 0 < share <= PERCENT:
        raise CampaignError("The share is a number of percent, above 0 and at most 100, such as 10.")
    seed = whole_number("seed", "The seed of a draw is a whole number, such as 7.", 1)
    assigning.draw_double(
        g.campaign,
        share / PERCENT,
        seed,
        stratify=request.form.get("stratify", "none"),
        allocate=request.form.get("allocate", "proportional"),
        actor=str(g.account),
    )


def _close() -> None:
    assigning.close(g.campaign, _topics(), actor=str(g.account))


def _reopen() -> None:
    assigning.reopen(g.campaign, _topics(), actor=str(g.account))


CHANGES: dict[str, Callable[[], None]] = {
    "who judges": _who_judges,
    "assign": _assign,
    "unassign": _unassign,
    "spread": _spread,
    "import": _import,
    "double": _double,
    "close": _close,
    "reopen": _reopen,
}
