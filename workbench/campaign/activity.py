"""How judging goes, added up: per topic, per assessor, and since when. All by the rule of `judgments.qrels`."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from workbench.campaign.connection import Campaign
from workbench.campaign.log import timestamp
from workbench.campaign.schema import COUNTED_KINDS, quoted

_COUNTED = quoted(COUNTED_KINDS)
_SCREEN = "source = 'screen' AND kind IN ('grade', 'can''t tell')"

_STANDING = f"""SELECT max(seq) AS seq, topic, document, assessor, kind, grade FROM judgment
    WHERE kind IN ({_COUNTED}) GROUP BY topic, document, assessor"""

# The bare column `grade` is that of the row with the newest graded `seq`, as in `judgments.qrels`.
_PAIRS = f"""SELECT topic, document, max(CASE WHEN grade IS NOT NULL THEN seq END) AS graded, grade,
        sum(kind <> 'cleared') AS standing, count(DISTINCT grade) AS grades
    FROM ({_STANDING}) GROUP BY topic, document"""


class TopicTally(NamedTuple):
    """One topic's pairs: pooled, of these without a text, judged by anybody, of these pooled, of these in turn without
    a text; those with a grade, with a relevant one, and those on which assessors' grades differ.
    """

    pooled: int = 0
    without_text: int = 0
    judged: int = 0
    judged_in_pool: int = 0
    judged_without_text: int = 0
    graded: int = 0
    relevant: int = 0
    conflicts: int = 0


class AssessorTally(NamedTuple):
    """One assessor's work: pairs with a judgment in force, of these not told; judgments made on the screen that say
    how long they took, all their active seconds, and when the newest row of the log came in.
    """

    assessor: str
    judged: int
    cannot_tell: int
    timed: int
    seconds: float
    last_at: str


class Recent(NamedTuple):
    """Pairs that were judged for the first time since some moment, on the screen; and when that happened first ever."""

    pairs: int
    first_at: str | None


def by_topic(campaign: Campaign, relevant_from: int) -> dict[str, TopicTally]:
    """What is pooled and judged of each topic that has any of it."""
    pooled = {
        topic_id: tuple(counts)
        for topic_id, *counts in campaign.db.conn.execute(
            "SELECT topic, count(*), sum(text IS NULL) FROM pooled JOIN document USING (document) GROUP BY topic"
        )
    }
    judged = {
        topic_id: tuple(counts)
        for topic_id, *counts in campaign.db.conn.execute(
            f"""SELECT pair.topic, sum(standing > 0), sum(standing > 0 AND pool IS NOT NULL),
                sum(standing > 0 AND pool IS NOT NULL AND text IS NULL),
                count(graded), sum(graded IS NOT NULL AND grade >= ?), sum(grades > 1)
            FROM ({_PAIRS}) AS pair LEFT JOIN pooled USING (topic, document) LEFT JOIN document USING (document)
            GROUP BY pair.topic""",
            [relevant_from],
        )
    }
    return {
        topic_id: TopicTally(*pooled.get(topic_id, (0, 0)), *judged.get(topic_id, (0, 0, 0, 0, 0, 0)))
        for topic_id in sorted({*pooled, *judged})
    }


def by_assessor(campaign: Campaign) -> list[AssessorTally]:
    """What each assessor in the log has judged, by name in byte order; imported judgments have an assessor too."""
    standing = {
        name: (judged, cannot_tell)
        for name, judged, cannot_tell in campaign.db.conn.execute(
            f"""SELECT assessor, count(*), sum(kind = 'can''t tell') FROM ({_STANDING})
            WHERE kind <> 'cleared' GROUP BY assessor"""
        )
    }
    rows = campaign.db.conn.execute(
        f"""SELECT assessor, total(active_seconds > 0 AND {_SCREEN}),
            total(CASE WHEN {_SCREEN} THEN max(active_seconds, 0) END), max(received_at)
        FROM judgment GROUP BY assessor ORDER BY assessor"""
    )
    return [
        AssessorTally(name, *standing.get(name, (0, 0)), int(timed), seconds, last)
        for name, timed, seconds, last in rows
    ]


def first_judged_since(campaign: Campaign, since: datetime) -> Recent:
    """How many pairs were first judged at or after `since`; what was imported is no judging."""
    (pairs,) = campaign.db.conn.execute(
        f"""SELECT count(*) FROM judgment AS late WHERE received_at >= ? AND {_SCREEN} AND NOT EXISTS (
            SELECT 1 FROM judgment WHERE topic = late.topic AND document = late.document
            AND kind IN ({_COUNTED}) AND seq < late.seq
        )""",
        [timestamp(since)],
    ).fetchone()
    first = campaign.db.conn.execute(
        f"SELECT received_at FROM judgment WHERE {_SCREEN} ORDER BY seq LIMIT 1"
    ).fetchone()
    return Recent(pairs, first[0] if first else None)
