"""A topic of six candidates of which some are drawn: all samples that can happen, with their probabilities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import Rankings
from workbench.methods.corrected.labels import TwoLabels
from workbench.methods.measures.sampled_rankings import SampledRankings, SampleLabels
from workbench.methods.pooling.strategies.sampling import drawn_systematically

GRADES = np.array([1, 0, 2, 0, 1, 0], np.int16)
"""What people would say of the six, were they all judged."""
RUNS = ([0, 1, 2, 3], [5, 4, 3, 2, 1])
"""Two rankings of some of them."""
MODELS = {
    "right": [1, 0, 2, 0, 1, 0],
    "the wrong way round": [0, 2, 0, 1, 0, 2],
    "all relevant": [2, 2, 2, 2, 2, 2],
    "with gaps": [1, -1, -1, 2, 0, -1],
}
CHANCES = np.array([0.5, 0.25, 0.75, 0.5, 1.0, 1.0])


class Design(NamedTuple):
    """How the six are drawn: their strata, chances, and every sample."""

    stratum: list[int]
    chance: NDArray[np.float64]
    samples: list[NDArray[np.bool_]]
    has_strata: bool


def of_strata(stratum: list[int], numbers: dict[int, int]) -> Design:
    """Some of each stratum, evenly."""
    inside = {each: [at for at, one in enumerate(stratum) if one == each] for each in numbers}
    every = product(*(combinations(inside[each], number) for each, number in numbers.items()))
    chance = np.array([numbers[each] / len(inside[each]) for each in stratum])
    return Design(stratum, chance, [_mask(np.concatenate(parts).astype(int)) for parts in every], True)


def systematic() -> Design:
    """With the chances above; the start of the draw in the middle of each quarter gives every sample once."""

    class Start(NamedTuple):
        at: float

        def random(self) -> float:
            return self.at

    starts = (np.arange(4) + 0.5) / 4
    samples = [drawn_systematically(CHANCES, Start(each)) for each in starts]  # type: ignore[arg-type]
    return Design([0] * 6, CHANCES, samples, False)


def _mask(places: NDArray[np.int64]) -> NDArray[np.bool_]:
    found = np.zeros(6, np.bool_)
    found[places] = True
    return found


DESIGNS = {
    "two strata of a half": of_strata([0, 0, 0, 1, 1, 1], {0: 1, 1: 2}),
    "even": of_strata([0] * 6, {0: 3}),
    "by the grade of a model": of_strata([1, 0, 1, 0, 1, 0], {0: 2, 1: 1}),
    "unequal, two certain": systematic(),
}


def labelled(
    design: Design, *drawn: NDArray[np.bool_], model: list[int], grades: NDArray[np.int16] = GRADES
) -> TwoLabels:
    """As many topics of the six candidates as there are samples; `grades` are those of each, or of all."""
    topics = len(drawn)
    people = SampleLabels(
        np.arange(topics + 1) * 6,
        np.tile(np.array(design.stratum), topics),
        np.broadcast_to(grades, (topics, 6)).ravel(),
        np.tile(design.chance, topics),
        np.concatenate(drawn),
        has_strata=design.has_strata,
    )
    return TwoLabels(people, np.tile(np.array(model, np.int16), topics))


def ranked(labels: TwoLabels, runs: Sequence[list[int]] = RUNS) -> SampledRankings:
    """The two rankings, or others, in each topic."""
    topics = len(labels.people)
    rows = [run for _ in range(topics) for run in runs]
    rankings = Rankings(
        np.cumsum([0, *map(len, rows)]),
        np.array([one for row in rows for one in row], np.uint32),
        np.tile(np.arange(len(runs), dtype=np.int32), topics),
        np.repeat(np.arange(topics, dtype=np.int32), len(runs)),
    )
    return SampledRankings.join(rankings, labels.people)


def in_two_topics(design: Design, model: list[int]) -> Iterator[TwoLabels]:
    """All that can be drawn in two topics, each as likely as any other."""
    for drawn in product(design.samples, repeat=2):
        yield labelled(design, *drawn, model=model)
