"""Each assessor's own grade of a pair, apart from other assessors' grades and from what was settled afterwards."""

from __future__ import annotations

from typing import NamedTuple

from workbench.jobs.observing import observed
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import quoted, shown
from workbench.storage.campaign.log.log import judged_topics

INDEPENDENT_KINDS = ("grade", "can't tell", "cleared", "import")
"""Kinds of judgments that an assessor gives alone; an adjudication is given with the other grades in sight."""


class IndependentGrade(NamedTuple):
    """An assessor's own grade in force of a pair."""

    topic_id: str
    document_id: str
    assessor: str
    grade: int


def independent_grades(campaign: Campaign) -> list[IndependentGrade]:
    """Every assessor's newest independent judgment of each pair that is a grade, now or as of a place in the log.

    In byte order of topic, document and assessor. Who cleared a judgment, or could not tell, has no grade of the
    pair; an assessor who later adjudicated it keeps the one from before.
    """
    query = f"""SELECT topic, document, {shown("assessor")} AS assessor, grade FROM (
            SELECT topic, document, assessor, grade, max(seq) FROM judgment
            WHERE kind IN ({quoted(INDEPENDENT_KINDS)}) AND topic = ? AND seq <= ? GROUP BY document, assessor
        ) WHERE grade IS NOT NULL ORDER BY document, assessor"""
    return [
        IndependentGrade(*row)
        for topic_id in observed(judged_topics(campaign), "Reading grades")
        for row in campaign.execute(query, [topic_id, campaign.up_to])
    ]


def first_given(campaign: Campaign, topic_id: str, document_id: str) -> dict[str, int]:
    """Who judged a pair, and since which row of the log, judgments that were cleared included."""
    rows = campaign.execute(
        f"""SELECT {shown("assessor")}, min(seq) FROM judgment
        WHERE topic = ? AND document = ? AND kind IN ({quoted(INDEPENDENT_KINDS)}) GROUP BY assessor""",
        [topic_id, document_id],
    )
    return dict(rows.fetchall())


def partial_imports(campaign: Campaign) -> set[tuple[str, str]]:
    """The topics, with the source of an import, of which the import has not all pairs that others judged before it."""
    rows = campaign.execute(
        f"""SELECT DISTINCT topic, {shown("assessor")} FROM (
            SELECT topic, assessor, min(seq) AS seq FROM judgment WHERE kind = 'import' AND seq <= :as_of
            GROUP BY topic, assessor
        ) AS imported WHERE EXISTS (
            SELECT 1 FROM judgment AS earlier WHERE earlier.topic = imported.topic
            AND earlier.seq < imported.seq AND earlier.assessor != imported.assessor
            AND earlier.kind IN ({quoted(INDEPENDENT_KINDS)}) AND NOT EXISTS (
                SELECT 1 FROM judgment AS same WHERE same.topic = earlier.topic
                AND same.document = earlier.document AND same.assessor = imported.assessor AND same.seq <= :as_of
            )
        )""",
        {"as_of": campaign.up_to},
    )
    return set(rows.fetchall())
