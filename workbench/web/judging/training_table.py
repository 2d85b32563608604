"""The judged pairs of a topic, each with boxes to tick: as an example, in the practice set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from flask import g, request

from workbench.core.natural_order import natural
from workbench.storage.campaign.assigning.training import EXAMPLE, PRACTICE, USES, TrainingPair
from workbench.storage.campaign.assigning.training import pairs as stored_pairs
from workbench.storage.campaign.collection import documents, topics
from workbench.storage.campaign.counts.progress import progress_by_topic
from workbench.storage.campaign.grades import judgments, labels
from workbench.web.judging.grade_buttons import GradeButton
from workbench.web.requests.lists import Choice, Column, Filter, Listing, ListView, request_list

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
