"""Who judges what: topics given to assessors, taken by them, closed and opened again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Literal

from flask import Response, abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign import assigning
from workbench.campaign.assigning import Overview, RequestRow, TopicRow, handing_over
from workbench.campaign.assigning.changing import NotFree
from workbench.core.errors import REFUSED, AlreadyDone, CampaignError, WorkbenchError
from workbench.core.natural_order import natural
from workbench.core.parameters import Limits
from workbench.core.wording import as_sentence, capital, counted, listed
from workbench.formats.text.content import content_of
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import WHO_JUDGES
from workbench.storage.campaign.people import members
from workbench.web.access.rules import JUDGES, ORGANISERS, Pages
from workbench.web.requests.answers import say
from workbench.web.requests.form_fields import Changes, Count, Seed, SentFile, Text, Ticked, TopicId
from workbench.web.requests.languages import gettext
from workbench.web.requests.lists import Choice, Column, Filter, Listing, one_of, request_list
from workbench.web.requests.successors import disabled_here, successors

blueprint = Pages("assignments", __name__)


WORDS = {
    "anybody": "Any assessor: every assessor sees all topics",
    "assigned": "Assigned: assessors see only the topics assigned to them",
    "claimed": "Claimed: assessors claim unassigned topics for a limited time",
}
"""The choices of who judges, as the page puts them."""

AS = {
    "whole": "assessor, replacing others",
    "more": "additional assessor of every pair",
    "second": "second assessor of the drawn pairs",
}
"""In which part topics are assigned, as the page says it."""

PERCENT = 100

CHANGES = Changes()
"""What the forms change; each says what it changed."""
Who = Annotated[str, Limits("who judges", choices=tuple(WHO_JUDGES))]
Part = Annotated[str, Limits("in which part topics are assigned", choices=tuple(AS))]
Assessor = Annotated[str, Limits("the name of an assessor")]
Names = Annotated[Sequence[str], Limits("names of assessors")]
Plan = Annotated[str, Limits("who gets what, as JSON: what the preview shows")]
Share = Annotated[float, Limits("a percentage of the pairs, such as 10", above=0, most=100)]

FEW = 30
"""Up to so many members are offered with a box each, and get shares if none is chosen."""

TOPICS = Listing[TopicRow](
    noun="topic",
    columns=(
        Column("topic", "Topic", lambda row: natural(row.topic_id)),
        Column("assessor", "Assessor", lambda row: natural(row.whole[0]) if row.whole else None),
        Column("second", "Second assessor", lambda row: natural(row.second) if row.second else None),
        Column("judged", "Judged", lambda row: row.judged, numeric=True),
        Column("pairs", "Pairs", lambda row: row.pooled, numeric=True),
        Column("state", "State", lambda row: state(row)),
    ),
    filters=(
        Filter(
            "has",
            "Assignment",
            {
                "none": Choice("unassigned", lambda row: not row.whole and row.claim is None),
                "one": Choice("assigned", lambda row: bool(row.whole)),
                "claim": Choice("claimed", lambda row: row.claim is not None),
                "second": Choice("with a second assessor", lambda row: row.second is not None),
            },
        ),
        one_of("state", "State", ("open", "all judged", "closed"), lambda row: state(row)),
    ),
    text=lambda row: " ".join((row.topic_id, row.title, *row.whole, row.second or "")),
    looks_in="Id, title or assessor",
    ident=lambda row: row.topic_id,
    state=lambda row: "\n".join((*row.whole, "", row.second or "")),
    order="topic",
)

AGAIN = Listing[RequestRow](
    noun="request",
    columns=(
        Column("topic", "Topic", lambda row: natural(row.topic_id)),
        Column("document", "Document", lambda row: natural(row.document_id)),
        Column("assessor", "Assessor", lambda row: natural(row.assessor)),
        Column("requested", "Requested", lambda row: row.at, numeric=True),
        Column("reason", "Reason", lambda row: row.reason or None),
        Column("state", "State", lambda row: again_state(row)),
    ),
    filters=(one_of("state", "State", ("open", "judged"), lambda row: again_state(row)),),
    text=lambda row: " ".join((row.topic_id, row.document_id, row.assessor, row.by, row.reason)),
    looks_in="Topic, document, name or reason",
    prefix="again-",
)

TYPES = {"jsonl": "application/jsonl", "csv": "text/csv"}


@blueprint.get("/c/<campaign>/assignments", allow=ORGANISERS)
def page(campaign: str) -> str:
    """All topics with their assessors, and what can be changed about it."""
    return _page(campaign)


@blueprint.post("/c/<campaign>/assignments", allow=ORGANISERS, does=CHANGES)
def change(campaign: str) -> ResponseReturnValue:
    """Do what the form's `do` says with the topics it names."""
    try:
        said = CHANGES.chosen()()
    except AlreadyDone as error:
        words = (
            f"Nothing to change ({error}): another organiser already changed it, or the form was sent twice."
        )
        return _page(campaign, CampaignError(words)), 409
    except REFUSED as error:
        return _page(campaign, error), 422
    say(said)
    return redirect(url_for(".page", campaign=campaign, **TOPICS.back(), **AGAIN.back()), 303)


