"""How well priors predict topics that they were not learned from: by rank, what they expect and what was found.

Topics with judgments are divided into parts. For each part priors are learned from the others, and labels of its judged
pairs are drawn by them; the numbers of relevant ones are added up over the parts. Where what was found lies in the
middle of the draws, priors are right on average for topics like those that are judged; nothing is said of ranks at
which nothing is judged.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.reuse.ranges import Range, middle_of
from workbench.core.ranking import IntArray
from workbench.core.wording import counted
from workbench.methods.statistics.relevance_priors import Features, fit_priors

PARTS, DRAWS = 5, 200
FEWEST_TOPICS = 10
MOST_STEPS = 2e9
"""Pairs times the square of the columns: with more, learning five times over takes minutes."""
BANDS = (5, 10, 20, 50, 100)
"""The last ranks of the bands; one more has all below."""
FEWEST = 20
"""Ranks below which fewer judged pairs lie are beyond what was learned."""


class Predicted(NamedTuple):
    """The judged pairs whose best rank is from `first` to `last` (None: or lower).

    `relevant` of these `pairs` are relevant, and `expected` are by priors that other topics gave.
    """

    first: int
    last: int | None
    pairs: int
    relevant: int
    expected: Range

    @property
    def ranks(self) -> str:
        """Its ranks, as text."""
        return f"below {self.first - 1}" if self.last is None else f"{self.first} to {self.last}"


class Check(NamedTuple):
    """How well priors predict: band by band and for all judged pairs, or why that is not known.

    Attributes:
        bands: those in which something is judged; empty where nothing was predicted.
        whole: all of them together.
        why_none: the reason, "" where there is none.
        beyond: how many pairs wait whose best rank is lower than those of all but a few judged pairs: nothing is known
            of how often such pairs are relevant.
    """

    bands: tuple[Predicted, ...]
    whole: Predicted | None
    why_none: str
    beyond: int


def check(
    features: Features,
    topic: IntArray,
    relevant: NDArray[np.bool_],
    ranks_waiting: IntArray,
    topics: int,
    seed: int,
) -> Check:
    """Predict the judged pairs.

    Args:
        features: of n judged pairs.
        topic: int64 (n,). Their topics, from 0.
        relevant: bool (n,).
        ranks_waiting: the best ranks of the pairs that wait.
        topics: how many topics there are.
        seed: of the parts and the draws.
    """
    ranks = best_ranks(features)
    deepest = np.sort(ranks)[-FEWEST] if len(ranks) >= FEWEST else 0
    beyond = int((ranks_waiting > deepest).sum())
    there = np.unique(topic)
    if len(there) < FEWEST_TOPICS:
        return Check((), None, f"only {counted(len(there), 'topic')} of {FEWEST_TOPICS} are judged", beyond)
    if len(topic) * float(features.number) ** 2 > MOST_STEPS:
        return Check((), None, "with so many runs it would take too long", beyond)
    rng = np.random.default_rng([seed, PARTS])
    part = np.zeros(topics, np.int64)
    part[rng.permutation(there)] = np.arange(len(there)) % PARTS
    band = np.searchsorted(BANDS, ranks)
    drawn = np.zeros((DRAWS, len(BANDS) + 1))
    for number in range(PARTS):
        held = part[topic] == number
        if relevant[~held].all() or not relevant[~held].any():
            return Check((), None, "without a part of the topics too little is judged to learn from", beyond)
        priors = fit_priors(features.rows(~held), topic[~held], relevant[~held], topics)
        of_part, at = features.rows(held), topic[held]
        for draw in range(DRAWS):
            reached = rng.random(len(at)) < priors.probabilities(of_part, at, rng)
            drawn[draw] += np.bincount(band[held][reached], minlength=drawn.shape[1])
    firsts, lasts = (1, *(each + 1 for each in BANDS)), (*BANDS, None)
    bands = [
        _predicted(first, last, relevant[band == number], drawn[:, number])
        for number, (first, last) in enumerate(zip(firsts, lasts, strict=True))
        if (band == number).any()
    ]
    return Check(tuple(bands), _predicted(1, None, relevant, drawn.sum(axis=1)), "", beyond)


def best_ranks(features: Features) -> IntArray:
    """The best rank of each pair, as the features have it."""
    return np.rint(np.exp(features.own[:, 1])).astype(np.int64)


def _predicted(
    first: int, last: int | None, relevant: NDArray[np.bool_], drawn: NDArray[np.float64]
) -> Predicted:
    return Predicted(
        first, last, len(relevant), int(relevant.sum()), middle_of(drawn.tolist()) or Range(0, 0, 0)
    )
