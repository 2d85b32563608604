"""The pages about assessors at work: all of them in one table, and one of them more closely."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.analysis.assessors.drift import signed_steps
from workbench.analysis.assessors.profile import (
    SHOWN,
    Profile,
    Summary,
    cached_summaries,
    profile_of,
    reason_counts,
    summaries_take_long,
)
from workbench.campaign import assessing
from workbench.core.errors import CampaignError, NotThere
from workbench.core.natural_order import natural
from workbench.core.wording import counted
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import allow_in_campaign
from workbench.web.judging.keys import grade_buttons
from workbench.web.requests.form_values import whole_number
from workbench.web.requests.lists import Choice, Column, Filter, Listing, request_list

blueprint = Blueprint("assessors", __name__)

PERCENT = 100


ASSESSORS = Listing[Summary](
    noun="assessor",
    columns=(
        Column("assessor", "Assessor", lambda each: natural(each.assessor)),
        Column("pairs", "Pairs", lambda each: each.pairs, numeric=True),
        Column("topics", "Topics", lambda each: each.topics, numeric=True),
        Column("cannot-tell", "Can’t tell", lambda each: each.cannot_tell, numeric=True),
        Column("seconds", "Median seconds", lambda each: each.pace.median, numeric=True),
        Column(
            "hours", "Active hours", lambda each: each.pace.hours if each.pace.timed else None, numeric=True
        ),
        Column("relevant", "Relevant", lambda each: each.relevant, numeric=True),
        Column("shared", "Shared pairs", lambda each: each.peers and each.peers.compared, numeric=True),
        Column("higher", "Higher", lambda each: each.peers and each.peers.higher, numeric=True),
        Column("lower", "Lower", lambda each: each.peers and each.peers.lower, numeric=True),
        Column("self", "Self-agreement", lambda each: each.self_agreement, numeric=True),
    ),
    filters=(
        Filter(
            "state",
            "State",
            {
                "found": Choice("with findings", lambda each: bool(each.remarks)),
                "judged": Choice("with judgments", lambda each: bool(each.pairs)),
                "none": Choice("without judgments", lambda each: not each.pairs),
            },
        ),
    ),
    text=lambda each: each.assessor,
    looks_in="Name",
    ident=lambda each: each.assessor,
)


@blueprint.get("/c/<campaign>/assessors")
@allow_in_campaign("organiser")
def page(campaign: str) -> ResponseReturnValue:
    """All assessors side by side, and the hidden repeats; 202 and a page that asks again if that is slow."""
    return _being_counted() if _has_to_count() else _page()


@blueprint.post("/c/<campaign>/assessors")
@allow_in_campaign("organiser")
def change(campaign: str) -> ResponseReturnValue:
    """Set the share of hidden repeats, and after how many judgments they come."""
    rules = settings.read(g.campaign)
    share = request.form.get("share", type=float)
    if share is None or not 0 <= share <= PERCENT:
        return _page("The share of hidden repeats is a percentage from 0 to 100, such as 3."), 422
    try:
        gap = whole_number(
            "gap",
            ("The minimum number of judgments in between is a whole number, such as 30."),
            rules.repeat_gap,
        )
        assessing.set_repeats(g.campaign, share / PERCENT, gap, rules.repeat_seed, actor=g.member)
    except CampaignError as error:
        return _page(str(error)), 422
    return redirect(url_for(".page", campaign=campaign, _anchor="repeats"), 303)


@blueprint.get("/c/<campaign>/assessor")
@allow_in_campaign("organiser")
def one(campaign: str) -> ResponseReturnValue:
    """The assessor of `?name=`: pace, grades against others' on the same pairs, change over time, what stands out."""
    if _has_to_count():
        return _being_counted(name=request.args.get("name", ""))
    try:
        profile = profile_of(g.campaign, request.args.get("name", ""), cached_summaries(g.campaign))
    except NotThere as error:
        return _page(f"{error}. All assessors are in this table."), 404
    rules = settings.read(g.campaign)
    return render_template(
        "agreement/assessors/one.html",
        name=campaign,
        profile=profile,
        who=profile.summary,
        peers=profile.summary.peers,
        lead=_lead(profile),
        steps=signed_steps,
        buttons={each.grade: each for each in grade_buttons(rules.grades, rules.relevant_from)},
        shown=SHOWN,
    )


def _has_to_count() -> bool:
    return "counted" not in request.args and summaries_take_long(g.campaign)


def _being_counted(**parameters: Any) -> ResponseReturnValue:
    """A page that is sent immediately, and requests the same address again, which then computes."""
    again = url_for(request.endpoint or ".page", campaign=g.campaign.name, counted="now", **parameters)
    return render_template("agreement/assessors/counting.html", name=g.campaign.name, again=again), 202


def _page(problem: str = "") -> str:
    found = cached_summaries(g.campaign)
    return render_template(
        "agreement/assessors/page.html",
        name=g.campaign.name,
        list=ASSESSORS.view(found, request_list(), ".page", campaign=g.campaign.name),
        lead=_overview(found),
        reasons=reason_counts(g.campaign),
        repeats=assessing.state_of_repeats(g.campaign),
        settings=settings.read(g.campaign),
        problem=problem,
        typed=request.form,
    )


def _overview(found: list[Summary]) -> str:
    odd = [each for each in found if each.remarks]
    if not any(each.pairs for each in found):
        return "No judgments yet."
    if not odd:
        return "No findings."
    if len(odd) == 1:
        return f"Findings for {odd[0].assessor}: {odd[0].remarks[0]}."
    return f"Findings for {len(odd)} of {len(found)} assessors."


def _lead(profile: Profile) -> str:
    who = profile.summary
    if not who.pairs:
        return f"{who.assessor} has no judgments yet."
    stands_out = f"; {', '.join(who.remarks)}" if who.remarks else "; no findings"
    return (
        f"{who.assessor} judged {counted(who.pairs, 'pair')} in {counted(who.topics, 'topic')}{stands_out}."
    )
