"""What a release says about a campaign, collected once, as of one row of its log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from workbench.campaign.rounds import RoundCounts, round_counts, rounds_note
from workbench.core.natural_order import natural
from workbench.core.records import Topic
from workbench.core.wording import counted
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import (
    documents,
    pools,
    run_details,
    runs,
    topic_withdrawals,
    topics,
)
from workbench.storage.campaign.collection.pools import StoredPool
from workbench.storage.campaign.collection.question_topics import asked
from workbench.storage.campaign.collection.run_details import RunDetails
from workbench.storage.campaign.collection.runs import StoredRun
from workbench.storage.campaign.counts import publication
from workbench.storage.campaign.file.connection import EVERY
from workbench.storage.campaign.grades import judgments, labels
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Cache
from workbench.storage.campaign.log.log import Head
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import GuidelineVersion, Settings


class CollectionFile(NamedTuple):
    """A file of documents as it was read: its name without folders, size in bytes, SHA-256, number of documents."""

    name: str
    size: int
    sha256: str
    documents: int


_SCALE = attrgetter("settings.grades", "settings.scale_version")


class CampaignSummary(NamedTuple):
    """A campaign as of the row `head` of its log, which was written at `at`.

    Attributes:
        name: the campaign's name, as commands and addresses use it.
        topics: all topics; those of `withdrawn_topics` are in no count.
        runs: the runs that take part, and `withdrawn` those that do not any more; `details` is what is said of them.
        pooled: pooled pairs of each topic that has some.
        waiting: those of them without a grade in force, of each topic that has some.
        without_grade: how many of these are judged: who judged them could not tell.
        qrels: pairs with a grade in force, by grade; special (negative) grades included.
        judgments: rows of the log that are judgments; `assessors` who made them, in the order of their first rows.
        judged_between: the first and the last time at which a judgment was received.
        conflicts: pairs on which assessors' grades in force differ.
        sources: how many pairs were imported, and labelled by models.
        guideline_texts: how many versions of the guidelines there were, and `scales` the first of each scale of grades.
        over_rounds: over which rounds the scores are, in a campaign of several.
        rounds: all of them with what came in each.
        not_modelled: by the model of Dawid and Skene, pairs with too few grades for it; 0 by other rules.
    """

    name: str
    head: Head
    at: str
    settings: Settings
    topics: tuple[Topic, ...]
    withdrawn_topics: frozenset[str]
    runs: tuple[StoredRun, ...]
    withdrawn: tuple[StoredRun, ...]
    details: dict[int, RunDetails]
    pools: tuple[StoredPool, ...]
    pooled: dict[str, int]
    waiting: dict[str, int]
    without_grade: int
    qrels: dict[int, int]
    judged_topics: int
    judgments: int
    assessors: tuple[str, ...]
    judged_between: tuple[str, str] | None
    conflicts: int
    sources: publication.SourceCounts
    not_modelled: int
    guideline_texts: int
    scales: tuple[GuidelineVersion, ...]
    over_rounds: str
    rounds: tuple[RoundCounts, ...]
    collection: tuple[CollectionFile, ...]

    @property
    def teams(self) -> tuple[str, ...]:
        """The teams whose runs take part, in byte order; runs without a team are not among them."""
        return tuple(sorted({run.record.team for run in self.runs if run.record.team}))

    @property
    def topics_in_force(self) -> int:
        """How many topics take part."""
        return len(self.topics) - len(self.withdrawn_topics)

    @property
    def special(self) -> int:
        """Pairs whose grade in force is special."""
        return sum(count for grade, count in self.qrels.items() if grade < 0)

    @property
    def lines(self) -> int:
        """Lines of the qrels without special grades."""
        return sum(self.qrels.values()) - self.special

    @property
    def relevant(self) -> int:
        """Pairs whose grade in force is relevant."""
        return sum(count for grade, count in self.qrels.items() if grade >= self.settings.relevant_from)


def summarise_campaign(campaign: Campaign) -> CampaignSummary:
    """What there is to say now, or as of a row of the log."""
    with campaign.snapshot():
        head = log.head(campaign)
        seq = head.seq
        given = publication.labelled(campaign)
        everything = runs.all_runs(campaign)
        pooled = pools.pooled_by_topic(campaign)
        versions = settings.guideline_versions(campaign)
        return CampaignSummary(
            name=campaign.name,
            head=head,
            at=publication.written_at(campaign, seq) or "",
            settings=settings.read(campaign),
            topics=tuple(topics.by_id(campaign)[each].topic for each in topics.topic_ids(campaign.at(seq))),
            withdrawn_topics=frozenset(asked(campaign, topic_withdrawals.withdrawn(campaign))),
            runs=tuple(run for run in everything if run.withdrawn is None),
            withdrawn=tuple(run for run in everything if run.withdrawn is not None),
            details=run_details.details(campaign),
            pools=tuple(pools.all_pools(campaign.asking(EVERY))),
            pooled=pooled,
            waiting=_waiting(pooled, given),
            without_grade=len(judgments.without_grade(campaign)),
            qrels=_by_grade(given),
            judged_topics=len({label.topic_id for label in given}),
            judgments=sum(publication.judgments_by_kind(campaign).values()),
            assessors=tuple(publication.assessors(campaign)),
            judged_between=publication.span(campaign),
            conflicts=sum(label.conflicts for label in given),
            sources=publication.source_counts(campaign),
            not_modelled=labels.not_modelled(campaign),
            guideline_texts=len([*groupby(text for each in versions if (text := each.settings.guidelines))]),
            scales=tuple(next(same) for _, same in groupby(versions, _SCALE)),
            over_rounds=rounds_note(campaign),
            rounds=tuple(round_counts(campaign)),
            collection=tuple(_collection(campaign)),
        )


_facts: Cache[CampaignSummary] = Cache(of_one=1)


def cached_summary(campaign: Campaign) -> CampaignSummary:
    """The facts as of now; pages ask for them again and again."""
    return _facts.now(campaign, None, lambda: summarise_campaign(campaign))


def _by_grade(given: Iterable[publication.Labelled]) -> dict[int, int]:
    found: Counter[int] = Counter()
    for label in given:
        found[label.grade] += label.pairs
    return dict(sorted(found.items()))


def _waiting(pooled: Mapping[str, int], given: Iterable[publication.Labelled]) -> dict[str, int]:
    left = Counter(pooled)
    for label in given:
        left[label.topic_id] -= label.pooled
    return {topic_id: count for topic_id, count in left.items() if count > 0}


def _collection(campaign: Campaign) -> list[CollectionFile]:
    # A path reveals the layout of a disk; the name is enough to recognise the file.
    return [
        CollectionFile(base_name(source.file.path), *source.file[1:], source.documents)
        for source in documents.sources(campaign)
    ]


def base_name(path: str) -> str:
    """The last part of a path of any system."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]


