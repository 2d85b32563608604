"""How far each topic is: counted once over all assessors, then followed with the log; and what one assessor has judged.

Counting looks at every pooled pair, and each page of an assessor who may judge all topics asks for it. A judgment
changes the counts of its topic alone.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from threading import Lock
from typing import NamedTuple

from workbench.storage.campaign.collection import broken
from workbench.storage.campaign.collection.question_topics import asked
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.grades.current_judgments import OWN_KINDS
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Followers
from workbench.storage.campaign.log.erasable import id_of
from workbench.storage.campaign.log.kinds import CHOICE
from workbench.storage.campaign.log.log import changes_since

_STANDING = f"""SELECT 1 FROM judgment
    WHERE topic = pooled.topic AND document = pooled.document AND kind IN ({OWN_KINDS}) AND kind <> 'cleared'
    AND NOT EXISTS (
        SELECT 1 FROM judgment AS later
        WHERE later.topic = judgment.topic AND later.document = judgment.document
        AND later.assessor = judgment.assessor AND later.seq > judgment.seq AND later.kind IN ({OWN_KINDS})
    )
    UNION ALL SELECT 1 FROM judgment INDEXED BY judgment_adjudication
    WHERE kind = 'adjudication' AND topic = pooled.topic AND document = pooled.document AND grade IS NOT NULL
    AND NOT EXISTS (
        SELECT 1 FROM judgment AS later INDEXED BY judgment_adjudication
        WHERE later.kind = 'adjudication' AND later.topic = judgment.topic
        AND later.document = judgment.document AND later.seq > judgment.seq
    )"""
"""Adjudications are one line for all adjudicators; one without a grade withdraws the one before."""


class Progress(NamedTuple):
    """Progress of one topic: pooled pairs, those judged, those judged by one assessor, of these the pairs
    marked "can't tell", and pairs not judged because the document has no text.
    """

    topic_id: str
    pooled: int
    judged: int
    mine: int
    cannot_tell: int
    held_back: int


def progress_by_topic(campaign: Campaign, assessor: str) -> list[Progress]:
    """How far each topic that has pooled pairs is, in byte order of the ids."""
    return _counts.of(campaign).progress(campaign, assessor)


class _Counts:
    """The counts of one campaign's topics as of a row of its log; threads may share it."""

    def __init__(self) -> None:
        """Nothing is counted yet."""
        self._lock = Lock()
        self._head: log.Head | None = None
        self._of_topics: dict[str, tuple[int, int, int]] = {}

    def progress(self, campaign: Campaign, assessor: str) -> list[Progress]:
        """What `progress_by_topic` gives."""
        with self._lock, campaign.snapshot():
            counts, own = self._caught_up(campaign), _own(campaign, assessor)
        return [
            Progress(topic_id, pooled, judged, *own.get(topic_id, (0, 0)), held_back)
            for topic_id in asked(campaign, counts)
            for pooled, judged, held_back in [counts[topic_id]]
        ]

    def _caught_up(self, campaign: Campaign) -> dict[str, tuple[int, int, int]]:
        head = log.head(campaign)
        if head != self._head:
            touched = self._touched(campaign)
            counted = _counted(campaign, touched)
            if touched is not None:
                counted |= {each: kept for each, kept in self._of_topics.items() if each not in touched}
            self._head, self._of_topics = head, dict(sorted(counted.items()))
        return self._of_topics

    def _touched(self, campaign: Campaign) -> set[str] | None:
        """The topics that were judged since, or got pairs of an adaptive pool; None for all topics."""
        news = None if self._head is None else changes_since(campaign, self._head)
        if news is None or news.events - {CHOICE}:
            return None
        return {topic_id for topic_id, _ in (*news.judged, *news.chosen)}


def _counted(campaign: Campaign, topic_ids: Collection[str] | None) -> dict[str, tuple[int, int, int]]:
    """Pairs of these topics, or of all, over all assessors: pooled, judged, and held back."""
    named = "" if topic_ids is None else "WHERE topic IN (SELECT value FROM json_each(:topics))"
    # Materialised, since SQLite would else look up what is summed twice as often as it is named.
    rows = campaign.execute(
        f"""WITH pair AS MATERIALIZED (
            SELECT topic, document, EXISTS ({_STANDING}) AS judged FROM pooled {named}
        )
        SELECT topic, count(*), sum(judged), sum(CASE WHEN judged THEN 0 ELSE (
            SELECT text IS NULL OR document IN ({broken.BROKEN_NOW}) FROM document
            WHERE document.document = pair.document
        ) END)
        FROM pair GROUP BY topic""",
        {"topics": json.dumps(sorted(topic_ids or ())), "broken": broken.now(campaign)},
    )
    return {topic_id: (pooled, judged, held_back) for topic_id, pooled, judged, held_back in rows}


def _own(campaign: Campaign, assessor: str) -> dict[str, tuple[int, int]]:
    """How many pooled pairs of each topic an assessor has judged, and how many of these "can't tell"."""
    rows = campaign.execute(
        f"""SELECT topic, count(*), sum(kind = 'can''t tell') FROM (
            SELECT topic, document, kind, max(seq) FROM judgment
            WHERE assessor = ? AND kind IN ({OWN_KINDS}) GROUP BY topic, document
        ) JOIN pooled USING (topic, document) WHERE kind <> 'cleared' GROUP BY topic""",
        [id_of(campaign, assessor)],
    )
    return {topic_id: (number, cannot_tell) for topic_id, number, cannot_tell in rows}


_counts = Followers(_Counts)
