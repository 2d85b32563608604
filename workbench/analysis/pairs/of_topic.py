"""The pairs of one topic with their judgments, and those of them that deserve a second look."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.adjudication.deciding import differ
from workbench.core.ranking import IntArray
from workbench.core.records import Judgment
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import broken, documents, near_duplicates, pools, runs, topics
from workbench.storage.campaign.collection.ranking_blobs import unpack_documents
from workbench.storage.campaign.grades import adjudications, judging_again, judgments, labels
from workbench.storage.campaign.grades.adjudications import Adjudication
from workbench.storage.campaign.organising import settings

DEPTH = 100
"""How far down the rankings a team counts as having found a document."""

TOP = 10
"""A document among this many first ones of half of the runs is one that most systems take for relevant."""


class Reason(NamedTuple):
    """Why a pair deserves a second look: in a few words for a table, and as half a sentence."""

    brief: str
    words: str


REASONS: Mapping[str, Reason] = {
    "conflict": Reason("grades differ", "assessors gave different grades, and none is adjudicated"),
    "near": Reason("near duplicate with another grade", "a near duplicate has another grade"),
    "text": Reason("judged on an earlier text", "judged on another text than is stored now"),
    "cannot-tell": Reason("can’t tell", "its assessors could not tell"),
    "top": Reason(
        "not relevant, but at the top of many runs",
        f"judged not relevant, though in the top {TOP} of at least half of the runs",
    ),
    "broken": Reason("broken text", "its text is marked as broken"),
}
"""By the words that addresses have, in the order of the queue."""


class JudgedPair(NamedTuple):
    """A pair of a topic.

    Attributes:
        document_id: the document.
        label: the grade that counts; None without one.
        own_judgments: each assessor's own judgment in force, in the order of the log; empty where it is not judged.
        adjudication: the one in force.
        at: when its newest judgment came in, "" without one.
        best_rank: over the runs in force, from 1; None where no run has it.
        runs: how many runs in force have it, at any rank.
        teams: how many teams have it among the first DEPTH of one of their runs; a run without a team is one.
        reasons: why it deserves a second look, words of REASONS in their order.
        waits_for: who is to judge it again and has not yet.
    """

    document_id: str
    label: int | None
    own_judgments: tuple[Judgment, ...]
    adjudication: Adjudication | None
    at: str
    best_rank: int | None
    runs: int
    teams: int
    reasons: tuple[str, ...]
    waits_for: tuple[str, ...]

    @property
    def is_judged(self) -> bool:
        """Whether a judgment of it stands."""
        return bool(self.own_judgments) or self.adjudication is not None or self.label is not None


class PairsOfTopic(NamedTuple):
    """The pooled and judged pairs of a topic, in byte order of the documents, and how many runs in force have it."""

    pairs: tuple[JudgedPair, ...]
    runs: int


def pairs_of_topic(campaign: Campaign, topic_id: str) -> PairsOfTopic:
    """A topic's pairs as of now; NotThere for a topic that the campaign does not have."""
    with campaign.snapshot():
        topics.named(campaign, topic_id)
        own: dict[str, list[Judgment]] = defaultdict(list)
        for row in judgments.current_of_topic(campaign, topic_id):
            if row.kind != "cleared":
                own[row.document_id].append(row)
        grades = labels.grades_of_topic(campaign, topic_id)
        settled = adjudications.in_force_of_topic(campaign, topic_id)
        wanted = sorted({*pools.pooled_of_topic(campaign, topic_id), *own, *grades, *settled})
        (best, found_by, top, teams), n_runs = _found(campaign, topic_id)
        numbers = {
            document_id: place for place, document_id in enumerate(runs.vocabulary(campaign, topic_id))
        }
        looked_at = _Reasons(campaign, topic_id, grades, wanted)
        waiting: dict[str, list[str]] = defaultdict(list)
        for request in judging_again.holding(campaign, topic_id=topic_id):
            if request.is_open:
                waiting[request.document_id].append(request.assessor)
    pairs = []
    for document_id in wanted:
        number = numbers.get(document_id, -1)
        own_judgments, adjudication = tuple(own.get(document_id, ())), settled.get(document_id)
        moments = [row.received_at for row in (*own_judgments, adjudication) if row is not None]
        half = n_runs > 0 and 2 * int(top[number]) >= n_runs
        pairs.append(
            JudgedPair(
                document_id,
                grades.get(document_id),
                own_judgments,
                adjudication,
                max(moments, default=""),
                int(best[number]) or None,
                int(found_by[number]),
                int(teams[number]),
                looked_at.of(document_id, own_judgments, adjudication, in_top=half),
                tuple(sorted(waiting.get(document_id, ()))),
            )
        )
    return PairsOfTopic(tuple(pairs), n_runs)