@blueprint.get("/c/<campaign>/assignments/hand-over", allow=ORGANISERS)
def hand_over(campaign: str) -> str:
    """Who would get what of the work of the person `from`: the heirs `to`, or all other assessors if they are few.

    With a `role` (and `team`) the role of the person changes in the same step.
    """
    roles, asked, problem = members.all_members(g.campaign), successors(), ""
    able = [name for name, role in roles.items() if role in JUDGES and name not in asked.disabled]
    working = handing_over.working(g.campaign)
    people = sorted({*working, asked.person} - {""}, key=lambda name: (name in able, natural(name)))
    asked = asked._replace(person=asked.person or next(iter(people), ""))
    heirs = [(heir, roles[heir]) for heir in able if heir != asked.person]
    waits, few = asked.person in working, len(heirs) <= FEW
    try:
        plan = handing_over.plan_hand_over(g.campaign, asked) if waits and (asked.heirs or few) else None
    except CampaignError as error:
        plan, problem = None, str(error)
    return render_template(
        "judging/assignments/hand_over.html",
        name=campaign,
        person=asked.person,
        people=people,
        able=able,
        heirs=heirs,
        few=few,
        waits=waits,
        is_member=asked.person in roles,
        chosen=asked.heirs or tuple(plan.before if plan else ()),
        plan=plan,
        items=json.dumps([(*item, heir) for item, heir in plan.given.items()] if plan else []),
        nouns=handing_over.NOUNS,
        problem=problem,
    )


@blueprint.get("/c/<campaign>/assignments/list", allow=ORGANISERS)
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


@blueprint.post("/c/<campaign>/", allow=JUDGES)
def claim(
    campaign: str, *, topic: TopicId, do: Literal["claim", "give back"] = "claim"
) -> ResponseReturnValue:
    """Take the topic of the form, or give it back (`do=give back`)."""
    if do == "give back":
        assigning.give_back(g.campaign, topic, str(g.member))
        return redirect(url_for("campaigns.own_topics", campaign=campaign), 303)
    try:
        assigning.claim(g.campaign, topic, str(g.member))
    except NotFree as error:
        abort(
            409,
            gettext(
                "%(problem)s Go back and choose another topic.", problem=as_sentence(gettext(str(error)))
            ),
        )
    return redirect(url_for("judge.page", campaign=campaign, topic=topic), 303)


def state(row: TopicRow) -> str:
    """How far a topic is."""
    return "closed" if row.is_closed else "all judged" if row.judged == row.pooled else "open"


def again_state(row: RequestRow) -> str:
    """Whether a pair still waits to be judged again."""
    return "open" if row.is_open else "judged"


def sentence(found: Overview) -> str:
    """Where the assignments stand, in one sentence."""
    if not found.rows:
        return "No topics to assign yet: this campaign has no pool."
    if found.who_judges == "anybody":
        return "Every assessor can judge every topic."
    left, waiting = found.unassigned, found.without_judge
    if not left and not waiting:
        return "Every open topic has an assessor."
    verb = "waits" if waiting == 1 else "wait"
    without = f"{counted(waiting, 'open topic')} {verb} for members who cannot judge." if waiting else ""
    if not left:
        return without
    topics = f"{left:,} of {len(found.rows):,} topics"
    lacks = "unclaimed" if found.who_judges == "claimed" else "unassigned"
    return f"{topics} {'is' if left == 1 else 'are'} {lacks}. {without}".rstrip()


