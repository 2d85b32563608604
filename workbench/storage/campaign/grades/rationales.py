"""Rationales: the pieces of documents that assessors kept as reasons for their judgments."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from workbench.jobs.observing import observed
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import COUNTED_KINDS, quoted
from workbench.storage.campaign.file.shown_names import shown
from workbench.storage.campaign.log.log import judged_topics, up_to
from workbench.storage.campaign.log.remarks import RATIONALES


class KeptRationale(NamedTuple):
    """A rationale with the judgment that it belongs to; `seq` is that judgment's place in the log.

    `start` and `end` count code points, see `core.records.Rationale`; `grade` is None where the assessor could not
    tell.
    """

    topic_id: str
    document_id: str
    assessor: str
    grade: int | None
    field: str
    start: int
    end: int
    text: str
    seq: int


def in_force(campaign: Campaign, as_of: int | None = None) -> Iterator[KeptRationale]:
    """The rationales of all judgments in force, by topic, document and assessor in byte order."""
    for topic_id in observed(judged_topics(campaign), "Reading rationales"):
        rows = campaign.db.conn.execute(
            f"""SELECT topic, document, {shown("assessor")} AS assessor, grade, field, start, "end", text, seq FROM (
                SELECT max(seq) AS seq, topic, document, assessor, grade FROM judgment
                WHERE kind IN ({quoted(COUNTED_KINDS)}) AND topic = ? AND seq <= ? GROUP BY document, assessor
            ) JOIN rationale ON rationale.judgment = seq ORDER BY document, assessor, place""",
            [topic_id, up_to(as_of)],
        )
        yield from (KeptRationale(*row) for row in rows)


def listed(campaign: Campaign) -> Iterator[tuple[int, int, str, int, int, str]]:
    """The rows of the table `rationale`: the judgment's `seq`, place among its rationales, field, start, end, text;
    in the order of the first two.
    """
    yield from campaign.db.conn.execute(
        'SELECT judgment, place, field, start, "end", text FROM rationale ORDER BY judgment, place'
    )


def logged(campaign: Campaign) -> Iterator[tuple[int, int, str, int, int, str]]:
    """The same from the log's own rows."""
    rows = campaign.db.conn.execute(
        f"SELECT seq, {RATIONALES} AS said FROM judgment WHERE rationales IS NOT NULL AND said IS NOT NULL ORDER BY seq"
    )
    for seq, rationales in rows:
        for place, (field, start, end, text) in enumerate(json.loads(rationales), start=1):
            yield (seq, place, field, start, end, text)
