"""Which documents make the difference between two runs on a topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import NotThere
from workbench.core.ranking import POOLED, Labels
from workbench.core.results import AS_TEXT, Column, shown
from workbench.core.wording import none_such
from workbench.methods.measures import BoundMeasure, parse_measure
from workbench.methods.measures.judged import FloatArray
from workbench.methods.statistics.arrays import NOISE
from workbench.scoring.board import Scoring
from workbench.scoring.board.past_boards import scoring_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs, topics
from workbench.storage.campaign.organising import settings

CELLS_AT_A_TIME = 1 << 21
OPEN_TO = 20
"""Unjudged documents are looked at down to this rank of either run."""


class InfluentialDocument(NamedTuple):
    """A document that makes a difference, or would if it were relevant.

    Attributes:
        document_id: which one.
        grade: its grade in force; None if it is not judged.
        rank: its rank in the run, None if the run does not have it.
        baseline_rank: its rank in the baseline, None likewise.
        effect: what it adds to the difference of the run less the baseline: how much smaller the difference would be
            were the document judged not relevant; for one that is not judged, how much larger it would be were it
            judged relevant (with the smallest relevant grade).
    """

    document_id: Annotated[str, Column("Document")]
    grade: int | None
    rank: int | None
    baseline_rank: int | None
    effect: Annotated[float, Column(kind="signed")]


class TopicDifference(NamedTuple):
    """A run and the baseline on one topic: their scores, and the documents that matter, the largest effects first.

    `judged` are documents with a grade; `unjudged` those without one among the first ranks of either run.
    """

    topic_id: str
    measure: Annotated[BoundMeasure, AS_TEXT]
    run: str
    baseline: str
    score: float
    baseline_score: float
    judged: tuple[InfluentialDocument, ...]
    unjudged: tuple[InfluentialDocument, ...]

    @property
    @shown(Column())
    def difference(self) -> float:
        """The run's score less the baseline's."""
        return self.score - self.baseline_score


class _Pair(NamedTuple):
    """Two rankings of a topic as numbers, the id of each number, the label of each document, and all that scores of the
    two depend on.
    """

    document_ids: Mapping[int, str]
    label: NDArray[np.int16]
    run: NDArray[np.uint32]
    baseline: NDArray[np.uint32]
    scoring: Scoring


def influential_documents(
    campaign: Campaign, run: str, baseline: str, topic_id: str, *, measure: str = "AP", limit: int = 10
) -> TopicDifference:
    """The documents that make the difference between a run and a baseline on a topic, at most `limit` of each kind.

    Each is given another label and both runs are scored again, so the effects hold for every measure. They need not add
    up to the difference: a relevant document also changes what the others count.

    NotThere: a topic that does not exist, or a run that takes no part as of this place; UnknownName: no such measure.
    """
    with campaign.snapshot():
        known = topics.topic_ids(campaign)
        if topic_id not in known:
            raise NotThere(none_such("topic", topic_id, known, of=campaign.name))
        rel = settings.read(campaign).relevant_from
        pair = _pair(campaign, run, baseline, topic_id)
    bound = parse_measure(measure, defaults={"rel": rel})
    score, baseline_score = _scores(bound, pair, [pair.label])[0]
    judged, unjudged = _candidates(pair)
    effects = (score - baseline_score) - _differences(bound, pair, judged, 0)
    gains = _differences(bound, pair, unjudged, max(rel, bound.rel)) - (score - baseline_score)
    return TopicDifference(
        topic_id=topic_id,
        measure=bound,
        run=run,
        baseline=baseline,
        score=float(score),
        baseline_score=float(baseline_score),
        judged=_largest(pair, judged, effects, limit),
        unjudged=_largest(pair, unjudged, gains, limit),
    )


def _pair(campaign: Campaign, run: str, baseline: str, topic_id: str) -> _Pair:
    scoring = scoring_of(campaign)
    topic = scoring.topic_ids.index(topic_id)
    for tag in (run, baseline):
        if tag not in scoring.tags:
            raise NotThere(none_such("run", tag, list(scoring.tags), of=campaign.name))
    own = scoring.of_topics([topic]).of_runs([scoring.tags.index(tag) for tag in (run, baseline)])
    one, two = (own.rankings.rows_between(row, row + 1).document for row in range(2))
    named = {number: each for each, number in scoring.numbers.get(topic_id, {}).items()}
    document_ids = dict(enumerate(runs.vocabulary(campaign, topic_id))) | named
    return _Pair(document_ids, own.labels.label, one, two, own)


def _candidates(pair: _Pair) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The numbers of retrieved documents with a grade other than 0, and of those unjudged near the top."""
    seen = np.union1d(pair.run, pair.baseline).astype(np.int64)
    near = np.union1d(pair.run[:OPEN_TO], pair.baseline[:OPEN_TO]).astype(np.int64)
    return seen[(pair.label[seen] > POOLED) & (pair.label[seen] != 0)], near[pair.label[near] <= POOLED]


def _differences(measure: BoundMeasure, pair: _Pair, numbers: NDArray[np.int64], label: int) -> FloatArray:
    """The difference of the scores if each document in turn, alone, had this label; float64 (documents,)."""
    at_once = max(1, CELLS_AT_A_TIME // max(len(pair.label), 1))
    found = [np.empty(0)]
    for start in range(0, len(numbers), at_once):
        labels = []
        for number in numbers[start : start + at_once].tolist():
            changed = pair.label.copy()
            changed[number] = label
            labels.append(changed)
        scores = _scores(measure, pair, labels)
        found.append(scores[:, 0] - scores[:, 1])
    return np.concatenate(found)


def _scores(measure: BoundMeasure, pair: _Pair, labels: Sequence[NDArray[np.int16]]) -> FloatArray:
    """The scores of both rankings under each of these labellings, float64 (labellings, 2)."""
    starts = np.arange(len(labels) + 1, dtype=np.int64) * len(pair.label)
    repeated = pair.scoring.of_topics([0] * len(labels)).with_labels(Labels(starts, np.concatenate(labels)))
    return repeated.values_of([measure])[measure]


def _largest(
    pair: _Pair, numbers: NDArray[np.int64], effects: FloatArray, limit: int
) -> tuple[InfluentialDocument, ...]:
    ranks = [
        {number: rank for rank, number in enumerate(ranking.tolist(), start=1)}
        for ranking in (pair.run, pair.baseline)
    ]
    found = [
        InfluentialDocument(
            document_id=pair.document_ids[number],
            grade=int(pair.label[number]) if pair.label[number] > POOLED else None,
            rank=ranks[0].get(number),
            baseline_rank=ranks[1].get(number),
            effect=effect,
        )
        for number, effect in zip(numbers.tolist(), effects.tolist(), strict=True)
        if abs(effect) > NOISE
    ]
    return tuple(sorted(found, key=lambda each: (-abs(each.effect), each.document_id))[:limit])
