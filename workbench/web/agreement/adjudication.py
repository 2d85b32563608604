"""Adjudication: the conflicts between assessors, and one of them with its document and the grades given, without names.

The page of a conflict is a form: a grade is one of its buttons, or that button's key. Every form carries a uuid, so
that one which is sent again, because its answer was lost, stores nothing twice. The page's own code
sends the same fields and asks for JSON: then the answer says where to go next, or why nothing was stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple
from uuid import uuid4

from flask import abort, current_app, g, jsonify, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.analysis.adjudication.conflicts import Conflicts, cached_conflicts
from workbench.analysis.adjudication.deciding import adjudicate, pair_of, take_back
from workbench.campaign.assessing import Receipt
from workbench.core.about import ONE, PAIRS
from workbench.core.errors import CampaignError, GradesDoNotFit, JudgmentRefused, NotThere, UnknownName
from workbench.core.natural_order import natural
from workbench.core.records import LONGEST_COMMENT
from workbench.core.wording import capital
from workbench.scoring.board.table import usual_measures
from workbench.storage.campaign.collection import documents, topics
from workbench.storage.campaign.collection.question_topics import about, question_of
from workbench.storage.campaign.grades import adjudications, labels
from workbench.storage.campaign.grades.adjudications import Adjudication
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people.members import ADJUDICATORS
from workbench.web.access.rules import Pages
from workbench.web.agreement import decision_form
from workbench.web.judging import preferences
from workbench.web.judging.given import buttons_of, given_buttons, offered_buttons
from workbench.web.judging.keys import in_order, legend
from workbench.web.judging.submissions import check_log
from workbench.web.requests.answers import status_of, wants_json
from workbench.web.requests.lists import Choice, Column, Filter, Listing
from workbench.web.requests.long_work import slow_at_first


class Row(NamedTuple):
    """A conflict or a settled pair as the list shows it, with what the topic and the document are called."""

    what: Any
    topic: str
    title: str


DOCUMENT = Column[Row]("document", "Document", lambda row: natural(row.title.casefold()))
TOPIC = Column[Row]("topic", "Topic", lambda row: natural(row.what.topic_id))

OPEN = Listing[Row](
    noun="conflict",
    columns=(
        DOCUMENT,
        TOPIC,
        Column("grades", "Grades given", lambda row: sorted(row.what.grades)),
        Column("assessors", "Assessors", lambda row: row.what.assessors, numeric=True),
        Column("apart", "Apart", lambda row: row.what.gap, numeric=True),
        Column("swaps", "Order of top runs", lambda row: -row.what.influence.swaps),
    ),
    filters=(
        Filter(
            "order",
            "Order of top runs",
            {
                "changes": Choice("could change", lambda row: bool(row.what.influence.swaps)),
                "stays": Choice("stays", lambda row: not row.what.influence.swaps),
            },
            every="any",
        ),
    ),
    text=lambda row: f"{row.what.topic_id} {row.topic} {row.what.document_id} {row.title}",
    looks_in="Topic or document",
    prefix="open-",
)

SETTLED = Listing[Row](
    noun="document",
    columns=(
        DOCUMENT,
        TOPIC,
        Column("grade", "Adjudicated as", lambda row: row.what.grade, numeric=True),
        Column("by", "By", lambda row: natural(row.what.adjudicator.casefold())),
        Column("when", "When", lambda row: row.what.seq, numeric=True),
        Column("note", "Note", lambda row: row.what.comment.casefold() or None),
    ),
    text=lambda row: f"{row.what.topic_id} {row.topic} {row.what.document_id} {row.title} {row.what.comment}",
    looks_in="Topic, document or note",
    prefix="settled-",
)


def rows_of(shown: Sequence[Any]) -> list[Row]:
    """Conflicts or settled pairs with what their topics and documents are called."""
    titles = documents.titles(g.campaign, [each.document_id for each in shown])
    names = topics.titles(g.campaign)
    return [
        Row(each, names.get(each.topic_id, ""), titles.get(each.document_id) or each.document_id)
        for each in shown
    ]


blueprint = Pages("adjudication", __name__)

QUICK = 500
"""The order of this many conflicts is found again whenever the list is looked at; of more on request."""


@blueprint.get("/c/<campaign>/adjudication", allow=ADJUDICATORS)
@slow_at_first
def page(campaign: str) -> ResponseReturnValue:
    """All conflicts, the most urgent first, and what has been settled; `?m=` finds their order again, by a measure."""
    try:
        found = cached_conflicts(g.campaign, _measure())
        is_turned = request.args.keys() & {*OPEN.words(), *SETTLED.words()}
        if ("m" in request.args and not is_turned) or len(found.open) <= QUICK:
            found = cached_conflicts(g.campaign, _measure(), refresh=True)
        return _list(found)
    except (CampaignError, GradesDoNotFit, UnknownName) as error:
        return _list(cached_conflicts(g.campaign), str(error), 422)


@blueprint.get("/c/<campaign>/adjudicate", allow=ADJUDICATORS)
def pair(campaign: str) -> ResponseReturnValue:
    """The conflict of `?topic=&document=`; without them the most urgent one, or the list where none is left."""
    topic_id, document_id = request.args.get("topic"), request.args.get("document")
    if topic_id is None or document_id is None:
        found = _known()
        return _to(found.open[0].pair if found.open else None)
    return _pair(topic_id, document_id)


@blueprint.post("/c/<campaign>/adjudicate", allow=ADJUDICATORS)
def change(campaign: str) -> ResponseReturnValue:
    """Store an adjudication and go to the conflict that comes next, or take the one of the row `undo` back."""
    check_log(decision_form.text("log"))
    store: Callable[[], Receipt]
    after: tuple[str, str] | None
    if "undo" in request.form:
        seq = decision_form.number("undo")
        row = adjudications.row_at(g.campaign, seq)
        if row is None:
            abort(404, "There is no such adjudication.")
        after = pair = row.topic_id, row.document_id
        g.campaign = g.campaign.asking(question_of(g.campaign, row.topic_id))
        store = partial(take_back, g.campaign, seq, decision_form.uuid())
    else:
        sent = decision_form.decision()
        pair = sent.given.topic_id, sent.given.document_id
        g.campaign = g.campaign.asking(question_of(g.campaign, pair[0]))
        after = _after(*pair)
        store = partial(adjudicate, g.campaign, sent)
    try:
        receipt = store()
    except JudgmentRefused as error:
        if wants_json():
            raise
        return _pair(*pair, f"Nothing was stored: {error}.", status_of(error))
    if wants_json():
        return jsonify(next=_address(after), seq=receipt.judgment.seq, repeated=receipt.repeated)
    return _to(after)


def _measure() -> str:
    """The measure that is asked for, "" for the first of the leaderboard's."""
    asked = request.values.get("m", "").strip()[:200]
    return "" if asked == usual_measures(g.campaign)[0] else asked


