"""The next documents that decide most: those whose judgment narrows the bounds of open pairs of runs most.

By a measure that adds up a judgment of document d narrows the bounds of a pair by (most - least gain) * |a_d|, whatever
the grade: a_d is the difference of its two weights. So for the pairs that are open the order by the sum of |a_d| over
them leaves the least width after any number of judgments, and needs no guess of what is relevant.

Source: Carterette, Allan and Sitaraman, SIGIR 2006, whose weights these are for measures that add up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import UnknownName
from workbench.core.ranking import FloatArray
from workbench.methods.certainty.additive import AdditiveDifferences, form_of
from workbench.scoring.board.certain_pairs import (
    DEFAULT_MEASURE,
    MOST_STEPS,
    CertainPairs,
    certain_pairs,
    columns_of,
    differences_in,
    scoring_as_of,
    topics_of,
)
from workbench.scoring.board.loading import Scoring
from workbench.storage.campaign import Campaign

LISTED = 8
AT_A_TIME = 256


class NextDocument(NamedTuple):
    """A document without a grade: on how many open pairs it has a bearing, and by how much it narrows them in all.

    `narrows` is in units of the measure's mean, added up over these pairs.
    """

    topic_id: str
    document_id: str
    pairs: int
    narrows: float


def deciding_documents(
    campaign: Campaign,
    measure: str = DEFAULT_MEASURE,
    *,
    topic_id: str | None = None,
    as_of: int | None = None,
    limit: int = LISTED,
    most_steps: float = MOST_STEPS,
) -> list[NextDocument]:
    """The documents, of all topics or of one, that narrow the open pairs most, the first one first.

    Pairs that certain_pairs leaves out play no part.

    Raises:
        UnknownName: a measure that does not exist, or that does not add up.
    """
    scoring = scoring_as_of(campaign, as_of)
    kind = differences_in(scoring, measure)
    if not isinstance(kind, AdditiveDifferences):
        message = (
            f"by {kind.measure} what a judgment decides depends on the grade; take a measure that adds up, "
            "such as RBP(p=0.8), P@10 or DCG@10"
        )
        raise UnknownName(message)
    found = certain_pairs(campaign, measure, as_of=as_of, most_steps=most_steps)
    return _listed(scoring, kind, found, topic_id, limit)


def _listed(
    scoring: Scoring, kind: AdditiveDifferences, found: CertainPairs, topic_id: str | None, limit: int
) -> list[NextDocument]:
    columns, open_ = columns_of(scoring, found.tags), open_pairs(found)
    if not open_.any():
        return []
    form = form_of(kind, int(scoring.rankings.lengths.max(initial=0)))
    places: list[tuple[int, int]] = []
    weights = []
    for topic, runs in topics_of(scoring):
        if topic_id is None or scoring.topic_ids[topic] == topic_id:
            undecided = runs.of_runs(columns).undecided(len(form.weight))
            places += [(topic, document) for document in undecided.document.tolist()]
            weights.append(form.weights_at(undecided.rank))
    if not places:
        return []
    scale = (form.most - form.least) / max(found.n_topics, 1)
    weight = np.concatenate(weights)
    names = {
        topic: {number: name for name, number in _numbers(scoring, topic).items()} for topic, _ in places
    }
    return [
        NextDocument(
            scoring.topic_ids[places[place][0]],
            names[places[place][0]][places[place][1]],
            int((open_ & (np.abs(weight[place][:, None] - weight[place]) > 0)).sum()) // 2,
            value * scale,
        )
        for place, value in most_deciding(weight, open_, limit)
        if value > 0
    ]


def open_pairs(found: CertainPairs) -> NDArray[np.bool_]:
    """Which pairs are neither certain nor tied for certain, bool (S, S)."""
    open_: NDArray[np.bool_] = ~(found.pairs.certain | found.pairs.tied)
    np.fill_diagonal(open_, False)
    return open_


def most_deciding(weight: FloatArray, open_: NDArray[np.bool_], limit: int) -> list[tuple[int, float]]:
    """The documents with the largest sum of differences of weights over open pairs: their places, and the sums.

    Documents are looked at in the order of the sum over all pairs, which is never less: as soon as that is below the
    sums found, the rest need not be looked at.

    Args:
        weight: float64 (n, S). The weight of each document in each run.
        open_: bool (S, S), symmetric.
        limit: how many are wanted.
    """
    over_all = over_all_pairs(weight)
    order = np.argsort(-over_all, kind="stable")
    best: list[tuple[float, int]] = []
    for start in range(0, len(order), AT_A_TIME):
        chunk = order[start : start + AT_A_TIME]
        if len(best) == limit and over_all[chunk[0]] <= best[-1][0]:
            break
        sums = over_open_pairs(weight[chunk], open_)
        best += [(float(value), int(place)) for value, place in zip(sums, chunk, strict=True)]
        best = sorted(best, key=lambda each: (-each[0], each[1]))[:limit]
    return [(place, value) for value, place in best]


def over_all_pairs(weight: FloatArray) -> FloatArray:
    """Σ |w_s - w_t| over all pairs, float64 (n): in ascending order the i-th of S weights counts 2i - S - 1 times."""
    runs = weight.shape[1]
    summed: FloatArray = np.sort(weight, axis=1) @ (2.0 * np.arange(1, runs + 1) - runs - 1)
    return summed


def over_open_pairs(weight: FloatArray, open_: NDArray[np.bool_]) -> FloatArray:
    """Σ |w_s - w_t| over these pairs, float64 (n)."""
    summed = np.zeros(len(weight))
    for one in range(weight.shape[1]):
        others = np.flatnonzero(open_[one, one + 1 :]) + one + 1
        if len(others):
            summed += np.abs(weight[:, others] - weight[:, [one]]).sum(axis=1)
    return summed


def _numbers(scoring: Scoring, topic: int) -> dict[str, int]:
    return scoring.numbers[scoring.topic_ids[topic]]
