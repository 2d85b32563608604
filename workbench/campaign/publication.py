"""What a release says about the log: how long it is, who judged, and when a row was written."""

from __future__ import annotations

from collections import Counter
from sqlite3 import Cursor
from typing import NamedTuple

from workbench.campaign import labels, pools
from workbench.campaign.connection import Campaign
from workbench.campaign.log import up_to
from workbench.campaign.opinions import INDEPENDENT_KINDS
from workbench.campaign.schema import quoted


def number_of_judgments(campaign: Campaign, as_of: int | None = None) -> int:
    """How many rows of the log are judgments of any kind, those out of force included."""
    (count,) = campaign.db.conn.execute(
        "SELECT count(*) FROM judgment WHERE seq <= ?", [up_to(as_of)]
    ).fetchone()
    return int(count)


def judgments_by_kind(campaign: Campaign, as_of: int | None = None) -> dict[str, int]:
    """How many rows of the log are judgments of each kind that there is, those out of force included."""
    rows = campaign.db.conn.execute(
        "SELECT kind, count(*) FROM judgment WHERE seq <= ? GROUP BY kind ORDER BY kind", [up_to(as_of)]
    )
    return dict(rows.fetchall())


def assessors(campaign: Campaign, as_of: int | None = None) -> list[str]:
    """Everybody who judged, in the order of their first rows in the log: later rows never change that order."""
    rows = campaign.db.conn.execute(
        "SELECT assessor FROM judgment WHERE seq <= ? GROUP BY assessor ORDER BY min(seq)", [up_to(as_of)]
    )
    return [assessor for (assessor,) in rows]


def written_at(campaign: Campaign, seq: int) -> str | None:
    """When a row of the log was written, UTC in ISO 8601; None when there is no such row."""
    row = campaign.db.conn.execute(
        "SELECT at FROM event WHERE seq = :seq UNION ALL SELECT received_at FROM judgment WHERE seq = :seq",
        {"seq": seq},
    ).fetchone()
    return str(row[0]) if row else None


def span(campaign: Campaign, as_of: int | None = None) -> tuple[str, str] | None:
    """The first and the last time at which a judgment was received; None when there is none."""
    first, last = campaign.db.conn.execute(
        "SELECT min(received_at), max(received_at) FROM judgment WHERE seq <= ?", [up_to(as_of)]
    ).fetchone()
    return None if first is None else (first, last)


class Labelled(NamedTuple):
    """How many pairs of a topic have this label; of them those that assessors graded differently, and those that are
    pooled.
    """

    topic_id: str
    grade: int
    pairs: int
    conflicts: int
    pooled: int


def labelled(campaign: Campaign, as_of: int | None = None) -> list[Labelled]:
    """The pairs of `labels.qrels`, counted by topic and grade, in byte order of the topics."""
    # Nearly every label is the newest grade, which SQLite counts fast; the others then move from grade to grade.
    found = {
        (topic_id, grade): Counter(pairs=pairs, conflicts=conflicts, pooled=pooled)
        for topic_id, grade, pairs, conflicts, pooled in _newest(campaign, as_of)
    }
    for moved in labels.moved(campaign, as_of):
        topic_id, document_id = moved.pair
        known = pools.is_pooled(campaign, topic_id, document_id, as_of)
        one = Counter(pairs=1, conflicts=int(moved.disputed), pooled=int(known))
        if moved.newest is not None:
            found[topic_id, moved.newest].subtract(one)
        found.setdefault((topic_id, moved.grade), Counter()).update(one)
    return [
        Labelled(*key, counts["pairs"], counts["conflicts"], counts["pooled"])
        for key, counts in sorted(found.items())
        if counts["pairs"]
    ]


def _newest(campaign: Campaign, as_of: int | None) -> Cursor:
    # Beside max(seq) SQLite takes the grade from the row that has it, as in `labels.qrels`.
    return campaign.db.conn.execute(
        f"""SELECT topic, grade, count(*), sum(grades > 1), sum(EXISTS (
            SELECT 1 FROM pooled WHERE pooled.topic = pair.topic AND pooled.document = pair.document
            AND pooled.pool IN (SELECT pool FROM pool WHERE seq <= :as_of)))
        FROM (
            SELECT topic, document, grade, max(seq), count(DISTINCT grade) AS grades FROM (
                SELECT topic, document, grade, max(seq) AS seq FROM judgment
                WHERE kind IN ({quoted(INDEPENDENT_KINDS)}) AND seq <= :as_of GROUP BY topic, document, assessor
            ) WHERE grade IS NOT NULL GROUP BY topic, document
        ) AS pair GROUP BY topic, grade""",
        {"as_of": up_to(as_of)},
    )


def pooled_by_topic(campaign: Campaign, as_of: int | None = None) -> dict[str, int]:
    """How many pairs of each topic are pooled, topics without any left out, in byte order."""
    rows = campaign.db.conn.execute(
        """SELECT topic, count(*) FROM pooled WHERE pool IN (SELECT pool FROM pool WHERE seq <= ?)
        GROUP BY topic ORDER BY topic""",
        [up_to(as_of)],
    )
    return dict(rows.fetchall())