def _known() -> Conflicts:
    """The conflicts in the order found last; a measure that does not exist is that of the campaign's own order."""
    try:
        return cached_conflicts(g.campaign, _measure())
    except (CampaignError, GradesDoNotFit, UnknownName):
        return cached_conflicts(g.campaign)


def _to(target: tuple[str, str] | None) -> ResponseReturnValue:
    return redirect(_address(target), 303)


def _address(target: tuple[str, str] | None) -> str:
    """Of a conflict, or of the list."""
    parameters: dict[str, Any] = {"m": _measure()} if _measure() else {}
    if g.campaign.question:
        parameters["question"] = g.campaign.question
    if target is None:
        return url_for(".page", campaign=g.campaign.name, **parameters)
    parameters |= {"topic": target[0], "document": target[1]}
    return url_for(".pair", campaign=g.campaign.name, **parameters)


def _after(topic_id: str, document_id: str, step: int = 1) -> tuple[str, str] | None:
    """The open conflict after this one in their order (or before it), around the end."""
    pairs = [conflict.pair for conflict in _known().open]
    here = topic_id, document_id
    if here not in pairs:
        return pairs[0] if pairs else None
    other = pairs[(pairs.index(here) + step) % len(pairs)]
    return None if other == here else other


def _called(listing: Listing[Row]) -> Listing[Row]:
    """The list by what is judged, such as nuggets; of pairs without distances and scores, which preferences lack."""
    one, of_pairs = ONE[about(g.campaign)], about(g.campaign) in PAIRS
    columns = [replace(DOCUMENT, title=capital(one)), *listing.columns[1:]]
    columns = [each for each in columns if not (of_pairs and each.word in ("apart", "swaps"))]
    filters = () if of_pairs else listing.filters
    looks_in = listing.looks_in.replace("document", one)
    return replace(listing, columns=columns, filters=filters, looks_in=looks_in)


