"""How often a run is wrongly called worse than the best one, which is chosen by the scores that it is tested with.

Every set of scores is drawn so that it is known which runs are equal. Wrong is a set in which at least one run is
called worse than the best one of that set although it is not.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.at_length import at_length
from tests.document_tables import rows, three_digits
from workbench.methods.statistics.all_pairs import max_t, max_t_of_pairs, randomised_tukey, to_the_best

FloatArray = NDArray[np.float64]
Drawn = Callable[[np.random.Generator, int, int], FloatArray]
Test = Callable[[FloatArray, np.random.Generator], FloatArray]

TOPICS, SETS, ALPHA = 50, 500, 0.05
ROUNDS = 199
"""The smallest p is 1 / (ROUNDS + 1), and ALPHA is ten of these: then the level is that of many rounds, which only find
more true differences (B. Phipson, G. K. Smyth, Statistical Applications in Genetics and Molecular Biology 9, 2010).
"""

CERTAIN = ALPHA + 3 * (ALPHA * (1 - ALPHA) / SETS) ** 0.5
"""A test with a rate of .05 stays below in all but one of 700 simulations."""


def normal(rng: np.random.Generator, topics: int, runs: int) -> FloatArray:
    return rng.normal(size=(topics, runs))


def precision(rng: np.random.Generator, topics: int, runs: int) -> FloatArray:
    """P@10: topics from hopeless to easy, most differences small multiples of .1, many of them 0."""
    return rng.binomial(10, rng.beta(0.5, 1.5, (topics, 1)), (topics, runs)) / 10


def mostly_zero(rng: np.random.Generator, topics: int, runs: int) -> FloatArray:
    """P@10 where nearly all topics are hopeless."""
    return rng.binomial(10, rng.beta(0.1, 2, (topics, 1)), (topics, runs)) / 10


def average_precision(rng: np.random.Generator, topics: int, runs: int) -> FloatArray:
    """AP: skewed, between 0 and 1, and all runs 0 on half of the topics."""
    found = 1 / (1 + np.exp(1.5 - 1.5 * normal(rng, topics, 1) - 0.7 * normal(rng, topics, runs)))
    return np.asarray(found * (rng.random((topics, 1)) < 0.5), np.float64)


def spread_apart(rng: np.random.Generator, topics: int, runs: int) -> FloatArray:
    """Equal means, but the last run varies twenty times as much as the first."""
    return normal(rng, topics, runs) * np.geomspace(0.1, 2, runs)


def skewed_apart(rng: np.random.Generator, topics: int, runs: int) -> FloatArray:
    """The same with exponential scores: the differences of two runs are skewed."""
    return (rng.exponential(size=(topics, runs)) - 1) * np.geomspace(0.2, 2, runs)


def of_teams(rng: np.random.Generator, topics: int, runs: int) -> FloatArray:
    """Four runs of each team that hardly differ."""
    return np.repeat(normal(rng, topics, -(-runs // 4)), 4, axis=1)[:, :runs] + 0.15 * normal(
        rng, topics, runs
    )


def first_fails(rng: np.random.Generator, topics: int, runs: int) -> FloatArray:
    """Equal means, but the first run loses .5 on 5 % of the topics, and gains a little on all."""
    found = 0.5 + 0.05 * normal(rng, topics, runs)
    found[:, 0] += 0.5 * (0.05 - (rng.random(topics) < 0.05))
    return found


def of_pairs_of_runs(values: FloatArray, rng: np.random.Generator) -> FloatArray:
    """What the leaderboard does."""
    return to_the_best(max_t_of_pairs(values, permutations=ROUNDS, rng=rng), values.mean(axis=0))


def of_a_baseline(values: FloatArray, rng: np.random.Generator) -> FloatArray:
    """What it did before: the best run as if it had been chosen beforehand."""
    return max_t(values, int(values.mean(axis=0).argmax()), permutations=ROUNDS, rng=rng)


def by_tukey(values: FloatArray, rng: np.random.Generator) -> FloatArray:
    return to_the_best(randomised_tukey(values, permutations=ROUNDS, rng=rng), values.mean(axis=0))


def wrong(
    drawn: Drawn,
    runs: int,
    test: Test,
    merits: FloatArray | None = None,
    topics: int = TOPICS,
    sets: int = SETS,
) -> float:
    """The share of sets with a run that is called worse than the best one and is not."""
    rng, true = np.random.default_rng(runs), np.zeros(runs) if merits is None else merits
    found = 0
    for _ in range(sets):
        values = drawn(rng, topics, runs) + true
        best = int(values.mean(axis=0).argmax())
        found += bool(((test(values, rng) <= ALPHA) & (true >= true[best])).any())
    return found / sets


EQUAL = [normal, precision, mostly_zero, average_precision, spread_apart, skewed_apart, of_teams]


@pytest.mark.slow
@pytest.mark.parametrize("runs", at_length([2, 5, 20, 60], [20]))
@pytest.mark.parametrize("drawn", EQUAL)
def test_of_equal_runs_one_is_called_worse_than_the_best_at_most_as_often_as_alpha(
    drawn: Drawn, runs: int
) -> None:
    assert wrong(drawn, runs, of_pairs_of_runs) <= CERTAIN


DOCUMENTED = {
    "normal": normal,
    "P@10": precision,
    "AP, all runs 0 on half of the topics": average_precision,
    "normal, some runs vary 20 times as much as others": spread_apart,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DOCUMENTED)
def test_the_rates_are_those_of_the_documents(name: str) -> None:
    head = ("equal runs whose scores are like", "test", "2 runs", "5", "20", "60")
    documented = [cells for first, *cells in rows(*head) if first == name]
    columns = at_length((2, 5, 20, 60), (2, 5))
    tests = {"max-T against the best": of_a_baseline, "**max-T over all pairs**": of_pairs_of_runs}
    assert [cells[: 1 + len(columns)] for cells in documented] == [
        [words, *(three_digits(wrong(DOCUMENTED[name], runs, test, sets=1000)) for runs in columns)]
        for words, test in tests.items()
    ]


@pytest.mark.slow
def test_a_run_of_equal_mean_that_fails_on_few_topics_is_misjudged_as_often_as_documented() -> None:
    """Signs take differences for symmetric: where the sample has few failures, nothing shows that there are any."""
    rates = [
        wrong(first_fails, runs, of_pairs_of_runs, topics=topics)
        for topics in (25, 50, 100)
        for runs in (2, 20)
    ]
    documented = [0.104, 0.103, 0.092, 0.083, 0.071, 0.053]
    assert rates == pytest.approx(documented, abs=0.04)


@pytest.mark.slow
@pytest.mark.parametrize("tied", at_length([2, 5, 10], [5]))
@pytest.mark.parametrize("drawn", [normal, spread_apart, skewed_apart, of_teams])
@pytest.mark.parametrize("behind", at_length([0.2, 1.0], [0.2]))
def test_among_worse_runs_those_at_the_top_are_called_worse_no_more_often(
    drawn: Drawn, tied: int, behind: float
) -> None:
    merits = np.where(np.arange(20) < tied, 0.0, -behind * np.linspace(0.5, 1.5, 20))
    assert wrong(drawn, 20, of_pairs_of_runs, merits) <= CERTAIN


@pytest.mark.slow
def test_the_rates_of_a_baseline_chosen_afterwards_and_of_tukeys_test_where_runs_vary_differently() -> None:
    rates = [wrong(normal, runs, of_a_baseline) for runs in (2, 5, 20, 60)]
    assert rates[0] <= CERTAIN
    assert rates == sorted(rates) and rates[2] > 0.2 and rates[3] > 0.4
    assert wrong(normal, 20, by_tukey) <= CERTAIN
    assert wrong(spread_apart, 20, by_tukey) > 0.2


@pytest.mark.slow
def test_of_runs_that_are_worse_most_are_found_where_the_difference_is_large() -> None:
    merits = np.where(np.arange(20) < 5, 0.0, -np.linspace(0.5, 1.5, 20))
    rng, found = np.random.default_rng(1), []
    for _ in range(100):
        values = normal(rng, TOPICS, 20) + merits
        found.append([(test(values, rng) <= ALPHA)[5:].mean() for test in (of_pairs_of_runs, of_a_baseline)])
    ours, before = np.mean(found, axis=0)
    assert ours > 0.9
    assert before - ours < 0.08


def test_the_best_of_equal_runs_is_often_ahead_of_a_baseline_test_and_seldom_of_all_pairs() -> None:
    quick = partial(wrong_in, sets=60)
    assert quick(of_a_baseline) > 2 * quick(of_pairs_of_runs)


def wrong_in(test: Test, sets: int) -> float:
    rng = np.random.default_rng(3)
    drawn = [normal(rng, TOPICS, 40) for _ in range(sets)]
    return float(np.mean([(test(values, np.random.default_rng(1)) <= ALPHA).any() for values in drawn]))
