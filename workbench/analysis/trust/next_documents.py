"""The next documents that decide most: those whose judgment narrows the bounds of open pairs of runs most.

By an additive measure a judgment of document d narrows the bounds of a pair by (most - least gain) * |a_d|, whatever
the grade: a_d is the difference of its two weights. So for the pairs that are open the order by the sum of |a_d| over
them leaves the least width after any number of judgments, and needs no guess of what is relevant.

Source: Carterette, Allan and Sitaraman, SIGIR 2006, whose weights these are for additive measures.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.trust.certain_pairs import (
    DEFAULT_MEASURE,
    NO_LIMIT,
    PairsRequest,
    differences_in,
    pairs_follower,
)
from workbench.analysis.trust.pair_sums import PairSums, counted_topics
from workbench.core.errors import UnknownName
from workbench.core.ranking import POOLED, FloatArray
from workbench.core.results import Column
from workbench.methods.bounds.additive import AdditiveDifferences
from workbench.methods.measures.additive import Additive
from workbench.scoring.board.loading import Scoring
from workbench.scoring.board.past_boards import scoring_of
from workbench.storage.campaign import Campaign

LISTED = 8
AT_A_TIME = 64


class NextDocument(NamedTuple):
    """A document without a grade.

    Attributes:
        topic_id, document_id: which.
        pairs: on how many open pairs it has a bearing.
        narrows: by how much a judgment narrows the bounds of these pairs, added up, in units of the measure's mean.
    """

    topic_id: Annotated[str, Column("Topic")]
    document_id: Annotated[str, Column("Document")]
    pairs: Annotated[int, Column("Open pairs")]
    narrows: Annotated[float, Column("Narrows by")]


def next_documents(
    campaign: Campaign,
    measure: str = DEFAULT_MEASURE,
    *,
    topic_id: str | None = None,
    limit: int = LISTED,
    most_steps: float = NO_LIMIT,
) -> list[NextDocument]:
    """The documents, of all topics or of one, that narrow the open pairs most, the first one first.

    Pairs that certain_pairs leaves out play no part. UnknownName: no such measure, or one that is not additive.
    """
    kind = differences_in(scoring_of(campaign), measure)
    if not isinstance(kind, AdditiveDifferences):
        raise UnknownName(
            f"by {kind.measure} what a judgment decides depends on the grade; take an additive measure, "
            "such as RBP(p=0.8), P@10 or DCG@10"
        )
    request = PairsRequest(measure, most_steps=most_steps)
    found, scoring, sums = pairs_follower(campaign).sums(campaign, request)
    form = sums.form(scoring)
    # The sums have the runs in another order than the answer.
    place = {tag: at for at, tag in enumerate(found.tags)}
    order = [place[scoring.tags[column]] for column in sums.columns]
    open_ = found.pairs.open[np.ix_(order, order)]
    if not open_.any():
        return []
    topics = [
        topic for topic in counted_topics(scoring) if topic_id is None or scoring.topic_ids[topic] == topic_id
    ]
    scale = (form.most - form.least) / max(found.n_topics, 1)
    return [
        _named(scoring, each, scale) for each in _most_deciding(scoring, sums, form, open_, topics, limit)
    ]


class _Document(NamedTuple):
    """A document by its numbers: how many open pairs weigh it differently, and by how much in all."""

    sum: float
    topic: int
    document: int
    pairs: int


def _named(scoring: Scoring, each: _Document, scale: float) -> NextDocument:
    topic_id = scoring.topic_ids[each.topic]
    document_id = next(name for name, number in scoring.numbers[topic_id].items() if number == each.document)
    return NextDocument(topic_id, document_id, each.pairs, each.sum * scale)


def _most_deciding(
    scoring: Scoring,
    sums: PairSums,
    form: Additive,
    open_: NDArray[np.bool_],
    topics: Sequence[int],
    limit: int,
) -> list[_Document]:
    """The documents with the largest sum of differences of weights over open pairs, the largest first.

    Documents are looked at in the order of the sum over all pairs, which is never less: as soon as that is below the
    sums found, the rest of a topic need not be looked at.
    """
    best: list[_Document] = []
    for topic in topics:
        spread = sums.spread(scoring, topic, form)
        runs = sums.of_topic(scoring, topic)
        waiting = runs.label[spread.document] == POOLED
        documents, most = spread.document[waiting], spread.sums[waiting]
        for start in range(0, len(documents), AT_A_TIME):
            if len(best) == limit and most[start] <= best[-1].sum:
                break
            some = documents[start : start + AT_A_TIME].astype(np.int64)
            weight = form.weights_at(runs.ranks(some, len(form.weight)))
            narrowed = over_open_pairs(weight, open_)
            found = [
                _Document(
                    float(narrowed[at]),
                    topic,
                    int(some[at]),
                    pairs=int((open_ & (weight[at][:, None] != weight[at])).sum()) // 2,
                )
                for at in np.flatnonzero(narrowed > 0).tolist()
            ]
            best = sorted([*best, *found], key=lambda each: (-each.sum, each.topic, each.document))[:limit]
    return best


def over_open_pairs(weight: FloatArray, open_: NDArray[np.bool_]) -> FloatArray:
    """Σ |w_s - w_t| over these pairs, float64 (n)."""
    summed = np.zeros(len(weight))
    for one in range(weight.shape[1]):
        others = np.flatnonzero(open_[one, one + 1 :]) + one + 1
        if len(others):
            summed += np.abs(weight[:, others] - weight[:, [one]]).sum(axis=1)
    return summed
