"""Evidence from draws or topics: what is called decided is wrong no more often than it says, whenever one looks."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from itertools import permutations, product

import numpy as np
import pytest

from workbench.core.ranking import FloatArray
from workbench.methods.statistics import betting
from workbench.methods.statistics.betting import BETS, Evidence, against_mean, against_symmetry, evidence

WEIGHT = np.array([[0.5, 0.25, 0.0, 0.125, 0.0], [0.25, 0.0, 0.5, 0.0, 0.125]])
"""What five documents are worth to two runs."""
SIZES = {
    "matched": np.abs(WEIGHT[0] - WEIGHT[1]),
    "even": np.ones(5),
    "the wrong way round": np.array([1.0, 8.0, 1.0, 30.0, 2.0]),
}
GRADED = {"binary": (0.0, 1.0), "graded": (-1.0, 0.0, 0.5)}


def orders(size: FloatArray) -> Iterator[tuple[list[int], float]]:
    """Every order of the documents, with its probability."""
    for order in permutations(range(len(size))):
        taken = list(order)
        left = size[taken][::-1].cumsum()[::-1]
        yield taken, float(np.prod(size[taken] / left))


def after(
    number: int, weight: FloatArray, size: FloatArray, gain: FloatArray, known: FloatArray | None = None
) -> Evidence:
    """The evidence after so many draws, of documents in the order of drawing whose gains are from -1 to 1."""
    left = size[::-1].cumsum()[::-1]
    worst = float((np.ptp(weight, axis=0) / size).max())
    given = {"known": np.zeros(len(weight)) if known is None else known, "worst": worst}
    return evidence(weight[:, :number], gain[:number], size[:number], left[:number], **given)


def looked_at(order: list[int], size: FloatArray, gain: FloatArray, known: FloatArray) -> list[Evidence]:
    """The evidence after each number of draws."""
    drawn = WEIGHT[:, order], size[order], gain[order]
    return [after(number, *drawn, known) for number in range(len(order) + 1)]


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize(
    ("grades", "known"),
    [("binary", 0.0), ("binary", -0.3), pytest.param("graded", 0.2, marks=pytest.mark.slow)],
)
def test_a_run_that_is_worse_is_rarely_called_not_worse_in_all_that_can_happen(
    sizes: str, grades: str, known: float
) -> None:
    size, ahead = SIZES[sizes], np.array([known, 0.0])
    every = list(orders(size))
    assert sum(chance for _, chance in every) == pytest.approx(1)
    worse = 0
    for gain in map(np.array, product(GRADED[grades], repeat=5)):
        if (WEIGHT[0] - WEIGHT[1]) @ gain + known > -1e-12:  # the first run is not worse
            continue
        worse += 1
        if worse % 8:  # of the cases, which are alike, some
            continue
        looks = [(looked_at(order, size, gain, ahead), chance) for order, chance in every]
        for number in range(6):
            mean = sum(chance * np.exp(seen[number].now[0, 1]) for seen, chance in looks)
            assert mean <= 1 + 1e-9
            if number:
                guessed = sum(chance * seen[number].difference[0, 1] for seen, chance in looks)
                assert guessed == pytest.approx((WEIGHT[0] - WEIGHT[1]) @ gain + known)
        for alpha in (0.5, 0.2, 0.05):
            wrong = sum(chance for seen, chance in looks if seen[-1].decided(alpha)[0, 1])
            assert wrong <= alpha + 1e-9
    assert worse >= 8


def test_what_is_drawn_is_right_on_average_and_then_decides() -> None:
    rng = np.random.default_rng(4)
    size = rng.random(400) + 0.1
    weight = np.stack([size, np.zeros(400)])
    gain = (rng.random(400) < 0.5).astype(float)
    order = np.argsort(rng.exponential(size=400) / size)
    seen = [after(n, weight[:, order], size[order], gain[order]) for n in (0, 5, 60, 400)]
    assert [bool(each.decided(0.05)[0, 1]) for each in seen] == [False, False, True, True]
    assert not any(each.decided(0.05)[1, 0] for each in seen)
    assert seen[-1].difference[0, 1] == pytest.approx(size @ gain, rel=0.1)


def test_by_hand_one_draw_bets_nothing_and_the_second_what_the_first_showed() -> None:
    # Two runs, each with two documents of its own; all sizes 1. The first two drawn are the first run's, both relevant.
    weight = np.array([[0.5, 0.25, 0.0, 0.0], [0.0, 0.0, 0.5, 0.25]])
    found = after(2, weight, np.ones(4), np.array([1.0, 1.0, 0.0, 0.0]))
    # z is 0.5 * 4 = 2, then 0.5 + 0.25 * 3 = 1.25, which could have been as low as 0.5 - 0.5 * 3 = -1. The bet on it is
    # 2 / 4 = 0.5, at most 0.5 / 1, so that the stake is 1 + 0.5 * 1.25.
    assert found.now[0, 1] == pytest.approx(np.log(1.625))
    # Against it: the mean of z is below 0, so nothing is bet.
    assert found.now[1, 0] == 0
    assert found.highest.tolist() == np.maximum(found.now, 0).tolist()
    assert found.difference[0, 1] == (2 + 1.25) / 2
    # Each further draw is likely to add mean^2 / (2 * mean of squares), and nothing against it.
    assert found.growth[0, 1] == pytest.approx(1.625**2 / (4 + 1.5625))
    assert found.growth[1, 0] == 0
    assert [bool(found.likely_decided(0.05, draws)[0, 1]) for draws in (5, 6)] == [False, True]


def test_draws_that_are_looked_at_in_parts_give_the_same_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    drawn = rng.random((3, 50)), rng.random(50) + 0.1, rng.random(50), rng.random(3)
    whole = after(30, *drawn)
    monkeypatch.setattr(betting, "NUMBERS_AT_A_TIME", 9 * 7)
    parts = after(30, *drawn)
    assert np.allclose(whole.now, parts.now, rtol=0, atol=1e-12)
    assert np.allclose(whole.highest, parts.highest, rtol=0, atol=1e-12)


def test_several_pairs_need_more_evidence_than_one_and_carry_each_other() -> None:
    stakes = np.log(np.array([[1, 19, 21], [0.1, 1, 60], [0.1, 0.1, 1]]))
    found = Evidence(stakes, np.maximum(stakes, 0), stakes, stakes)
    assert found.decided(0.05).tolist() == [[False, False, True], [False, False, True], [False] * 3]
    assert found.decided_together(0.05, 3).tolist() == [[False] * 3, [False, False, True], [False] * 3]
    # The highest of the three needs 3 / 0.05 = 60, two of them 30, three 20.
    assert found.discovered(0.05, 3).tolist() == found.decided_together(0.05, 3).tolist()
    assert not found.discovered(0.01, 3).any()
    stakes = np.log(np.array([[1, 31, 20.5], [0.1, 1, 35], [0.1, 0.1, 1]]))
    assert Evidence(stakes, stakes, stakes, stakes).discovered(0.05, 3).sum() == 3
    assert not Evidence(stakes, stakes, stakes, stakes).decided_together(0.05, 3).any()


@pytest.mark.parametrize(("runs", "drawn"), [(1, 3), (2, 0)])
def test_one_run_or_nothing_drawn_is_no_evidence(runs: int, drawn: int) -> None:
    found = after(drawn, np.ones((runs, 3)), np.ones(3), np.ones(3))
    assert not found.now.any()
    assert not found.decided(0.05).any()
    assert not found.discovered(0.05, 1).any()


def test_the_mean_of_the_stake_is_one_over_all_that_can_happen() -> None:
    sizes = [0.5, 3.0, 1.0, 40.0, 0.0, 2.0]
    stakes = [
        math.exp(against_symmetry(np.multiply(sizes, signs)))
        for signs in itertools.product((-1, 1), repeat=6)
    ]
    assert np.mean(stakes) == pytest.approx(1)
    stakes = [
        math.exp(against_mean(values, 0.7)) * math.prod(0.7 if value else 0.3 for value in values)
        for values in itertools.product((0, 1), repeat=5)
    ]
    assert sum(stakes) == pytest.approx(1)
    assert against_mean([1.0] * 50, 0.7) < 0 < math.log(100) < against_mean([0.2] * 20, 0.7)


def test_the_stake_is_that_of_the_formula_which_ten_topics_raise_and_one_huge_does_not() -> None:
    of_two = [math.cosh(bet * (2 - 1)) / (math.cosh(2 * bet) * math.cosh(bet)) for bet in BETS]
    assert math.exp(against_symmetry([2.0, -1.0])) == pytest.approx(np.mean(of_two))
    assert against_symmetry([]) == 0
    assert against_symmetry([3.0]) == pytest.approx(0)
    assert against_symmetry([5.0] * 10) > math.log(100) > against_symmetry([5.0] * 7)
    assert against_symmetry([1000.0]) == pytest.approx(0)
    assert math.isfinite(against_symmetry([1e6] * 10_000))


@pytest.mark.parametrize("model", [(0, 1, 0, 1, 1), (1, 0, 1, 0, 0), (1, 1, 1, 1, 1)], ids=str)
def test_whatever_a_model_said_before_a_worse_run_is_rarely_called_not_worse(model: tuple[int, ...]) -> None:
    size, said = SIZES["even"], np.array(model, np.float64)
    every = list(orders(size))
    worse = 0
    for gain in map(np.array, product((0.0, 1.0), repeat=5)):
        truth = (WEIGHT[0] - WEIGHT[1]) @ gain
        if truth > -1e-12 or (worse := worse + 1) % 4:  # of the cases, which are alike, some
            continue
        looks = [(looked_at(order, size, gain - said, WEIGHT @ said), chance) for order, chance in every]
        for number in range(1, 6):
            assert sum(chance * np.exp(seen[number].now[0, 1]) for seen, chance in looks) <= 1 + 1e-9
            guessed = sum(chance * seen[number].difference[0, 1] for seen, chance in looks)
            assert guessed == pytest.approx(truth)
        for alpha in (0.5, 0.05):
            assert sum(chance for seen, chance in looks if seen[-1].decided(alpha)[0, 1]) <= alpha + 1e-9
    assert worse >= 8


def test_a_model_that_is_right_decides_at_the_first_draws_and_none_only_later() -> None:
    rng = np.random.default_rng(4)
    size = rng.random(400) + 0.1
    weight, gain = np.stack([size, np.zeros(400)]), (rng.random(400) < 0.5).astype(float)
    order = np.argsort(rng.exponential(size=400) / size)
    drawn = weight[:, order], size[order]
    alone = [bool(after(n, *drawn, gain[order]).decided(0.05)[0, 1]) for n in (5, 10)]
    right = [bool(after(n, *drawn, np.zeros(400), weight @ gain).decided(0.05)[0, 1]) for n in (5, 10)]
    assert (alone, right) == ([False, False], [False, True])
