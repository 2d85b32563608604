"""How the relevant documents of a topic were found, judgment by judgment."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from workbench.campaign import Campaign, moments, settings
from workbench.campaign.moments import Said


class Found(NamedTuple):
    """After the row `seq` of the log, the `judgments`-th of its topic: how many documents are judged and relevant."""

    seq: int
    judgments: int
    judged: int
    relevant: int


def course_of(campaign: Campaign, topic_id: str, *, as_of: int | None = None) -> list[Found]:
    """The course of judging of a topic, up to now or to a row of the log; empty when nothing was said of it.

    What is relevant is so by the rules in force at the end.
    """
    relevant_from = settings.read(campaign, as_of).relevant_from
    return follow(moments.said_of_topic(campaign, topic_id, as_of), relevant_from)


def follow(said: Iterable[Said], relevant_from: int) -> list[Found]:
    """The counts after each row, by the rule of qrels: of the assessors' grades in force the newest counts."""
    in_force: dict[str, dict[str, int]] = {}
    grades: dict[str, int | None] = {}
    judged = relevant = 0
    found = []
    for place, row in enumerate(said, start=1):
        before = grades.get(row.document_id)
        after = _grade_after(in_force.setdefault(row.document_id, {}), row)
        grades[row.document_id] = after
        judged += (after is not None) - (before is not None)
        relevant += _is_relevant(after, relevant_from) - _is_relevant(before, relevant_from)
        found.append(Found(row.seq, place, judged, relevant))
    return found


def _grade_after(by_assessor: dict[str, int], row: Said) -> int | None:
    """Note what an assessor says of a document now, newest last, and return the grade that counts."""
    by_assessor.pop(row.assessor, None)
    if row.grade is not None:
        by_assessor[row.assessor] = row.grade
    return next(reversed(by_assessor.values()), None)


def _is_relevant(grade: int | None, relevant_from: int) -> bool:
    return grade is not None and grade >= relevant_from
