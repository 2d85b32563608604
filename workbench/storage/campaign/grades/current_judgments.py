"""Whose judgment of which pair stands: a grade or can't tell, neither cleared since nor an adjudication; and each
assessor's own grade, apart from other assessors' grades and from what was settled afterwards.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import NamedTuple

from workbench.core.records import COUNTED_KINDS
from workbench.jobs.observing import observed
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import quoted, shown
from workbench.storage.campaign.log import kinds

INDEPENDENT_KINDS = ("grade", "can't tell", "cleared", "import")
"""Kinds of judgments that an assessor gives alone; an adjudication is given with the other grades in sight."""
OWN_KINDS = quoted(INDEPENDENT_KINDS)
"""The same as SQL lists them."""


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
        WHERE topic IN (SELECT value FROM json_each(?)) AND kind IN ({OWN_KINDS})
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
            WHERE topic = :topic AND seq <= :as_of AND kind IN ({OWN_KINDS}) GROUP BY document, assessor
        ) WHERE kind <> 'cleared'""",
            {"topic": topic_id, "as_of": campaign.up_to},
        )
    )


def first_of_topic(campaign: Campaign, topic_id: str) -> dict[str, int]:
    """The `seq` of the first judgment of each of a topic's documents, repeats and norming left out."""
    return campaign.mapping(
        f"""SELECT document, min(seq) FROM judgment
        WHERE topic = :topic AND seq <= :as_of AND kind IN ({quoted((*COUNTED_KINDS, "model"))}) GROUP BY document""",
        {"topic": topic_id, "as_of": campaign.up_to},
    )


def drawn_twice(campaign: Campaign) -> set[tuple[str, str]]:
    """The pairs drawn for a second judgment of which two assessors' judgments stand."""
    rows = campaign.execute(
        f"""SELECT topic, document FROM (
            SELECT topic, document, judgment.kind, max(judgment.seq)
            FROM event CROSS JOIN json_each(event.content, '$.drawn') AS pair CROSS JOIN judgment
            ON topic = pair.value ->> 0 AND document = pair.value ->> 1
            WHERE event.kind = '{kinds.DRAW}' AND judgment.kind IN ({OWN_KINDS}) GROUP BY topic, document, assessor
        ) WHERE kind <> 'cleared' GROUP BY topic, document HAVING count(*) > 1"""
    )
    return set(rows)


def of_pair(campaign: Campaign, topic_id: str, document_id: str) -> frozenset[str]:
    """The assessors whose judgments of one pair stand."""
    rows = campaign.execute(
        f"""SELECT {shown("assessor")}, kind, max(seq) FROM judgment
        WHERE topic = ? AND document = ? AND kind IN ({OWN_KINDS}) GROUP BY assessor""",
        [topic_id, document_id],
    )
    return frozenset(assessor for assessor, kind, _ in rows if kind != "cleared")


class IndependentGrade(NamedTuple):
    """An assessor's own grade in force of a pair."""

    topic_id: str
    document_id: str
    assessor: str
    grade: int


def independent_grades(campaign: Campaign) -> Iterator[IndependentGrade]:
    """Every assessor's newest independent judgment of each pair that is a grade, now or as of a place in the log.

    In byte order of topic, document and assessor. Who cleared a judgment, or could not tell, has no grade of the
    pair; an assessor who later adjudicated it keeps the one from before.
    """
    return _newest_grades(campaign, OWN_KINDS)


def model_grades(campaign: Campaign) -> Iterator[IndependentGrade]:
    """The newest label of each model for each pair, in the same order; `assessor` is the model's name."""
    return _newest_grades(campaign, quoted(("model",)))


def _newest_grades(campaign: Campaign, of_kinds: str) -> Iterator[IndependentGrade]:
    query = f"""SELECT topic, document, {shown("assessor")} AS assessor, grade FROM (
            SELECT topic, document, assessor, grade, max(seq) FROM judgment
            WHERE kind IN ({of_kinds}) AND topic = ? AND seq <= ? GROUP BY document, assessor
        ) WHERE grade IS NOT NULL ORDER BY document, assessor"""
    for topic_id in observed(topics.judged(campaign), "Reading grades"):
        yield from map(IndependentGrade._make, campaign.execute(query, [topic_id, campaign.up_to]))


def first_given(campaign: Campaign, topic_id: str, document_id: str) -> dict[str, int]:
    """Who judged a pair, and since which row of the log, judgments that were cleared included."""
    return campaign.mapping(
        f"""SELECT {shown("assessor")}, min(seq) FROM judgment
        WHERE topic = ? AND document = ? AND kind IN ({OWN_KINDS}) GROUP BY assessor""",
        [topic_id, document_id],
    )


def partial_imports(campaign: Campaign) -> set[tuple[str, str]]:
    """The topics, with the source of an import, of which the import has not all pairs that others judged before it."""
    rows = campaign.execute(
        f"""SELECT DISTINCT topic, {shown("assessor")} FROM (
            SELECT topic, assessor, min(seq) AS seq FROM judgment WHERE kind = 'import' AND seq <= :as_of
            GROUP BY topic, assessor
        ) AS imported WHERE EXISTS (
            SELECT 1 FROM judgment AS earlier WHERE earlier.topic = imported.topic
            AND earlier.seq < imported.seq AND earlier.assessor != imported.assessor
            AND earlier.kind IN ({OWN_KINDS}) AND NOT EXISTS (
                SELECT 1 FROM judgment AS same WHERE same.topic = earlier.topic
                AND same.document = earlier.document AND same.assessor = imported.assessor AND same.seq <= :as_of
            )
        )""",
        {"as_of": campaign.up_to},
    )
    return set(rows.fetchall())
