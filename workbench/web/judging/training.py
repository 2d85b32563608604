"""How assessors begin: examples with reasons, the practice set, and the page where an organiser keeps both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from flask import abort, g, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response as AnyResponse

from workbench.campaign import training
from workbench.campaign.assessing.showing import show_unpooled
from workbench.campaign.campaign_settings import MOST_PRACTICE, SETTINGS
from workbench.campaign.changing_settings import change_settings
from workbench.core.errors import REFUSED, AlreadyDone, CampaignError, NotThere
from workbench.core.natural_order import natural
from workbench.storage.campaign.assigning import training as stored_training
from workbench.storage.campaign.assigning.training import EXAMPLE, PRACTICE, USES, TrainingPair
from workbench.storage.campaign.assigning.training import pairs as stored_pairs
from workbench.storage.campaign.collection import documents, topics
from workbench.storage.campaign.counts.progress import progress_by_topic
from workbench.storage.campaign.grades import judgments, labels
from workbench.storage.campaign.log.kinds import LONGEST_REASON
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import JUDGES, ORGANISERS, Pages
from workbench.web.judging import preferences
from workbench.web.judging.document_view import frame_of, view_of
from workbench.web.judging.given import buttons_at
from workbench.web.judging.keys import NOT_IN_PRACTICE, GradeButton, grade_buttons, in_order, legend
from workbench.web.requests.form_values import whole_number
from workbench.web.requests.languages import gettext
from workbench.web.requests.lists import Choice, Column, Filter, Listing, ListView, list_address, request_list
from workbench.web.requests.long_work import reads_documents

SIZE = 25


class JudgedPair(NamedTuple):
    """A judged document of the topic: its grade, for what it is used, and the reason, or the note that proposes one."""

    document_id: str
    grade: int
    uses: tuple[str, ...]
    reason: str


class TrainingTable(NamedTuple):
    """The topics that have judgments, by id with their titles, the one that is shown, and its judged pairs.

    Of the pairs on the page: the titles, and what a form that was refused says of them.
    """

    topics: dict[str, str]
    topic_id: str
    list: ListView[JudgedPair]
    titles: dict[str, str]
    typed: dict[str, JudgedPair]


PAIRS = Listing[JudgedPair](
    noun="judged document",
    columns=(
        Column("document", "Document", lambda each: natural(each.document_id)),
        Column("grade", "Grade", lambda each: each.grade),
    ),
    text=lambda each: each.document_id,
    looks_in="Id",
    ident=lambda each: each.document_id,
    order="document",
    size=SIZE,
)


def training_table(by_grade: dict[int, GradeButton]) -> TrainingTable | None:
    """The table of `?topic=`, else of the topic that has the most judged pairs; None where none has any."""
    judged = {row.topic_id: row.judged for row in progress_by_topic(g.campaign, g.member) if row.judged}
    if not judged:
        return None
    asked = request.values.get("topic", "")
    topic_id = asked if asked in judged else max(judged, key=lambda each: judged[each])
    grades = {str(grade): Choice(button.name, _with(grade)) for grade, button in by_grade.items()}
    listing = replace(
        PAIRS,
        filters=(
            Filter("grade", "Grade", grades),
            Filter("use", "Use", {use: Choice(use, _used(use)) for use in USES}),
        ),
    )
    found = listing.view(_pairs(topic_id), request_list(), ".page", campaign=g.campaign.name, topic=topic_id)
    titles = documents.titles(g.campaign, [each.document_id for each in found.rows])
    named = topics.titles(g.campaign)
    offered = {each: named[each] for each in sorted(judged, key=natural)}
    return TrainingTable(offered, topic_id, found, titles, _typed())


def _typed() -> dict[str, JudgedPair]:
    form = request.form
    given = enumerate(form.getlist("document") if form.get("do") == "tick" else ())
    return {
        one: JudgedPair(
            one, 0, tuple(use for use in USES if one in form.getlist(use)), form.get(f"reason-{at}", "")
        )
        for at, one in given
    }


def _with(grade: int) -> Callable[[JudgedPair], bool]:
    return lambda each: each.grade == grade


def _used(use: str) -> Callable[[JudgedPair], bool]:
    return lambda each: use in each.uses


def _pairs(topic_id: str) -> list[JudgedPair]:
    chosen = chosen_of(topic_id)
    own = judgments.current_of_topic(g.campaign, topic_id)
    notes = {each.document_id: each.comment for each in own if each.comment}
    found = []
    for document_id, grade in labels.grades_of_topic(g.campaign, topic_id).items():
        there = [chosen[use][document_id] for use in USES if document_id in chosen[use]]
        reason = there[0].reason if there else notes.get(document_id, "")
        uses = tuple(pair.use for pair in there)
        found.append(JudgedPair(document_id, there[0].grade if there else grade, uses, reason))
    return found


def chosen_of(topic_id: str) -> dict[str, dict[str, TrainingPair]]:
    """The pairs of a topic that are used, by use and document."""
    return {
        use: {pair.document_id: pair for pair in stored_pairs(g.campaign, use) if pair.topic_id == topic_id}
        for use in (EXAMPLE, PRACTICE)
    }


def ticked() -> tuple[list[TrainingPair], list[TrainingPair]]:
    """What the form of the table chooses, and what it drops; what it did not show stays.

    A box that is as it was shown changes nothing, so that what another organiser did meanwhile stays too.
    """
    form, topic_id = request.form, request.form.get("topic", "")
    there, grades = chosen_of(topic_id), labels.grades_of_topic(g.campaign, topic_id)
    chosen, dropped = [], []
    for use in USES:
        now, before = set(form.getlist(use)), set(form.getlist(f"was-{use}"))
        for number, document_id in enumerate(form.getlist("document")):
            known = there[use].get(document_id)
            grade = known.grade if known else grades.get(document_id, 0)
            pair = TrainingPair(topic_id, document_id, use, grade, form.get(f"reason-{number}", "").strip())
            if document_id in before - now:
                dropped.append(pair)
            elif document_id in now and pair != known:
                chosen.append(pair)
    return chosen, dropped


FIRST = {"guidelines": "guidelines.page", "practice": "training.practice"}
"""The pages that come before an assessor's first document."""

