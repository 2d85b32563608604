"""How many topics show a difference between two runs, and draws of that number of topics on which it has to be seen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from workbench.analysis.simulating.collection import Collection
from workbench.core.errors import UnknownName
from workbench.core.ranking import FloatArray, IntArray
from workbench.methods.measures.registry import BoundMeasure
from workbench.methods.statistics.all_pairs import of_pairs
from workbench.methods.statistics.power import sd_of_differences, topics_needed

NUMBER, SEED = 100, 1
"""How many draws, and their seed."""
ALPHA, POWER = 0.05, 0.8


class Draws(NamedTuple):
    """Draws of topics with replacement, and the pairs of runs of which the better one has to come out ahead.

    Attributes:
        difference: between the means of two runs, that is to be seen.
        topics: how many topics show it with POWER, by a two-sided paired t-test at ALPHA.
        sd: the standard deviation over topics of the difference of two runs, the median over all pairs.
        weights: float64 (draws, topics of the collection), the share of each topic in a draw of `topics`.
        better, worse: int64 (P). The pairs of runs that differ by at least `difference` over the collection.
        whole: the share of `in_order` with the whole pool judged; None where P is 0.
    """

    difference: float
    topics: int
    sd: float
    weights: FloatArray
    better: IntArray
    worse: IntArray
    whole: float | None = None

    def in_order(self, values: FloatArray) -> float | None:
        """The share of these pairs and draws in which the better run is ahead; None where there is no such pair.

        `values` are those of the collection's topics, float64 (topics, runs).
        """
        if not len(self.better):
            return None
        means = self.weights @ values
        return float((means[:, self.better] > means[:, self.worse]).mean())


def draws_for(collection: Collection, measure: BoundMeasure, difference: float) -> Draws:
    """The draws for a difference of a measure's means.

    UnknownName: the measure is not a mean over topics, there are fewer than two runs or topics, or half of the pairs of
    runs differ by the same on every topic.
    """
    if measure.is_count or measure.modifier("mean") not in {None, "arithmetic"}:
        message = (
            f"{measure} is not a mean over topics, so no number of topics follows; plan with another measure"
        )
        raise UnknownName(message)
    if min(collection.topics, collection.runs) < 2:
        raise UnknownName("a plan needs at least two runs and two topics that are judged")
    values = collection.values(collection.labels, measure)
    sd = float(np.median(of_pairs(sd_of_differences(values))))
    if round(sd, 9) == 0:
        message = f"half of the pairs of runs differ in {measure} by the same on every topic; nothing can be planned"
        raise UnknownName(message)
    topics = topics_needed(sd, difference, alpha=ALPHA, power=POWER)
    means = values.mean(axis=0)
    better, worse = np.nonzero(means[:, None] - means >= difference)
    rng = np.random.default_rng(SEED)
    shares = np.full(collection.topics, 1 / collection.topics)
    weights = rng.multinomial(topics, shares, NUMBER) / topics
    found = Draws(difference, topics, sd, weights, better, worse)
    return found._replace(whole=found.in_order(values))
