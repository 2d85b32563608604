"""How well priors predict topics that they were not learned from: what they expect and what was found.

Topics with judgments are divided into parts. For each part priors are learned from the others, and labels of its judged
pairs are drawn by them; the numbers of relevant ones are added up over the parts, by best rank, by how many runs have a
pair, and by pool. Where what was found lies in the middle of the draws, priors are right on average for topics like
those that are judged; nothing is said of ranks at which nothing is judged. How much it helps to know more than ranks is
the logarithmic loss and the Brier score beside those of priors by best rank alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.reuse.ranges import Range, middle_of
from workbench.core.ranking import FloatArray, IntArray
from workbench.core.wording import counted
from workbench.methods.statistics.relevance_priors import Features, fit_priors

PARTS, DRAWS = 5, 200
FEWEST_TOPICS = 10
MOST_STEPS = 2e9
"""Pairs times the square of the columns: with more, learning five times over takes minutes."""
BANDS = (5, 10, 20, 50, 100)
"""The last ranks of the bands; one more has all below."""
AGREEMENT = (1, 2, 5, 10)
"""The same for how many runs have a pair."""
FEWEST = 20
"""Ranks below which fewer judged pairs lie are beyond what was learned."""
LEAST = 1e-9
"""No probability is taken to be lower, so that a loss is finite."""


class Predicted(NamedTuple):
    """The judged pairs whose best rank is from `first` to `last` (None: or lower).

    `relevant` of these `pairs` are relevant, and `expected` are by priors that other topics gave. Of pairs by how many
    runs have them, `first` and `last` are these numbers; of pairs of one pool both are its number.
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

    @property
    def runs(self) -> str:
        """Its numbers of runs, as text."""
        if self.last is None:
            return f"more than {self.first - 1}"
        return str(self.last) if self.first == self.last else f"{self.first} to {self.last}"


class Losses(NamedTuple):
    """How far predicted probabilities are from the labels, over all judged pairs: the lower, the better.

    Attributes:
        log: the mean of -ln of the probability that the label had.
        brier: the mean square of the difference of probability and label.
        log_by_rank, brier_by_rank: of priors that know nothing but the best rank.
    """

    log: float
    brier: float
    log_by_rank: float
    brier_by_rank: float


class Check(NamedTuple):
    """How well priors predict: band by band and for all judged pairs, or why that is not known.

    Attributes:
        bands: those in which something is judged, by best rank; empty where nothing was predicted.
        agreement: likewise, by how many runs have a pair.
        pools: likewise, by pool; empty where all are of one.
        losses: None where nothing was predicted.
        whole: all of them together.
        why_none: the reason, "" where there is none.
        beyond: how many pairs wait whose best rank is lower than those of all but a few judged pairs: nothing is known
            of how often such pairs are relevant.
    """

    bands: tuple[Predicted, ...]
    whole: Predicted | None
    why_none: str
    beyond: int
    agreement: tuple[Predicted, ...] = ()
    pools: tuple[Predicted, ...] = ()
    losses: Losses | None = None


def check(
    features: Features,
    topic: IntArray,
    relevant: NDArray[np.bool_],
    ranks_waiting: IntArray,
    topics: int,
    seed: int,
    pool: IntArray | None = None,
) -> Check:
    """Predict the judged pairs.

    Args:
        features: of n judged pairs.
        topic: int64 (n,). Their topics, from 0.
        relevant: bool (n,).
        ranks_waiting: the best ranks of the pairs that wait.
        topics: how many topics there are.
        seed: of the parts and the draws.
        pool: int64 (n). Their pools; None where all are of one.
    """
    ranks = best_ranks(features)
    deepest = np.sort(ranks)[-FEWEST] if len(ranks) >= FEWEST else 0
    beyond = int((ranks_waiting > deepest).sum())
    there = np.unique(topic)
    if len(there) < FEWEST_TOPICS:
        return Check((), None, f"only {counted(len(there), 'topic')} of {FEWEST_TOPICS} are judged", beyond)
    if len(topic) * float(features.number) ** 2 > MOST_STEPS:
        return Check((), None, "with this number of runs it would take too long", beyond)
    rng = np.random.default_rng([seed, PARTS])
    part = np.zeros(topics, np.int64)
    part[rng.permutation(there)] = np.arange(len(there)) % PARTS
    drawn = np.zeros((DRAWS, len(topic)), np.bool_)
    likely, by_rank = np.zeros(len(topic)), np.zeros(len(topic))
    for number in range(PARTS):
        held = part[topic] == number
        if relevant[~held].all() or not relevant[~held].any():
            return Check((), None, "without a part of the topics too little is judged to learn from", beyond)
        priors = fit_priors(features.rows(~held), topic[~held], relevant[~held], topics)
        of_part, at = features.rows(held), topic[held]
        for draw in range(DRAWS):
            chance = priors.probabilities(of_part, at, rng)
            drawn[draw, held] = rng.random(len(at)) < chance
            likely[held] += chance / DRAWS
        alone = features.by_rank_alone()
        simple = fit_priors(alone.rows(~held), topic[~held], relevant[~held], topics)
        for _ in range(DRAWS):
            by_rank[held] += simple.probabilities(alone.rows(held), at, rng) / DRAWS
    return Check(
        _in_bands(ranks, BANDS, relevant, drawn),
        _predicted(1, None, relevant, drawn.sum(axis=1)),
        "",
        beyond,
        _in_bands(numbers_of_runs(features), AGREEMENT, relevant, drawn),
        _by_pool(pool, relevant, drawn),
        Losses(*_losses(likely, relevant), *_losses(by_rank, relevant)),
    )


def best_ranks(features: Features) -> IntArray:
    """The best rank of each pair, as the features have it."""
    return np.rint(np.exp(features.own[:, 1])).astype(np.int64)


def numbers_of_runs(features: Features) -> IntArray:
    """How many runs have each pair, as the features have it."""
    return np.rint(np.expm1(features.own[:, 2])).astype(np.int64)


def _in_bands(
    value: IntArray, lasts: tuple[int, ...], relevant: NDArray[np.bool_], drawn: NDArray[np.bool_]
) -> tuple[Predicted, ...]:
    """Pairs by values, in bands that end with `lasts`, one more with all above."""
    band = np.searchsorted(lasts, value)
    firsts = (min(1, int(value.min(initial=1))), *(each + 1 for each in lasts))
    return tuple(
        _predicted(first, last, relevant[band == number], drawn[:, band == number].sum(axis=1))
        for number, (first, last) in enumerate(zip(firsts, (*lasts, None), strict=True))
        if (band == number).any()
    )


def _by_pool(
    pool: IntArray | None, relevant: NDArray[np.bool_], drawn: NDArray[np.bool_]
) -> tuple[Predicted, ...]:
    numbers = [] if pool is None else np.unique(pool).tolist()
    return tuple(
        _predicted(number, number, relevant[pool == number], drawn[:, pool == number].sum(axis=1))
        for number in (numbers if len(numbers) > 1 else [])
    )


def _losses(likely: FloatArray, relevant: NDArray[np.bool_]) -> tuple[float, float]:
    """The logarithmic loss and the Brier score."""
    of_label = np.where(relevant, likely, 1.0 - likely)
    return float(-np.log(np.maximum(of_label, LEAST)).mean()), float(((likely - relevant) ** 2).mean())


def _predicted(first: int, last: int | None, relevant: NDArray[np.bool_], drawn: IntArray) -> Predicted:
    return Predicted(
        first, last, len(relevant), int(relevant.sum()), middle_of(drawn.tolist()) or Range(0, 0, 0)
    )
