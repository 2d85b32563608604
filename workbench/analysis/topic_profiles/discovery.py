"""How the relevant documents of a topic were found, judgment by judgment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades import rows_over_time
from workbench.storage.campaign.grades.labels import chooser, newest
from workbench.storage.campaign.grades.rows_over_time import LoggedGrade
from workbench.storage.campaign.grades.sources import ADJUDICATION, precedence_at
from workbench.storage.campaign.grades.votes import Vote
from workbench.storage.campaign.organising import settings

Line = tuple[str | None, bool]
"""Who gave a grade, and whether that is a model."""


class Found(NamedTuple):
    """After the row `seq` of the log, the `judgments`-th of its topic: how many documents are judged and relevant."""

    seq: int
    judgments: int
    judged: int
    relevant: int


def history_of(campaign: Campaign, topic_id: str) -> list[Found]:
    """The history of judging of a topic, up to now or to a row of the log; empty when it has no judgments.

    What is relevant is so by the rules in force at the end; by the model of Dawid and Skene, which looks at all topics
    together, the majority says it for each step.
    """
    relevant_from = settings.read(campaign).relevant_from
    precedence = precedence_at(campaign)
    said = rows_over_time.logged_grades_of_topic(campaign, topic_id)
    counted = [row for row in said if precedence.tier(row.kind) is not None]
    return follow(counted, relevant_from, chooser(campaign, topic_id))


def follow(
    said: Iterable[LoggedGrade], relevant_from: int, choose: Callable[[Sequence[Vote]], int] = newest
) -> list[Found]:
    """The counts after each row; `choose` makes one grade of those in force, the newest last."""
    in_force: dict[str, dict[Line, Vote]] = {}
    grades: dict[str, int | None] = {}
    judged = relevant = 0
    found = []
    for place, row in enumerate(said, start=1):
        before = grades.get(row.document_id)
        votes = _votes_after(in_force.setdefault(row.document_id, {}), row)
        grades[row.document_id] = after = choose(votes) if votes else None
        judged += (after is not None) - (before is not None)
        relevant += _is_relevant(after, relevant_from) - _is_relevant(before, relevant_from)
        found.append(Found(row.seq, place, judged, relevant))
    return found


def _votes_after(by_line: dict[Line, Vote], row: LoggedGrade) -> list[Vote]:
    """Note what an assessor, or an adjudication, says of a document now; all that is in force, newest last."""
    by_line.pop(row.line, None)
    if row.grade is not None:
        kind = ADJUDICATION if row.assessor is None else row.kind
        by_line[row.line] = Vote(row.seq, row.assessor or "", kind, row.grade)
    return list(by_line.values())


def _is_relevant(grade: int | None, relevant_from: int) -> bool:
    return grade is not None and grade >= relevant_from
