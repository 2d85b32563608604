"""Each assessor's own grade of a pair, apart from other assessors' grades and from what was settled afterwards."""

from __future__ import annotations

from typing import NamedTuple

from workbench.core.observing import observed
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.people_tables import shown
from workbench.storage.campaign.file.schema import quoted
from workbench.storage.campaign.log.log import judged_topics, up_to

INDEPENDENT_KINDS = ("grade", "can't tell", "cleared", "import")
"""Kinds of judgments that an assessor gives alone; an adjudication is given with the other grades in sight."""


class IndependentGrade(NamedTuple):
    """An assessor's own grade in force of a pair."""

    topic_id: str
    document_id: str
    assessor: str
    grade: int


def independent_grades(campaign: Campaign, as_of: int | None = None) -> list[IndependentGrade]:
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
        for row in campaign.db.conn.execute(query, [topic_id, up_to(as_of)])
    ]