blueprint = Pages("training", __name__)


@blueprint.get("/c/<campaign>/practice", allow=JUDGES)
def practice(campaign: str) -> str:
    """The next pair of the practice set, or the result; of `?topic=&document=` what was right there, or an example."""
    return _practice()


@blueprint.post("/c/<campaign>/practice", allow=JUDGES)
def answer(campaign: str) -> ResponseReturnValue:
    """Answer a practice pair, or begin the set again, as the form's `do` says. Nothing of it is a judgment."""
    if request.form.get("do") == "again":
        training.practise_again(g.campaign, g.member)
        return redirect(url_for(".practice", campaign=campaign), 303)
    topic_id, document_id = request.form.get("topic", ""), request.form.get("document", "")
    try:
        grade = whole_number("grade", "choose one of the grades", -(10**6))
        training.answer(g.campaign, g.member, topic_id, document_id, grade)
    except NotThere as error:
        return _practice(str(error)), 409
    except CampaignError as error:
        return _practice(str(error)), 422
    return redirect(url_for(".practice", campaign=campaign, topic=topic_id, document=document_id), 303)


def _practice(problem: str = "") -> str:
    current = settings.read(g.campaign)
    found = training.practice(g.campaign, g.member)
    key = (request.args.get("topic"), request.args.get("document"))
    given = next((each for each in found.answers if (each.topic_id, each.document_id) == key), None)
    pair = next((each for each in found.pairs if given and each[:2] == key), None)
    # An example is shown, unless it is in the practice set too, which has not been answered.
    is_practice = any(each[:2] == key for each in found.pairs)
    examples = [] if is_practice else training.examples(g.campaign)
    example = next((each for each in examples if each[:2] == key), None)
    pair = pair or example or found.following
    stored = topics.find(g.campaign, pair.topic_id) if pair else None
    own = preferences.all_of(g.campaign, g.member)
    buttons = grade_buttons(current.grades, current.relevant_from, own["keys"], current.key_order)
    return render_template(
        "judging/training/practice.html",
        name=g.campaign.name,
        settings=current,
        found=found,
        pair=pair,
        given=given,
        example=example,
        data=_data(pair, own, buttons) if pair else None,
        topic=stored.topic if stored else None,
        buttons=buttons,
        by_grade=buttons_at(g.campaign, given.seq if given else None),
        buttons_at=partial(buttons_at, g.campaign),
        problem=problem,
    )


