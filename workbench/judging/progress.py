"""How far the topics of a campaign are, for everybody and for one assessor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from workbench.campaign import Campaign, assignments, documents, judgments, pools, settings, standing, topics
from workbench.campaign.assignments import WHOLE
from workbench.campaign.judgments import Progress
from workbench.judging import repeats
from workbench.judging.permission import CLOSED, Access, access_to, part_of


class TopicProgress(NamedTuple):
    """How far a topic is: pooled pairs, those judged by anybody, by this assessor, and not told by them; pairs held
    back are those nobody has judged because the document has no text.

    Of somebody's part of a topic: the pairs of this part, and those of them that have no room for one more judgment.
    `refusal` says why nothing may be judged there now, "" if it may; `can_be_taken` that it is free for the taking,
    `until` when one that was taken is free again.
    """

    topic_id: str
    title: str
    pooled: int
    judged: int
    mine: int
    cannot_tell: int
    held_back: int = 0
    refusal: str = ""
    can_be_taken: bool = False
    until: str = ""

    @property
    def open(self) -> int:
        """Pairs that somebody can judge and nobody has."""
        return self.pooled - self.judged - self.held_back

    @property
    def waits(self) -> bool:
        """Whether this assessor can go on here."""
        return self.open > 0 and not self.refusal


def topic_progress(campaign: Campaign, assessor: str) -> list[TopicProgress]:
    """Progress of an assessor's topics that have pooled pairs, in byte order of the ids; what is due again counts as
    open. Where not everybody judges everything these are the topics that are theirs, and those free for the taking.
    """
    rules = settings.read(campaign)
    if rules.who_judges == "anybody":
        shut = assignments.closed(campaign)
        everything = whole_progress(campaign, assessor)
        return [row._replace(refusal=CLOSED if row.topic_id in shut else "") for row in everything]
    found = []
    for row in whole_progress(campaign, assessor):
        access = access_to(campaign, row.topic_id, assessor, rules=rules)
        if access.part:
            found.append(_of_part(campaign, row, assessor, access))
        elif access.can_be_taken:
            found.append(row._replace(refusal=access.refusal[1], can_be_taken=True))
    return found


def whole_progress(campaign: Campaign, assessor: str) -> list[TopicProgress]:
    """Progress of every topic that has pooled pairs by whoever judged, in byte order of the ids."""
    titles = {stored.topic.topic_id: stored.topic.title for stored in topics.all_topics(campaign)}
    again = Counter(topic_id for topic_id, _ in repeats.due(campaign, assessor))
    return [
        TopicProgress(row.topic_id, titles[row.topic_id], *_without(row, again[row.topic_id])[1:])
        for row in judgments.progress(campaign, assessor)
    ]


def _of_part(campaign: Campaign, row: TopicProgress, assessor: str, access: Access) -> TopicProgress:
    """The same row for one assessor's part of the topic."""
    part = part_of(campaign, row.topic_id, assessor, access)
    if access.part == WHOLE and access.room == 1 and not part.drawn:  # what anybody judged is judged
        return row._replace(refusal=access.refusal[1], until=access.until)
    there = standing.of_topics(campaign, [row.topic_id])
    pooled = {pair for pair in pools.pooled_of_topic(campaign, row.topic_id) if part.holds(pair)}
    own = {each.document_id: each.kind for each in there if each.assessor == assessor}
    mine = pooled & own.keys()
    judged = pooled & (mine | part.full(there, assessor))
    again = len({document_id for _, document_id in repeats.due(campaign, assessor, row.topic_id)} & mine)
    unread = documents.without_text_for(campaign, row.topic_id)
    return row._replace(
        pooled=len(pooled),
        judged=len(judged) - again,
        mine=len(mine) - again,
        cannot_tell=sum(own[document_id] == "can't tell" for document_id in mine),
        held_back=len((pooled & unread) - judged),
        refusal=access.refusal[1],
        until=access.until,
    )


def _without(row: Progress, again: int) -> Progress:
    return row._replace(judged=row.judged - again, mine=row.mine - again)


def next_topic(progress: Sequence[TopicProgress], topic_id: str | None) -> TopicProgress | None:
    """The first topic after `topic_id` in `progress` with documents that wait to be judged, around its end.

    Without a `topic_id` the first such topic of all.
    """
    place = next((place for place, row in enumerate(progress) if row.topic_id == topic_id), -1)
    ordered = [*progress[place + 1 :], *progress[: place + 1]]
    return next((row for row in ordered if row.topic_id != topic_id and row.waits), None)
