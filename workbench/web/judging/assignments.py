"""Who judges what: topics given to assessors, taken by them, closed and opened again."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from flask import Response, abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign import assigning
from workbench.campaign.assigning import Overview, RequestRow, TopicRow, handing_over
from workbench.campaign.assigning.changing import NotFree
from workbench.core.errors import REFUSED, AlreadyDone, CampaignError, WorkbenchError
from workbench.core.natural_order import natural
from workbench.core.wording import as_sentence, capital, counted, listed
from workbench.formats.text.content import content_of
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import WHO_JUDGES
from workbench.storage.campaign.people import members
from workbench.web.access.rules import JUDGES, ORGANISERS, Pages
from workbench.web.requests.answers import say
from workbench.web.requests.form_values import whole_number
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


@blueprint.post("/c/<campaign>/assignments", allow=ORGANISERS)
def change(campaign: str) -> ResponseReturnValue:
    """Do what the form's `do` says with the topics it names."""
    todo = CHANGES.get(request.form.get("do", ""))
    if todo is None:
        abort(400, "Choose what to change.")
    try:
        said = todo()
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
def claim(campaign: str) -> ResponseReturnValue:
    """Take the topic of the form, or give it back (`do=give back`)."""
    topic_id = request.form.get("topic", "")
    if request.form.get("do") == "give back":
        assigning.give_back(g.campaign, topic_id, str(g.member))
        return redirect(url_for("campaigns.own_topics", campaign=campaign), 303)
    try:
        assigning.claim(g.campaign, topic_id, str(g.member))
    except NotFree as error:
        abort(
            409,
            gettext(
                "%(problem)s Go back and choose another topic.", problem=as_sentence(gettext(str(error)))
            ),
        )
    return redirect(url_for("judge.page", campaign=campaign, topic=topic_id), 303)


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


def _topics() -> list[str]:
    return TOPICS.chosen(assigning.overview(g.campaign).rows, request.form, "topics")


def _names() -> list[str]:
    names = [name for name in request.form.getlist("assessors") if name]
    if not names:
        raise CampaignError("Choose an assessor for the topics.")
    strangers = assigning.without_judging_role(g.campaign, names)
    if strangers:
        raise CampaignError(
            f"{listed(strangers)}: not among the members who judge. Choose a name from the list, or invite the "
            "person on the page People first."
        )
    return names


def _assign() -> str:
    wanted = request.form.get("part", "whole")
    if wanted not in AS:
        abort(400, f"A part is one of {', '.join(AS)}.")
    part, chosen, names = "second" if wanted == "second" else "whole", _topics(), _names()
    assigning.assign(g.campaign, chosen, names, part=part, add=wanted == "more", disabled=disabled_here())
    return f"{counted(len(chosen), 'topic')} assigned to {listed(names)}."


def _unassign() -> str:
    name = request.form.get("from", "")
    if not name:
        raise CampaignError("Choose the assessor to unassign from the selected topics.")
    return _take([name])


def _take(names: Sequence[str] = ()) -> str:
    return f"{assigning.unassign(g.campaign, names, _topics())}."


def _hand_over() -> str:
    with g.campaign.write():
        return f"{capital(assigning.hand_over(g.campaign, successors()).words)}."


def _who_judges() -> str:
    who = request.form.get("who", "")
    if who not in WHO_JUDGES:
        abort(400, "Choose an assignment policy.")
    usual = settings.read(g.campaign).lease_minutes
    minutes = whole_number("minutes", "A topic is claimed for a whole number of minutes, such as 60.", usual)
    assigning.choose_who_judges(g.campaign, who, lease_minutes=minutes)
    return f"{WORDS[who]}."


def _import() -> str:
    file = request.files.get("list")
    if file is None or not file.filename:
        raise CampaignError("Choose a file first.")
    content = content_of(file.filename, file.read())
    found = assigning.import_list(g.campaign, content, disabled=disabled_here())
    return f"{counted(found.topics, 'topic')} assigned to {counted(found.assessors, 'assessor')}."


def _spread() -> str:
    given = assigning.spread(g.campaign, disabled=disabled_here())
    if not given:
        raise AlreadyDone("every pooled topic has an assessor")
    return f"{counted(len(given), 'topic')} assigned to {counted(len(set(given.values())), 'assessor')}."


def _double() -> str:
    share = request.form.get("share", type=float)
    if share is None or not 0 < share <= PERCENT:
        raise CampaignError("The share is a percentage above 0 and at most 100, such as 10.")
    seed = whole_number("seed", "The seed is a whole number, such as 7.", 1)
    drawn = assigning.draw_double(
        g.campaign,
        share / PERCENT,
        seed,
        stratify=request.form.get("stratify", "none"),
        allocate=request.form.get("allocate", "proportional"),
        disabled=disabled_here(),
    )
    return f"{counted(drawn.pairs, 'pair')} of {counted(len(drawn.seconds), 'topic')} drawn."


CHANGES: dict[str, Callable[[], str]] = {
    "who judges": _who_judges,
    "assign": _assign,
    "unassign": _unassign,
    "unassign all": _take,
    "hand over": _hand_over,
    "spread": _spread,
    "import": _import,
    "double": _double,
    "close": lambda: f"{counted(len(assigning.close(g.campaign, _topics())), 'topic')} closed.",
    "reopen": lambda: f"{counted(len(assigning.reopen(g.campaign, _topics())), 'topic')} reopened.",
}
"""What the forms change, by their field `do`; each says what it changed."""
