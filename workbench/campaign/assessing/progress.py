"""Progress of the topics of a campaign, for all assessors and for one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from workbench.campaign.assessing import repeats
from workbench.campaign.assessing.permission import CLOSED, Part, accesses_to
from workbench.core.natural_order import natural
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments, draws
from workbench.storage.campaign.collection import documents, pools, topics
from workbench.storage.campaign.collection.question_topics import asked, keys_of, topic_of
from workbench.storage.campaign.counts.progress import progress_by_topic
from workbench.storage.campaign.grades import chosen_labels, current_judgments, judging_again, judgments
from workbench.storage.campaign.grades.current_judgments import CurrentJudgment
from workbench.storage.campaign.grades.judging_again import Request
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import Settings


class TopicProgress(NamedTuple):
    """Progress of a topic: pooled pairs, those judged by any assessor, by this one, and marked "can't tell" by them;
    pairs held back are those not judged because the document has no text, or a broken one. A pair that this assessor is
    to judge again, or did, is two pairs.

    Of an assessor's part of a topic: the pairs of this part, and those of them that have no room for one more judgment.
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
        """Pairs that can be judged and are not yet."""
        return self.pooled - self.judged - self.held_back

    @property
    def waits(self) -> bool:
        """Whether this assessor can go on here."""
        return self.open > 0 and not self.refusal


def topic_progress(campaign: Campaign, assessor: str) -> list[TopicProgress]:
    """Progress of an assessor's pooled topics, in byte order: all, or those assigned and unclaimed, as set."""
    rules = settings.read(campaign)
    if rules.who_judges == "anybody":
        shut = assignments.closed(campaign)
        everything = whole_progress(campaign, assessor)
        return [
            row._replace(refusal=CLOSED) if topic_of(campaign, row.topic_id) in shut else row
            for row in everything
        ]
    with campaign.snapshot():
        return _of_parts(campaign, assessor, rules)


def progress_of_all(campaign: Campaign, assessor: str) -> list[TopicProgress]:
    """The same of relevance and of all further questions: each topic is followed by the questions about it."""
    found = topic_progress(campaign.asking(""), assessor)
    for question in settings.read(campaign.asking("")).questions:
        rows = topic_progress(campaign.asking(question.name), assessor)
        found += [row._replace(title=f"{question.title} {row.title}".strip()) for row in rows]
    return sorted(found, key=lambda row: natural(row.topic_id))


def open_pairs(campaign: Campaign, assessor: str) -> Counter[str]:
    """How many pairs wait for an assessor in each topic that is theirs, hidden repeats left out."""
    repeated = Counter(topic_id for topic_id, _ in repeats.due(campaign, assessor))
    rows = [row for row in topic_progress(campaign, assessor) if row.waits and not row.can_be_taken]
    return Counter({row.topic_id: row.open - repeated[row.topic_id] for row in rows})


def whole_progress(campaign: Campaign, assessor: str) -> list[TopicProgress]:
    """Progress of every topic with pooled pairs over all assessors, in byte order of the ids."""
    titles = topics.titles(campaign)
    repeated = _said_again(campaign, assessor)
    again = _requested_elsewhere(campaign, assessor)
    found = []
    for row in progress_by_topic(campaign, assessor):
        more, judged, untold = _counts_of_repeats(repeated.get(row.topic_id, {}).values())
        stale = len(chosen_labels.stale(campaign, row.topic_id, assessor))
        found.append(
            TopicProgress(
                row.topic_id,
                titles[row.topic_id],
                row.pooled + more,
                row.judged + judged - again[row.topic_id] - stale,
                row.mine + judged - stale,
                row.cannot_tell + untold,
                row.held_back,
            )
        )
    return found


def _said_again(campaign: Campaign, assessor: str) -> dict[str, dict[str, str]]:
    """What `repeats.said_again` gives, by topic and document, of the pairs that are pooled."""
    found: dict[str, dict[str, str]] = {}
    for (topic_id, document_id), kind in repeats.said_again(campaign, assessor).items():
        if pools.pool_of(campaign, topic_id, document_id) is not None:
            found.setdefault(topic_id, {})[document_id] = kind
    return found


def _counts_of_repeats(kinds: Collection[str]) -> tuple[int, int, int]:
    """How many there are, how many of them judged, and how many of these marked "can't tell"."""
    return (
        len(kinds),
        sum(kind != repeats.OPEN for kind in kinds),
        sum(kind == "can't tell" for kind in kinds),
    )


def _requested_elsewhere(campaign: Campaign, assessor: str) -> Counter[str]:
    """How many pairs of each topic that others judged an assessor is to judge again, and has not yet."""
    found: Counter[str] = Counter()
    held_back: dict[str, set[str]] = {}
    for each in judging_again.holding(campaign, assessor=assessor):
        topic_id = each.topic_id
        if topic_id not in held_back:
            held_back[topic_id] = documents.held_back_for(campaign, topic_id)
        there = pools.pool_of(campaign, topic_id, each.document_id) is not None
        if each.is_open and there and each.document_id not in held_back[topic_id]:
            found[topic_id] += judgments.stands(campaign, topic_id, each.document_id)
    return found


