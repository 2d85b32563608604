"""The log as it passed: what the board of any moment is made of, row by row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from workbench.core.records import COUNTED_KINDS
from workbench.storage.campaign.collection.pools import EVER, all_pools
from workbench.storage.campaign.collection.question_topics import OF_QUESTION, seen
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import quoted, shown
from workbench.storage.campaign.grades.sources import MODEL

_COUNTED = quoted((*COUNTED_KINDS, MODEL))
_SAID = (
    f"seq, topic, document, CASE kind WHEN 'adjudication' THEN NULL ELSE {shown('assessor')} END, grade, kind"
)


class LoggedGrade(NamedTuple):
    """A row of the log by which an assessor says, or takes back, what a pair's grade is, or a model says it; None is no
    grade.

    Adjudications have no assessor: they are one line for all adjudicators.
    """

    seq: int
    topic_id: str
    document_id: str
    assessor: str | None
    grade: int | None
    kind: str = "grade"

    @property
    def line(self) -> tuple[str | None, bool]:
        """Whose earlier rows on the pair this one replaces; a model is distinct from an assessor of the same name."""
        return self.assessor, self.kind == MODEL


class LoggedPooling(NamedTuple):
    """A pair, the row of the log that pooled it, and the number of that pool, which may have been retired since."""

    seq: int
    topic_id: str
    document_id: str
    pool: int


def grades_between(campaign: Campaign, after: int, last: int) -> Iterator[LoggedGrade]:
    """What was said after the row `after` up to `last`, in the order of the log; repeats and norming are left out."""
    rows = campaign.execute(
        f"""SELECT {_SAID} FROM judgment
        WHERE seq > :after AND seq <= :last AND kind IN ({_COUNTED}) AND {OF_QUESTION} ORDER BY seq""",
        seen(campaign, after=after, last=last),
    )
    return map(LoggedGrade._make, rows)


def logged_grades_of_topic(campaign: Campaign, topic_id: str) -> list[LoggedGrade]:
    """What was said of one topic up to then, in the order of the log; repeats and norming are left out."""
    rows = campaign.execute(
        f"SELECT {_SAID} FROM judgment WHERE topic = ? AND seq <= ? AND kind IN ({_COUNTED}) ORDER BY seq",
        [topic_id, campaign.up_to],
    )
    return list(map(LoggedGrade._make, rows))


def pooled_between(campaign: Campaign, after: int, last: int) -> list[LoggedPooling]:
    """The pairs that were pooled after the row `after` up to `last`, in the order of the log."""
    made = {pool.pool: pool.seq for pool in all_pools(campaign) if after < pool.seq <= last}
    rows = campaign.execute(
        f"""SELECT choice, topic, document, pool FROM {EVER}
        WHERE {OF_QUESTION} AND (
            choice > :after AND choice <= :last OR choice IS NULL AND pool IN (SELECT value FROM json_each(:made)))""",
        seen(campaign, after=after, last=last, made=json.dumps(list(made))),
    )
    return sorted(LoggedPooling(row[0] or made[row[3]], *row[1:]) for row in rows)


def first_judgment(campaign: Campaign) -> int | None:
    """The `seq` of the first judgment; None before there is one."""
    first = f"SELECT seq FROM judgment WHERE {OF_QUESTION} ORDER BY seq LIMIT 1"
    return campaign.value(first, seen(campaign))


def time_of(campaign: Campaign) -> str | None:
    """When the newest row up to then was written, UTC in ISO 8601; None when there is none."""
    return campaign.value(
        """SELECT at FROM (
            SELECT * FROM (SELECT seq, at FROM event WHERE seq <= :at ORDER BY seq DESC LIMIT 1)
            UNION ALL
            SELECT * FROM (SELECT seq, received_at FROM judgment WHERE seq <= :at ORDER BY seq DESC LIMIT 1)
        ) ORDER BY seq DESC LIMIT 1""",
        {"at": campaign.up_to},
    )
