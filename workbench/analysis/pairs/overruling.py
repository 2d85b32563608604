"""An organiser's grade in place of any other grade of a pair, with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from uuid import uuid4

import numpy as np

from workbench.analysis.adjudication.deciding import OVERRULED, Decision, adjudicate, newest_of
from workbench.campaign.assessing import Receipt
from workbench.campaign.assessing.showing import show_unpooled
from workbench.core.errors import CampaignError, JudgmentRefused, NotThere
from workbench.core.records import REMAPPED, Judgment, Pooled
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import broken, documents, near_duplicates, pools, runs, topics
from workbench.storage.campaign.collection.broken import Mark
from workbench.storage.campaign.collection.ranking_blobs import unpack_documents
from workbench.storage.campaign.collection.topics import StoredTopic
from workbench.storage.campaign.grades import adjudications, judging_again, judgments, labels
from workbench.storage.campaign.grades.adjudications import Adjudication
from workbench.storage.campaign.grades.judging_again import Request
from workbench.storage.campaign.grades.label_rules import ADJUDICATED, NEWEST
from workbench.storage.campaign.grades.sources import ADJUDICATION


class RunRank(NamedTuple):
    """A run that has the document for the topic, at which rank from 1; withdrawn runs are marked."""

    tag: str
    team: str
    rank: int
    is_withdrawn: bool


class NearDuplicate(NamedTuple):
    """A near duplicate of the document among the pooled ones of the topic: its title and its label."""

    document_id: str
    title: str
    label: int | None


class LogRow(NamedTuple):
    """A row of the log about the pair: its kind, who, when, and what it says.

    An adjudication that overrules has the kind `overruled`, one without a grade `adjudication undone`; what a new scale
    made of a row REMAPPED, or `cleared, ` with that.
    `grade` is that of a judgment, `names` are the assessors of a request, `comment` is a note or a reason.
    """

    seq: int
    at: str
    actor: str
    kind: str
    grade: int | None = None
    comment: str = ""
    names: tuple[str, ...] = ()


class PairRecord(NamedTuple):
    """One pair.

    Attributes:
        stored: the topic.
        document_id, title: the document; the title is "" where there is none.
        text_hash: of the stored text; None where the campaign has none.
        mark: why its text is marked as broken, if it is.
        pool: the number of the pool that brought the pair in; None where no pool in force has it.
        pooled: its row of that pool.
        label: the grade that counts, by `rule`; None without one.
        runs: those that have it, by rank; `contenders` is how many runs in force have the topic.
        own_judgments: each assessor's own judgment in force, in the order of the log; `newest` is their largest `seq`.
        adjudication: the one in force.
        requests: by whom it is to be judged again, or was.
        near: its near duplicates in the topic.
        rows: what the log says of it, oldest first.
    """

    stored: StoredTopic
    document_id: str
    title: str
    text_hash: str | None
    mark: Mark | None
    pool: int | None
    pooled: Pooled | None
    label: int | None
    rule: str
    runs: tuple[RunRank, ...]
    contenders: int
    own_judgments: tuple[Judgment, ...]
    newest: int
    adjudication: Adjudication | None
    requests: tuple[Request, ...]
    near: tuple[NearDuplicate, ...]
    rows: tuple[LogRow, ...]


def pair_record(campaign: Campaign, topic_id: str, document_id: str) -> PairRecord:
    """A pair with all that is known of it; NotThere for one that no run, pool or judgment has."""
    with campaign.snapshot():
        stored = topics.named(campaign, topic_id)
        ranks, contenders = _ranks(campaign, topic_id, document_id)
        pooled = pools.find_pair(campaign, topic_id, document_id)
        rows = judgments.rows_of_pair(campaign, topic_id, document_id)
        if not (ranks or pooled or rows):
            raise NotThere(
                f"no run has document {document_id!r} for topic {topic_id!r} in {campaign.name}, no pool has it, and "
                "it was never judged"
            )
        own = adjudications.own_judgments(campaign, topic_id, document_id)
        asked = judging_again.holding(campaign, topic_id=topic_id)
        return PairRecord(
            stored=stored,
            document_id=document_id,
            title=documents.titles(campaign, [document_id]).get(document_id, ""),
            text_hash=documents.text_hash_of(campaign, document_id),
            mark=broken.marked(campaign).get(document_id),
            pool=None if pooled is None else pooled.pool,
            pooled=None if pooled is None else pooled.pooled,
            label=labels.label_of(campaign, topic_id, document_id),
            rule=labels.rule_at(campaign),
            runs=ranks,
            contenders=contenders,
            own_judgments=tuple(own),
            newest=newest_of(own),
            adjudication=adjudications.of_pair(campaign, topic_id, document_id),
            requests=tuple(each for each in asked if each.document_id == document_id),
            near=_near(campaign, topic_id, document_id),
            rows=tuple(sorted([*map(_of_judgment, rows), *_events(campaign, topic_id, document_id)])),
        )


def _ranks(campaign: Campaign, topic_id: str, document_id: str) -> tuple[tuple[RunRank, ...], int]:
    """The runs that have a document, by rank and tag; and how many runs in force have the topic."""
    vocabulary = runs.vocabulary(campaign, topic_id)
    number = vocabulary.index(document_id) if document_id in vocabulary else len(vocabulary)
    every = {run.run: run for run in runs.all_runs(campaign)}
    found, contenders = [], 0
    for ranking in runs.packed_rankings(campaign, topic_id=topic_id):
        run = every[ranking.run]
        contenders += run.withdrawn is None
        places = np.flatnonzero(unpack_documents(ranking.documents) == number)
        if len(places):
            rank = int(places[0]) + 1
            found.append(RunRank(run.record.tag, run.record.team, rank, run.withdrawn is not None))
    return tuple(sorted(found, key=lambda one: (one.is_withdrawn, one.rank, one.tag))), contenders


def _near(campaign: Campaign, topic_id: str, document_id: str) -> tuple[NearDuplicate, ...]:
    first_of = near_duplicates.of_topic(campaign, topic_id)
    first = first_of.get(document_id)
    others = [one for one, its_first in first_of.items() if its_first == first and one != document_id]
    if first is None or not others:
        return ()
    grades, titles = labels.grades_of_topic(campaign, topic_id), documents.titles(campaign, others)
    return tuple(NearDuplicate(one, titles.get(one, ""), grades.get(one)) for one in sorted(others))


def _of_judgment(row: Judgment) -> LogRow:
    kind = row.kind
    if row.source == REMAPPED:
        kind = REMAPPED if row.grade is not None else f"cleared, {REMAPPED}"
    elif kind == ADJUDICATION and row.grade is None:
        kind = "adjudication undone"
    elif kind == ADJUDICATION and row.source == OVERRULED:
        kind = OVERRULED
    return LogRow(row.seq, row.received_at, row.assessor, kind, row.grade, row.comment)


def _events(campaign: Campaign, topic_id: str, document_id: str) -> Iterator[LogRow]:
    """The events about a pair: requests to judge it again, and what became of its text."""
    for event in judging_again.history_of(campaign, topic_id, document_id):
        names = [
            name
            for topic, document, name in event.content["pairs"]
            if (topic, document) == (topic_id, document_id)
        ]
        reason = event.content["reason"]
        yield LogRow(event.seq, event.at, event.actor, event.kind, comment=reason, names=tuple(names))
    for event in broken.history_of(campaign, document_id):
        yield LogRow(event.seq, event.at, event.actor, event.kind, comment=event.content["reason"])
    for event in documents.changes_of(campaign, document_id):
        yield LogRow(event.seq, event.at, event.actor, event.kind)


def cannot_overrule(record: PairRecord) -> str:
    """Why no grade of a pair can be overruled now, "" if one can."""
    if not record.own_judgments and record.adjudication is None:
        return "this document has no judgment to overrule; judge it instead"
    if record.text_hash is None:
        return "the campaign has no text of this document by which it could be judged; add it first"
    if record.pool is None:
        return "this document is in no pool of the topic; pool it first, on the page Search"
    return ""


def counts_by(rule: str) -> str:
    """What an overruled grade means for the label, by a rule."""
    if rule == ADJUDICATED:
        return "By the campaign’s label rule it counts before all others."
    if rule == NEWEST:
        return "By the campaign’s label rule, newest, it counts until the document is judged again."
    return (
        f"The campaign’s label rule is {rule}, which looks at the assessors’ own grades: it counts once the rule is "
        f"“{ADJUDICATED}”."
    )


def overrule(
    campaign: Campaign,
    topic_id: str,
    document_id: str,
    grade: int,
    *,
    reason: str,
    expected: int | None = None,
) -> Receipt:
    """Overrule the grade of a pair as it stands now, if its label is the one expected (None: any), with a reason.

    Raises:
        NotThere: no run, pool or judgment has the pair.
        CampaignError: it has another label than expected, or cannot be overruled.
        JudgmentRefused: as in `adjudicate`: what has changed meanwhile, a grade off the scale, no reason.
    """
    record = pair_record(campaign, topic_id, document_id)
    if expected is not None and record.label != expected:
        found = "no grade" if record.label is None else f"the grade {record.label}"
        message = f"document {document_id!r} of topic {topic_id!r} has {found} now, not {expected}; nothing was stored"
        raise CampaignError(message)
    if why := cannot_overrule(record):
        raise JudgmentRefused("bad value", why)
    given = show_unpooled(campaign, record.stored, document_id).judged(
        document_id,
        uuid=str(uuid4()),
        grade=grade,
        replaces=record.adjudication.seq if record.adjudication else None,
        comment=reason,
    )
    decision = Decision(given._replace(pool=record.pool), record.newest, overrules=True)
    return adjudicate(campaign, decision)