SHOWN_TOPICS = 10


class Waiting(NamedTuple):
    """A topic with pooled pairs that have no grade: how many of how many."""

    topic_id: str
    waiting: int
    pooled: int


def sizes_of(facts: CampaignSummary, scored: int) -> dict[str, str]:
    """The content of each download as a phrase, by its name; `scored` is of how many runs the scores are."""
    judged = 0 if facts.over_rounds else scored * facts.judged_topics
    return {
        "qrels": counted(facts.lines, "line"),
        "special": f"{counted(facts.lines + facts.special, 'line')}, {facts.special:,} special",
        "pool": counted(sum(facts.pooled.values()), "pair"),
        "judgments": counted(facts.judgments, "judgment"),
        "runs": counted(len(facts.runs) + len(facts.withdrawn), "run"),
        "scores": counted(scored, "run"),
        "topic-scores": counted(judged, "line") if judged else counted(scored, "run"),
        "board": counted(scored, "run"),
    }


def state_of(facts: CampaignSummary) -> str:
    """The sentence at the top: what can be published, and what is not judged yet, or judged without a grade."""
    ready = f"{counted(sum(facts.qrels.values()), 'graded pair')} in {counted(facts.judged_topics, 'topic')}"
    if not facts.qrels:
        nothing = "No grades yet, only “can’t tell”" if facts.without_grade else "No judgments yet"
        return f"{nothing}, so there are no qrels to publish."
    open_pairs = sum(facts.waiting.values()) - facts.without_grade
    counts = {"not yet judged": open_pairs, "judged without a grade": facts.without_grade}
    missing = [
        f"{counted(number, 'pooled pair')} {'is' if number == 1 else 'are'} {what}"
        for what, number in counts.items()
        if number
    ]
    return f"{ready} can be published; {' and '.join(missing) or 'no pooled pair is without a grade'}."


def most_waiting(facts: CampaignSummary, limit: int = SHOWN_TOPICS) -> list[Waiting]:
    """The topics with the most pairs without a grade, most first; equal ones as people count."""
    rows = [Waiting(topic_id, count, facts.pooled[topic_id]) for topic_id, count in facts.waiting.items()]
    return sorted(rows, key=lambda row: (-row.waiting, natural(row.topic_id)))[:limit]