def _list(found: Conflicts, problem: str = "", status: int = 200) -> ResponseReturnValue:
    current, last = settings.read(g.campaign), _last()
    name, args = g.campaign.name, request.args
    rows = rows_of([*found.open, *found.settled])
    usual = usual_measures(g.campaign)
    kept = {} if found.measure == usual[0] else {"m": found.measure}
    others = {word: args[word] for word in SETTLED.words() if args.get(word)}
    open_list = _called(OPEN).view(rows[: len(found.open)], args, ".page", campaign=name, **kept, **others)
    settled_list = _called(SETTLED).view(
        rows[len(found.open) :], args, ".page", campaign=name, **kept, **open_list.args
    )
    rows_given = [one for row in open_list.rows for one in row.what.own_grades]
    rows_given += [row.what for row in settled_list.rows]
    html = render_template(
        "agreement/adjudication/page.html",
        found=found,
        open=open_list,
        settled=settled_list,
        buttons=buttons_of(current),
        given=given_buttons(g.campaign, [row.seq for row in (*rows_given, *(last or ())[:1])]),
        measures=usual,
        one=ONE[about(g.campaign)],
        scored=about(g.campaign) not in PAIRS,
        rule=labels.rule_at(g.campaign),
        last=last,
        new_uuid=uuid4,
        log=log.mark(g.campaign),
        measure=request.args.get("m", "") if problem else found.measure,
        kept=kept,
        problem=problem,
    )
    return make_response(html, status)


def _pair(topic_id: str, document_id: str, problem: str = "", status: int = 200) -> ResponseReturnValue:
    try:
        found = pair_of(g.campaign, topic_id, document_id, g.member)
    except NotThere as error:
        return _list(_known(), problem or str(error), status if problem else 404)
    current = settings.read(g.campaign)
    own = preferences.all_of(g.campaign, g.member)
    every, last = _known(), _last()
    rows = [*found.blinded_grades, found.before, last and last[0]]
    buttons, of_pairs = offered_buttons(current, own["keys"]), current.about in PAIRS
    html = render_template(
        "agreement/adjudication/pair.html",
        document_id=document_id,
        found=found,
        topic=found.shown.topic,
        every=every,
        place=next(
            (place for place, each in enumerate(every.open, 1) if each.pair == (topic_id, document_id)), None
        ),
        following=_after(topic_id, document_id),
        previous=_after(topic_id, document_id, -1),
        last=last,
        buttons=buttons,
        by_grade={button.grade: button for button in buttons},
        given=given_buttons(g.campaign, [row.seq for row in rows if row is not None]),
        comment=request.form.get("comment", ""),
        longest_comment=LONGEST_COMMENT,
        of_pairs=of_pairs,
        measure="" if every.measure == usual_measures(g.campaign)[0] else every.measure,
        new_uuid=uuid4,
        log=log.mark(g.campaign),
        problem=problem,
        data={
            **preferences.page_data(topic_id, own),
            **found.shown.proof,
            "document_id": document_id,
            "log": log.mark(g.campaign),
            "receipt_days": current_app.config["RECEIPT_DAYS"],
            "grades": [button._asdict() for button in buttons],
            "actions": legend(in_order(current.grades), of_pairs=of_pairs),
            "queue": [],
            "elsewhere": [],
            "norming": None,
        },
    )
    return make_response(html, status)


def _last() -> tuple[Adjudication, str] | None:
    """What this person settled last, if it is still in force and of the question that is shown, with the title."""
    last = adjudications.newest_by(g.campaign, g.member)
    if last is None or question_of(g.campaign, last.topic_id) != g.campaign.question:
        return None
    return last, documents.titles(g.campaign, [last.document_id]).get(last.document_id) or last.document_id