def _of_parts(campaign: Campaign, assessor: str, rules: Settings) -> list[TopicProgress]:
    """Progress of the topics of which an assessor has a part, and of those free for the taking."""
    everyone = judging_again.holding(campaign)
    requests = [each for each in everyone if each.assessor == assessor]
    accesses = accesses_to(campaign, _possible(campaign, assessor, rules, requests), assessor, requests)
    chosen = [topic_id for topic_id, access in accesses.items() if access.part or access.can_be_taken]
    titles = topics.titles(campaign)
    drawn = draws.drawn(campaign)
    pooled = pools.pooled_of_topics(campaign, chosen)
    there: dict[str, list[CurrentJudgment]] = {topic_id: [] for topic_id in chosen}
    for each in current_judgments.of_topics(campaign, chosen):
        there[each.topic_id].append(each)
    repeated = _said_again(campaign, assessor)
    named: dict[str, dict[str, frozenset[str]]] = {}
    for request in everyone:
        by = named.setdefault(request.topic_id, {})
        by[request.document_id] = by.get(request.document_id, frozenset()) | {request.assessor}
    found = []
    for topic_id in chosen:
        stale = chosen_labels.stale(campaign, topic_id, assessor)
        standing = [
            each for each in there[topic_id] if each.assessor != assessor or each.document_id not in stale
        ]
        part = Part(accesses[topic_id], drawn.get(topic_id, frozenset()), named.get(topic_id, {}))
        again = repeated.get(topic_id, {})
        counts = _counts(part, pooled[topic_id], standing, assessor, again)
        access = part.access
        found.append(
            TopicProgress(
                topic_id, titles[topic_id], *counts, access.refusal[1], access.can_be_taken, access.until
            )
        )
    return found


def _possible(campaign: Campaign, assessor: str, rules: Settings, requests: Sequence[Request]) -> list[str]:
    """The topics with pooled pairs that an assessor may have a part of, in byte order of the ids."""
    if rules.who_judges == "claimed":
        return sorted(pools.pooled_by_topic(campaign))
    # What others have is left out first: a page of one assessor's waits for no thousand topics of all.
    own = {*assignments.topics_of(campaign, assessor), *(each.topic_id for each in requests)}
    own = set(asked(campaign, [*own, *keys_of(campaign, own)]))
    return sorted(topic_id for topic_id, there in pools.pooled_of_topics(campaign, own).items() if there)


def _counts(
    part: Part,
    pooled: Mapping[str, bool],
    there: Sequence[CurrentJudgment],
    assessor: str,
    repeated: Mapping[str, str],
) -> tuple[int, int, int, int, int]:
    """Of one part: the pairs, those without room, one's own, of these those marked "can't tell", and those held back.

    `pooled` says of each document whether it has a text, `repeated` what was said of it again.
    """
    shown = {document_id for document_id in pooled if part.holds(document_id, assessor)}
    own = {each.document_id: each.kind for each in there if each.assessor == assessor}
    mine = shown & own.keys()
    judged = mine | (shown & part.full(there, assessor))
    more, again, untold_again = _counts_of_repeats([repeated[each] for each in repeated.keys() & mine])
    untold = sum(own[document_id] == "can't tell" for document_id in mine) + untold_again
    held_back = sum(not pooled[document_id] for document_id in shown - judged)
    return len(shown) + more, len(judged) + again, len(mine) + again, untold, held_back


def topic_to_go_on(
    campaign: Campaign, assessor: str, progress: Sequence[TopicProgress], postponed: Collection[str] = ()
) -> TopicProgress | None:
    """The topic that an assessor was in last while documents wait there, else the first of `progress` where some do."""
    last = judgments.last_topic(campaign, assessor)
    here = (row for row in progress if row.topic_id == last and row.waits and last not in postponed)
    return next(here, None) or next_topic(progress, None, postponed)


def next_topic(
    progress: Sequence[TopicProgress], topic_id: str | None, postponed: Collection[str] = ()
) -> TopicProgress | None:
    """The first topic after `topic_id` in `progress` with documents that wait to be judged, around its end.

    Without a `topic_id` the first such topic of all. Those that are postponed come after the others.
    """
    place = next((place for place, row in enumerate(progress) if row.topic_id == topic_id), -1)
    ordered = [*progress[place + 1 :], *progress[: place + 1]]
    waiting = [row for row in ordered if row.topic_id != topic_id and row.waits]
    return min(waiting, key=lambda row: row.topic_id in postponed, default=None)
