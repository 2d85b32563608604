"""The pages about assessors at work: all of them in one table, and one of them more closely."""

from __future__ import annotations

from collections.abc import Sequence

from flask import g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.analysis.assessors.drift import signed_steps
from workbench.analysis.assessors.profile import (
    ASSESSORS,
    SHOWN,
    Assessors,
    AssessorSummary,
    Profile,
    profile_of,
    reason_counts,
)
from workbench.campaign import assessing
from workbench.core.errors import CampaignError, NotThere
from workbench.core.natural_order import natural
from workbench.core.wording import counted
from workbench.storage.campaign.grades import adjudications
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import ORGANISERS, Pages
from workbench.web.analysis.result_pages import ResultRequest, result_page
from workbench.web.judging.given import buttons_of, given_buttons
from workbench.web.requests.answers import say
from workbench.web.requests.form_fields import Count, Percent
from workbench.web.requests.lists import Choice, Column, Filter, Listing, request_list
from workbench.web.requests.long_work import slow_at_first

blueprint = Pages("assessors", __name__)

PERCENT = 100


LISTED = Listing[AssessorSummary](
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


@result_page(blueprint, ASSESSORS, "/assessors")
def page(found: Assessors, asked: ResultRequest) -> str:
    """All assessors side by side, and the hidden repeats."""
    view = LISTED.view(found.assessors, request_list(), ".page", campaign=g.campaign.name, **asked.fields())
    return asked.page(
        "agreement/assessors/page.html",
        found,
        list=view,
        lead=_overview(found.assessors),
        reasons=reason_counts(g.campaign),
        repeats=assessing.state_of_repeats(g.campaign),
        typed=request.form,
    )


@blueprint.post("/c/<campaign>/assessors", allow=ORGANISERS)
def change(campaign: str, *, share: Percent, gap: Count | None = None) -> ResponseReturnValue:
    """Set the share of hidden repeats, and after how many judgments they come (`gap`)."""
    rules = settings.read(g.campaign)
    try:
        gap = rules.repeat_gap if gap is None else gap
        assessing.set_repeats(g.campaign, share / PERCENT, gap, rules.repeat_seed)
    except CampaignError as error:
        return _refused(str(error)), 422
    say(f"Hidden repeats: {share:g}% of documents.")
    return redirect(url_for(".page", campaign=campaign, _anchor="repeats"), 303)


@blueprint.get("/c/<campaign>/assessor", allow=ORGANISERS)
@slow_at_first
def one(campaign: str) -> ResponseReturnValue:
    """The assessor of `?name=`: pace, grades against others' on the same pairs, change over time, what stands out."""
    every = ASSESSORS.answer(g.campaign, {}).assessors
    try:
        profile = profile_of(g.campaign, request.args.get("name", ""), every)
    except NotThere as error:
        return _refused(f"{error}. All assessors are in this table."), 404
    gaps = {
        (pair.topic_id, pair.document_id, row.assessor): row.seq
        for pair in profile.gaps[:SHOWN]
        for row in adjudications.own_judgments(g.campaign, pair.topic_id, pair.document_id)
    }
    return render_template(
        "agreement/assessors/one.html",
        profile=profile,
        who=profile.summary,
        peers=profile.summary.peers,
        lead=_lead(profile),
        steps=signed_steps,
        buttons=buttons_of(settings.read(g.campaign)),
        given=given_buttons(g.campaign, [*gaps.values(), *(made.seq for made in profile.quick[:SHOWN])]),
        gaps=gaps,
        shown=SHOWN,
    )


def _refused(problem: str) -> str:
    """The page of all assessors, with what is wrong."""
    return page(ASSESSORS.answer(g.campaign, {}), ResultRequest(ASSESSORS, {}, problem=problem))


def _overview(found: Sequence[AssessorSummary]) -> str:
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
