"""How many comparisons each strategy for pairs takes to find the order of things.

    .venv/bin/python benchmarks/choosing_pairs.py [REPETITIONS]

THINGS have normal strengths with a deviation of SPREAD log-odds. One assessor judges each pair that a strategy asks,
in the order of asking, by the model of Bradley and Terry with ties (NU). Then strengths are fitted to all of them, as
`uncertain` does. The error is the share of the pairs of things that they have in the wrong order, equal ones half.
`random-pairs` draws all pairs in one order. `sort` ends when it has an order; its error is then that of its order.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from workbench.core.battles import FIRST, SECOND, TIE
from workbench.methods.battles.davidson import fit
from workbench.methods.pairing import PAIRINGS, Answered, TopicThings, chosen_pairs
from workbench.methods.pairing.strategies.drawing import battles_of
from workbench.methods.pairing.strategies.sorting import progress

THINGS, NU, SEED = 30, 0.3, 5
SPREADS = (1.0, 2.0, 4.0)
SHOWN = (30, 60, 90, 120, 150, 200)
STRATEGIES = {"random-pairs": {"count": 435}, "uncertain": {}, "sort": {}}


def wrong_share(strengths: Sequence[float], truth: Sequence[float]) -> float:
    """The share of pairs in the wrong order, equal ones half."""
    rows, columns = np.triu_indices(len(truth), 1)
    found = np.sign(np.array(strengths)[rows] - np.array(strengths)[columns])
    right = np.sign(np.array(truth)[rows] - np.array(truth)[columns])
    return float(np.mean((1 - found * right) / 2))


def assessor(truth: dict[str, float], chance: np.random.Generator) -> Callable[[str, str], str]:
    """Preferences by the model."""

    def says(one: str, other: str) -> str:
        half = np.exp((truth[one] - truth[other]) / 2)
        shares = np.array([half, 1 / half, NU])
        return (FIRST, SECOND, TIE)[chance.choice(3, p=shares / shares.sum())]

    return says


def errors(strategy: str, spread: float, seed: int) -> tuple[dict[int, float], int]:
    """The error after each number of comparisons, and how many there were."""
    chance = np.random.default_rng((SEED, seed))
    strengths = np.round(chance.normal(0, spread, THINGS), 6)
    truth = {f"t{at:02}": float(each) for at, each in enumerate(strengths)}
    says, found = assessor(truth, chance), dict[int, float]()
    topic = TopicThings(str(seed), tuple(truth), (), ())
    parameters = PAIRINGS.find(strategy).check(STRATEGIES[strategy])
    while len(topic.answered) < max(SHOWN):
        more = (
            []
            if strategy == "random-pairs" and topic.asked
            else chosen_pairs(strategy, topic, seed, parameters)
        )
        topic = topic._replace(asked=topic.asked + tuple(each[:2] for each in more))
        if not (waiting := topic.waiting):
            break
        topic = topic._replace(answered=(*topic.answered, Answered(*waiting[0], says(*waiting[0]), "Ann")))
        if len(topic.answered) in SHOWN:
            fitted = fit(battles_of(topic), position=False)
            assert fitted is not None
            found[len(topic.answered)] = wrong_share(fitted.strengths[1:].tolist(), strengths.tolist())
    if strategy == "sort" and (order := progress(topic)[0]):
        end = wrong_share([-order.index(each) for each in truth], strengths.tolist())
        found |= {each: end for each in SHOWN if each >= len(topic.answered)}
    return found, len(topic.answered)


def main() -> None:
    """Print the mean error in percent, with its standard error, by the number of comparisons."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    print("| Deviation | Strategy | " + " | ".join(map(str, SHOWN)) + " |")
    print("|---" * (2 + len(SHOWN)) + "|")
    for spread, strategy in product(SPREADS, STRATEGIES):
        found = [errors(strategy, spread, seed) for seed in range(repetitions)]
        values = 100 * np.array([[each[number] for number in SHOWN] for each, _ in found])
        error = values.std(axis=0) / repetitions**0.5
        cells = [f"{mean:.1f} ({of:.1f})" for mean, of in zip(values.mean(axis=0), error, strict=True)]
        took = f", {np.mean([took for _, took in found]):.0f} comparisons" if strategy == "sort" else ""
        print(f"| {spread:g} | `{strategy}`{took} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
