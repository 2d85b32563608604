"""Pairs in a random order, so that any first part of it says how sure the whole pool would be of its order of runs."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, NamedTuple

import numpy as np

from workbench.core.errors import UnknownName
from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray, IntArray, Rankings
from workbench.methods.pooling.budgets import allot
from workbench.methods.pooling.ordering import Depth
from workbench.methods.pooling.registry import PoolPairs, candidates, strategy
from workbench.methods.pooling.strategies.plain_orders import Seed, chance
from workbench.methods.pooling.strategies.separating import summed_differences
from workbench.methods.pooling.topic_table import table_of

Budget = Annotated[
    int | None,
    Limits("pairs to judge in all, the first of the order", least=1, one_of="budget", example="1000"),
]
Percent = Annotated[
    float | None,
    Limits(
        "the share of all candidates to judge, in percent", above=0, most=100, one_of="budget", example="5"
    ),
]
MeasureName = Annotated[
    str, Limits("the measure by which runs are compared; an additive one, such as P@10 or DCG@10")
]


@strategy("sequential-pps", wish="decide", uses_names=True, down_to="depth")
def drawn_in_sequence(
    rankings: Rankings,
    *,
    depth: Depth,
    budget: Budget = None,
    percent: Percent = None,
    measure: MeasureName = "RBP(p=0.8)",
    seed: Seed = 0,
) -> PoolPairs:
    """Pairs of all topics in one random order, in which those that tell runs apart tend to come first.

    A greater budget with the same seed goes on in the same order: pool some, judge them all, look with workbench
    analyse stop, and pool more if too little is decided. `p` and other parameters are in the name of the measure.

    Formula: by ascending E_d / h_d, where E_d is exponentially distributed and h_d = Σ |w_s(d) - w_t(d)| over pairs of
    runs, w_s(d) being the weight of d's rank in run s; d is next with the probability h_d / Σ h over what is left

    Source: B. Rosén, Asymptotic Theory for Successive Sampling with Varying Probabilities without Replacement, The
    Annals of Mathematical Statistics 43 (1972); P. Efraimidis and P. Spirakis, Information Processing Letters 97 (2006)
    for the keys.
    """
    drawing = draw(rankings, depth=depth, measure=measure, seed=seed)
    number = allot(np.array([len(drawing.sequence)]), budget=budget, percent=percent)[0]
    return drawing.pairs.take(np.sort(drawing.sequence[:number]))


class Drawing(NamedTuple):
    """All candidates, and the order in which they are drawn.

    Attributes:
        pairs: the candidates (N), by topic and document number.
        ids: topic and document id of each.
        size: float64 (N). h_d; 0 where all runs have a document at the same rank, or too low to count.
        sequence: int64 (N). Their places in the order of drawing; those of size 0 come last.
    """

    pairs: PoolPairs
    ids: list[tuple[str, str]]
    size: FloatArray
    sequence: IntArray

    def with_seed(self, seed: int) -> Drawing:
        """The order of the same candidates by another seed."""
        key = np.full(len(self.size), np.inf)
        for place in np.flatnonzero(self.size).tolist():
            # From above 0 to 1, so that the logarithm is finite.
            key[place] = -np.log(1.0 - chance(seed, *self.ids[place])) / self.size[place]
        sequence = sorted(range(len(key)), key=lambda place: (key[place], self.ids[place]))
        return self._replace(sequence=np.array(sequence, np.int64))


def draw(rankings: Rankings, *, depth: int, measure: str, seed: int) -> Drawing:
    """The order in which the strategy above draws; arguments as there.

    UnknownName where there is no such measure, or it is not additive; ValueError for rankings without names.
    """
    pairs = candidates(rankings.to_depth(depth))
    if len(pairs.topic) and rankings.names is None:
        raise ValueError("a random order goes by ids; give rankings with their names")
    weight = weights_of(measure, depth)
    runs = np.unique(rankings.run).tolist()
    size, ids = np.zeros(len(pairs.topic)), [("", "")] * len(pairs.topic)
    starts = np.searchsorted(pairs.topic, np.arange(2 + int(pairs.topic.max(initial=-1))))
    for topic in np.unique(pairs.topic).tolist():
        table = table_of(rankings.of_topic(topic), depth=depth, runs=runs)
        of_topic = pairs.document[starts[topic] : starts[topic + 1]]
        places = starts[topic] + np.searchsorted(of_topic, table.document)
        weights = weight[np.minimum(table.rank, len(weight) - 1)]
        # Of weights that are all the same the sum may be off 0 by rounding.
        size[places] = np.where(np.ptp(weights, axis=0) > 0, summed_differences(weights), 0.0)
        for place, document_id in zip(places.tolist(), table.document_id, strict=True):
            ids[place] = table.topic_id, document_id
    return Drawing(pairs, ids, size, np.zeros(0, np.int64)).with_seed(seed)


@lru_cache(maxsize=8)
def weights_of(measure: str, depth: int) -> FloatArray:
    """What each rank down to the depth weighs in a measure, float64 (ranks + 2): of rank 0, 1 ..., 0 below the last.

    Raises UnknownName for a measure that does not exist, or is not additive.
    """
    from workbench.methods.measures import parse_measure
    from workbench.methods.measures.additive import ADDITIVE, additive_form

    form = additive_form(parse_measure(measure), ranks=depth, top_grade=1)
    if form is None:
        raise UnknownName(
            f"{measure} is not additive over documents, so no random order is made for it; choose one of "
            f"{', '.join(ADDITIVE)}, such as RBP(p=0.8), P@10 or DCG@10"
        )
    return np.concatenate([[0.0], form.weight, [0.0]])