def _page(campaign: str, problem: WorkbenchError | None = None) -> str:
    found = assigning.overview(g.campaign, disabled=disabled_here())
    kept = {word: request_list()[word] for word in AGAIN.words() if request_list().get(word)}
    topics = TOPICS.view(found.rows, request_list(), ".page", campaign=campaign, **kept)
    holders = sorted({name for row in found.rows for name in (*row.whole, row.second) if name}, key=natural)
    return render_template(
        "judging/assignments/page.html",
        found=found,
        list=topics,
        again=AGAIN.view(
            assigning.requests_again(g.campaign), request_list(), ".page", campaign=campaign, **topics.args
        ),
        again_state=again_state,
        lead=sentence(found),
        choices=[(who, WORDS[who], who == found.who_judges) for who in WHO_JUDGES],
        parts=AS,
        holders=holders,
        only_holder=next(
            (name for name in holders if name.casefold() == topics.query.strip().casefold()), ""
        ),
        chosen=set(request.form.getlist("topics")),
        typed=request.form,
        problem="" if problem is None else str(problem),
        state=state,
        draws=assigning.draws_of(g.campaign),
        name=campaign,
    )


def _chosen(topics: Sequence[str]) -> list[str]:
    return TOPICS.chosen(assigning.overview(g.campaign).rows, request.form, topics)


def _check_judges(names: Sequence[str]) -> None:
    if not names:
        raise CampaignError("Choose an assessor for the topics.")
    strangers = assigning.without_judging_role(g.campaign, names)
    if strangers:
        raise CampaignError(
            f"{listed(strangers)}: not among the members who judge. Choose a name from the list, or invite the "
            "person on the page People first."
        )


@CHANGES("assign")
def _assign(*, topics: Ticked = (), assessors: Names = (), part: Part = "whole") -> str:
    chosen, of = _chosen(topics), "second" if part == "second" else "whole"
    _check_judges(assessors)
    assigning.assign(g.campaign, chosen, assessors, part=of, add=part == "more", disabled=disabled_here())
    return f"{counted(len(chosen), 'topic')} assigned to {listed(assessors)}."


@CHANGES("unassign")
def _unassign(*, from_: Assessor = "", topics: Ticked = ()) -> str:
    if not from_:
        raise CampaignError("Choose the assessor to unassign from the selected topics.")
    return f"{assigning.unassign(g.campaign, [from_], _chosen(topics))}."


@CHANGES("unassign all")
def _unassign_all(*, topics: Ticked = ()) -> str:
    return f"{assigning.unassign(g.campaign, (), _chosen(topics))}."


@CHANGES("hand over")
def _hand_over(*, from_: Assessor = "", to: Names = (), plan: Plan = "") -> str:
    with g.campaign.write():
        return f"{capital(assigning.hand_over(g.campaign, successors()).words)}."


@CHANGES("who judges")
def _who_judges(*, who: Who, minutes: Count | None = None) -> str:
    usual = settings.read(g.campaign).lease_minutes
    assigning.choose_who_judges(g.campaign, who, lease_minutes=usual if minutes is None else minutes)
    return f"{WORDS[who]}."


@CHANGES("import")
def _import(*, list_: SentFile | None = None) -> str:
    if list_ is None or not list_.filename:
        raise CampaignError("Choose a file first.")
    content = content_of(list_.filename, list_.read())
    found = assigning.import_list(g.campaign, content, disabled=disabled_here())
    return f"{counted(found.topics, 'topic')} assigned to {counted(found.assessors, 'assessor')}."


@CHANGES("spread")
def _spread() -> str:
    given = assigning.spread(g.campaign, disabled=disabled_here())
    if not given:
        raise AlreadyDone("every pooled topic has an assessor")
    return f"{counted(len(given), 'topic')} assigned to {counted(len(set(given.values())), 'assessor')}."


@CHANGES("double")
def _double(*, share: Share, seed: Seed = 1, stratify: Text = "none", allocate: Text = "proportional") -> str:
    how = {"stratify": stratify, "allocate": allocate}
    drawn = assigning.draw_double(g.campaign, share / PERCENT, seed, **how, disabled=disabled_here())
    return f"{counted(drawn.pairs, 'pair')} of {counted(len(drawn.seconds), 'topic')} drawn."


@CHANGES("close")
def _close(*, topics: Ticked = ()) -> str:
    return f"{counted(len(assigning.close(g.campaign, _chosen(topics))), 'topic')} closed."


@CHANGES("reopen")
def _reopen(*, topics: Ticked = ()) -> str:
    return f"{counted(len(assigning.reopen(g.campaign, _chosen(topics))), 'topic')} reopened."
