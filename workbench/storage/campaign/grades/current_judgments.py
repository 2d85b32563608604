"""Whose judgment of which pair stands: a grade or can't tell, neither cleared since nor an adjudication."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import NamedTuple

from workbench.core.records import COUNTED_KINDS
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import quoted, shown
from workbench.storage.campaign.log import kinds

_JUDGING_KINDS = quoted(tuple(kind for kind in COUNTED_KINDS if kind != "adjudication"))


class CurrentJudgment(NamedTuple):
    """An assessor's judgment of a pair that stands; `kind` is grade, can't tell or import."""

    topic_id: str
    document_id: str
    assessor: str
    kind: str


def of_topics(campaign: Campaign, topic_ids: Collection[str]) -> list[CurrentJudgment]:
    """All that is in these topics."""
    rows = campaign.execute(
        f"""SELECT topic, document, {shown("assessor")}, kind, max(seq) FROM judgment
        WHERE topic IN (SELECT value FROM json_each(?)) AND kind IN ({_JUDGING_KINDS})
        GROUP BY topic, document, assessor""",
        [json.dumps(list(topic_ids))],
    )
    return [CurrentJudgment(*row[:4]) for row in rows if row[3] != "cleared"]


def judged_in_topic(campaign: Campaign, topic_id: str) -> set[str]:
    """The documents of a topic that have a judgment in force, now or as of a row of the log."""
    return set(
        campaign.column(
            f"""SELECT document FROM (
            SELECT document, kind, max(seq) FROM judgment
            WHERE topic = :topic AND seq <= :as_of AND kind IN ({_JUDGING_KINDS}) GROUP BY document, assessor
        ) WHERE kind <> 'cleared'""",
            {"topic": topic_id, "as_of": campaign.up_to},
        )
    )


def first_of_topic(campaign: Campaign, topic_id: str) -> dict[str, int]:
    """The `seq` of the first judgment of each of a topic's documents, repeats and norming left out."""
    rows = campaign.execute(
        f"""SELECT document, min(seq) FROM judgment
        WHERE topic = :topic AND seq <= :as_of AND kind IN ({quoted((*COUNTED_KINDS, "model"))}) GROUP BY document""",
        {"topic": topic_id, "as_of": campaign.up_to},
    )
    return dict(rows.fetchall())


def drawn_twice(campaign: Campaign) -> set[tuple[str, str]]:
    """The pairs drawn for a second judgment of which two assessors' judgments stand."""
    rows = campaign.execute(
        f"""SELECT topic, document FROM (
            SELECT topic, document, judgment.kind, max(judgment.seq)
            FROM event CROSS JOIN json_each(event.content, '$.drawn') AS pair CROSS JOIN judgment
            ON topic = pair.value ->> 0 AND document = pair.value ->> 1
            WHERE event.kind = '{kinds.DRAW}' AND judgment.kind IN ({_JUDGING_KINDS}) GROUP BY topic, document, assessor
        ) WHERE kind <> 'cleared' GROUP BY topic, document HAVING count(*) > 1"""
    )
    return set(rows)


def of_pair(campaign: Campaign, topic_id: str, document_id: str) -> frozenset[str]:
    """The assessors whose judgments of one pair stand."""
    rows = campaign.execute(
        f"""SELECT {shown("assessor")}, kind, max(seq) FROM judgment
        WHERE topic = ? AND document = ? AND kind IN ({_JUDGING_KINDS}) GROUP BY assessor""",
        [topic_id, document_id],
    )
    return frozenset(assessor for assessor, kind, _ in rows if kind != "cleared")
