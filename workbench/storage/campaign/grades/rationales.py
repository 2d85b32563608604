"""What assessors said beside their grades: pieces of documents kept as reasons, and notes to "can't tell"."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from workbench.core.records import COUNTED_KINDS
from workbench.jobs.observing import observed
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import quoted, shown
from workbench.storage.campaign.grades.current_judgments import OWN_KINDS
from workbench.storage.campaign.log.erasable import COMMENT, RATIONALES
from workbench.storage.campaign.log.log import events
from workbench.storage.campaign.organising.settings import SETTINGS


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


def in_force(campaign: Campaign) -> Iterator[KeptRationale]:
    """The rationales of all judgments in force, by topic, document and assessor in byte order."""
    for topic_id in observed(topics.judged(campaign), "Reading rationales"):
        yield from of_topic(campaign, topic_id)


def of_topic(campaign: Campaign, topic_id: str) -> Iterator[KeptRationale]:
    """Those of a topic, by document and assessor in byte order."""
    rows = campaign.execute(
        f"""SELECT topic, document, {shown("assessor")} AS assessor, grade, field, start, "end", text, seq FROM (
            SELECT max(seq) AS seq, topic, document, assessor, grade FROM judgment
            WHERE kind IN ({quoted(COUNTED_KINDS)}) AND topic = ? AND seq <= ? GROUP BY document, assessor
        ) JOIN rationale ON rationale.judgment = seq ORDER BY document, assessor, place""",
        [topic_id, campaign.up_to],
    )
    return (KeptRationale(*row) for row in rows)


def listed(campaign: Campaign) -> Iterator[tuple[int, int, str, int, int, str]]:
    """Rows of the table `rationale`: seq, place among its rationales, field, start, end, text; in that order."""
    yield from campaign.execute(
        'SELECT judgment, place, field, start, "end", text FROM rationale ORDER BY judgment, place'
    )


def logged(campaign: Campaign) -> Iterator[tuple[int, int, str, int, int, str]]:
    """The same from the log's own rows."""
    rows = campaign.execute(
        f"SELECT seq, {RATIONALES} AS said FROM judgment WHERE rationales IS NOT NULL AND said IS NOT NULL ORDER BY seq"
    )
    for seq, rationales in rows:
        for place, (field, start, end, text) in enumerate(json.loads(rationales), start=1):
            yield (seq, place, field, start, end, text)


class CannotTell(NamedTuple):
    """A judgment in force that says "can't tell": its topic, assessor and note."""

    topic_id: str
    assessor: str
    comment: str


def cannot_tell(campaign: Campaign) -> Iterator[CannotTell]:
    """All assessors' judgments in force that say "can't tell", in the order of the log."""
    rows = campaign.execute(
        f"""SELECT topic, {shown("judgment.assessor")}, {COMMENT} FROM judgment
        WHERE kind = 'can''t tell' AND NOT EXISTS (
            SELECT 1 FROM judgment AS later WHERE later.topic = judgment.topic
            AND later.document = judgment.document AND later.assessor = judgment.assessor
            AND later.seq > judgment.seq AND later.kind IN ({OWN_KINDS})
        ) ORDER BY seq"""
    )
    return map(CannotTell._make, rows)


def lists_of_reasons(campaign: Campaign) -> list[str]:
    """Every list of reasons that the organisers set, as the setting has it, oldest first."""
    name = "cannot_tell_reasons"
    return [event.content[name] for event in events(campaign, SETTINGS) if name in event.content]
