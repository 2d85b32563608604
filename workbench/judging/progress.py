"""How far the topics of a campaign are, for everybody and for one assessor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from workbench.campaign import Campaign, judgments, topics
from workbench.campaign.judgments import Progress
from workbench.judging import repeats


class TopicProgress(NamedTuple):
    """How far a topic is: pooled pairs, those judged by anybody, by this assessor, and not told by them; pairs held
    back are those nobody has judged because the document has no text.
    """

    topic_id: str
    title: str
    pooled: int
    judged: int
    mine: int
    cannot_tell: int
    held_back: int = 0

    @property
    def open(self) -> int:
        """Pairs that somebody can judge and nobody has."""
        return self.pooled - self.judged - self.held_back


def topic_progress(campaign: Campaign, assessor: str) -> list[TopicProgress]:
    """Progress of every topic that has pooled pairs, in byte order of the ids; what is due again counts as open."""
    titles = {stored.topic.topic_id: stored.topic.title for stored in topics.all_topics(campaign)}
    again = Counter(topic_id for topic_id, _ in repeats.due(campaign, assessor))
    return [
        TopicProgress(row.topic_id, titles[row.topic_id], *_without(row, again[row.topic_id])[1:])
        for row in judgments.progress(campaign, assessor)
    ]


def _without(row: Progress, again: int) -> Progress:
    return row._replace(judged=row.judged - again, mine=row.mine - again)


def next_topic(progress: Sequence[TopicProgress], topic_id: str | None) -> TopicProgress | None:
    """The first topic after `topic_id` in `progress` with documents that wait to be judged, around its end.

    Without a `topic_id` the first such topic of all.
    """
    place = next((place for place, row in enumerate(progress) if row.topic_id == topic_id), -1)
    ordered = [*progress[place + 1 :], *progress[: place + 1]]
    return next((row for row in ordered if row.topic_id != topic_id and row.open > 0), None)