class _Reasons:
    """Why pairs of a topic deserve a second look."""

    def __init__(
        self, campaign: Campaign, topic_id: str, grades: Mapping[str, int], wanted: Sequence[str]
    ) -> None:
        self.grades = grades
        self.relevant_from = settings.read(campaign).relevant_from
        self.hashes = documents.text_hashes(campaign, wanted)
        self.broken = broken.marked(campaign)
        first_of = near_duplicates.of_topic(campaign, topic_id)
        by_cluster: dict[str, set[int]] = defaultdict(set)
        for document_id, first in first_of.items():
            if document_id in grades:
                by_cluster[first].add(grades[document_id])
        self.unlike = {one for one, first in first_of.items() if len(by_cluster[first]) > 1}

    def of(
        self,
        document_id: str,
        own_judgments: Sequence[Judgment],
        adjudication: Adjudication | None,
        *,
        in_top: bool,
    ) -> tuple[str, ...]:
        """The reasons for one pair, words of REASONS; none for one that is not judged."""
        label, text_hash = self.grades.get(document_id), self.hashes.get(document_id)
        holds = adjudication is not None and all(
            row.seq < adjudication.seq or row.grade == adjudication.grade for row in own_judgments
        )
        found = {
            "conflict": differ(own_judgments) and not holds,
            "near": label is not None and document_id in self.unlike,
            "text": any(row.text_hash not in (None, text_hash) for row in own_judgments)
            and text_hash is not None,
            "cannot-tell": label is None and bool(own_judgments),
            "top": in_top and label is not None and label < self.relevant_from and adjudication is None,
            "broken": document_id in self.broken and (bool(own_judgments) or label is not None),
        }
        return tuple(word for word in REASONS if found[word])


def _found(campaign: Campaign, topic_id: str) -> tuple[tuple[IntArray, ...], int]:
    """Of each document of a topic's vocabulary, and at last of one that no run has: its best rank (0: none), in how
    many runs in force, in how many of their first TOP, and how many teams have it among their first DEPTH; and how many
    runs have the topic.
    """
    in_force = {run.run: run for run in runs.in_force(campaign)}
    size = len(runs.vocabulary(campaign, topic_id)) + 1
    best, count, top, teams = (np.zeros(size, np.int64) for _ in range(4))
    by_team: dict[str, NDArray[np.bool_]] = {}
    n_runs = 0
    for ranking in runs.packed_rankings(campaign, topic_id=topic_id):
        run = in_force.get(ranking.run)
        if run is None:
            continue
        n_runs += 1
        numbers = unpack_documents(ranking.documents).astype(np.int64)
        rank = np.arange(1, len(numbers) + 1)
        before = best[numbers]
        best[numbers] = np.where(before > 0, np.minimum(before, rank), rank)
        count[numbers] += 1
        top[numbers[:TOP]] += 1
        team = by_team.setdefault(run.record.team or f"run {run.record.tag}", np.zeros(size, bool))
        team[numbers[:DEPTH]] = True
    for has in by_team.values():
        teams += has
    return (best, count, top, teams), n_runs