def _data(pair: TrainingPair, own: dict[str, Any], buttons: Sequence[GradeButton]) -> dict[str, Any]:
    """What the page's code starts from: as on the judging page, for one document."""
    campaign, topic_id = g.campaign.name, pair.topic_id
    return {
        **preferences.page_data(topic_id, own),
        "document_id": pair.document_id,
        "document_url": url_for(".document", campaign=campaign, topic=topic_id, document=pair.document_id),
        "grades": [button._asdict() for button in buttons],
        "actions": legend(in_order(settings.read(g.campaign).grades), without=NOT_IN_PRACTICE),
        "practice": True,
        "cards": False,
    }


@blueprint.get("/c/<campaign>/practice/document", allow=JUDGES)
@reads_documents
def document(campaign: str) -> AnyResponse:
    """The document of a training pair, `?topic=&document=`, in its frame; of no other pair."""
    key = (request.args.get("topic", ""), request.args.get("document", ""))
    chosen = {pair[:2] for use in USES for pair in stored_training.pairs(g.campaign, use)}
    stored = topics.find(g.campaign, key[0])
    shown = show_unpooled(g.campaign, stored, key[1]) if stored and key in chosen else None
    if shown is None or shown.document is None:
        abort(404, gettext("This document is neither an example nor in the practice set."))
    return frame_of(view_of(key[1], shown), whole=False, is_alone=False)


@blueprint.app_template_global()
def training_examples() -> list[tuple[TrainingPair, str, str]]:
    """The examples of this request's campaign, each with the titles of its topic and document."""
    return [_titled(pair) for pair in training.examples(g.campaign)]


def _titled(pair: TrainingPair) -> tuple[TrainingPair, str, str]:
    stored = topics.find(g.campaign, pair.topic_id)
    titles = documents.titles(g.campaign, [pair.document_id])
    return (
        pair,
        stored.topic.title if stored and stored.topic.title else pair.topic_id,
        titles.get(pair.document_id) or pair.document_id,
    )


@blueprint.get("/c/<campaign>/training", allow=ORGANISERS)
def page(campaign: str) -> ResponseReturnValue:
    """Examples and practice set as they are, and who has practised with which result."""
    return _page()


@blueprint.post("/c/<campaign>/training", allow=ORGANISERS)
def change(campaign: str) -> ResponseReturnValue:
    """Choose a pair or those that are ticked, remove one, or set how many have to be right, as the form's `do` says."""
    form = request.form
    which = form.get("topic", ""), form.get("document", ""), form.get("use", "")
    try:
        if form.get("do") == "require":
            required = SETTINGS["practice-required"].value_of(form.get("required", "") or "0")
            change_settings(g.campaign, {"practice-required": required})
        elif form.get("do") == "remove":
            training.remove_pair(g.campaign, *which)
        elif form.get("do") == "tick":
            training.change_pairs(g.campaign, *ticked())
            shown: dict[str, Any] = {**list_address(form).to_dict(), "topic": form.get("topic", "")}
            return redirect(url_for(".page", campaign=campaign, **shown, _anchor="pairs"), 303)
        else:
            grade = whole_number("grade", "choose one of the grades", -(10**6))
            pair = TrainingPair(*which, grade, form.get("reason", ""))
            training.choose_pair(g.campaign, pair)
    except AlreadyDone as error:
        return _page(str(error), 409)
    except REFUSED as error:
        return _page(str(error), 422)
    return redirect(url_for(".page", campaign=campaign), 303)


def _page(problem: str = "", status: int = 200) -> ResponseReturnValue:
    current = settings.read(g.campaign)
    by_grade = {button.grade: button for button in grade_buttons(current.grades, current.relevant_from)}
    html = render_template(
        "judging/training/page.html",
        name=g.campaign.name,
        settings=current,
        pairs={use: [_titled(pair) for pair in stored_training.pairs(g.campaign, use)] for use in USES},
        most=training.MOST,
        most_required=MOST_PRACTICE,
        results=training.results(g.campaign),
        by_grade=by_grade,
        table=training_table(by_grade),
        longest_reason=LONGEST_REASON,
        problem=problem,
    )
    return make_response(html, status)
