"""Statistics of a judge against people, with topics as the sample."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau

from workbench.methods.statistics import agreement, over_topics
from workbench.methods.statistics.arrays import FloatArray
from workbench.methods.statistics.intervals import NO_SPREAD, TOO_FEW
from workbench.methods.statistics.over_topics import (
    BINARY,
    GRADED,
    HINGES_ON_ONE,
    NOT_DEFINED,
    UNEVEN,
    as_two_classes,
    estimate,
)
from workbench.methods.statistics.ratings import ratings_of

SAMPLES = 400


def tables_of(*topics: list[tuple[int, int]], grades: int = 3) -> FloatArray:
    """The confusion matrices of topics from their pairs of people's grade and the judge's."""
    found = np.zeros((len(topics), grades, grades))
    for topic, pairs in enumerate(topics):
        for people, judge in pairs:
            found[topic, people, judge] += 1
    return found


PAIRS = [(0, 0), (0, 1), (1, 1), (2, 1), (2, 2), (1, 2), (0, 0), (2, 0)]


def test_coefficients_of_tables_are_those_of_the_same_pairs() -> None:
    table = tables_of(PAIRS)
    ratings = ratings_of(np.array(PAIRS), 3)
    by_name = {
        "same grade": agreement.raw_agreement(ratings),
        "Cohen's kappa": agreement.cohen_kappa(ratings),
        "Cohen's kappa, linear": agreement.cohen_kappa(ratings, "linear"),
        "Cohen's kappa, quadratic": agreement.cohen_kappa(ratings, "quadratic"),
        "Krippendorff's alpha, ordinal": agreement.krippendorff_alpha(ratings, "ordinal"),
        "Gwet's AC1": agreement.gwet_ac(ratings),
    }
    assert by_name.keys() == GRADED.keys()
    assert {name: float(GRADED[name](table)[0]) for name in GRADED} == pytest.approx(
        {name: found.value for name, found in by_name.items()}
    )


def test_of_two_classes_phi_is_kendalls_tau_too() -> None:
    table = as_two_classes(tables_of(PAIRS), 1)
    assert table.tolist() == [[[2, 1], [1, 4]]]
    one, other = zip(*((people >= 1, judge >= 1) for people, judge in PAIRS), strict=True)
    assert float(over_topics.phi(table)[0]) == pytest.approx(kendalltau(one, other).statistic)
    assert float(over_topics.phi(table)[0]) == pytest.approx(np.corrcoef(one, other)[0, 1])
    assert set(BINARY) >= {"phi (Matthews, tau)"}


def test_a_judge_errs_above_and_below_and_by_how_many_grades() -> None:
    table = tables_of(PAIRS)
    assert over_topics.above(table).tolist() == [2 / 8]
    assert over_topics.below(table).tolist() == [2 / 8]
    assert over_topics.difference([0, 1, 5])(table)[0] == pytest.approx((1 - 4 + 4 - 5) / 8)
    statistic, about = over_topics.found(2)
    assert (statistic(table).tolist(), about(table).tolist()) == ([1 / 3], [3])
    statistic, about = over_topics.confirmed(1)
    assert (statistic(table).tolist(), about(table).tolist()) == ([1 / 3], [3])


def test_the_interval_is_that_of_a_mean_where_topics_are_alike_in_size() -> None:
    shares = np.array([0.2, 0.5, 0.4, 0.9, 0.6, 0.7])
    tables = np.zeros((6, 2, 2))
    tables[:, 0, 0], tables[:, 0, 1] = 10 * shares, 10 * (1 - shares)
    found = estimate(tables, over_topics.same)
    assert found.value == pytest.approx(shares.mean())
    assert found.interval is not None
    # Leaving one out moves a mean by its own distance by n - 1, so the spread is sd * sqrt(n / (n - 1)) / sqrt(n).
    reach = 2.570582 * shares.std(ddof=1) / np.sqrt(5)
    assert found.interval.high - shares.mean() == pytest.approx(reach, rel=1e-6)


@pytest.mark.parametrize(
    ("tables", "statistic", "note"),
    [
        (np.zeros((0, 3, 3)), over_topics.same, NOT_DEFINED),
        (np.zeros((9, 3, 3)), over_topics.same, NOT_DEFINED),
        (tables_of(*[PAIRS] * 4), over_topics.same, TOO_FEW),
        (tables_of(*[PAIRS] * 5), over_topics.same, NO_SPREAD),
        (tables_of(*[[(0, 0)]] * 5, [(1, 0)]), GRADED["Cohen's kappa"], HINGES_ON_ONE),
        (tables_of(PAIRS * 100, *[[(0, 1)]] * 9), over_topics.same, UNEVEN),
    ],
)
def test_what_few_topics_cannot_tell_has_no_interval(
    tables: FloatArray, statistic: over_topics.Statistic, note: str
) -> None:
    found = estimate(tables, statistic)
    assert (found.interval, found.note) == (None, note)
    assert (found.value is None) is (note == NOT_DEFINED)


def population(topics: int, rng: np.random.Generator) -> FloatArray:
    """Topics of unequal size, each with its own judge's behaviour, float64 (topics, 3, 3)."""
    base = np.array([[0.4, 0.15, 0.05], [0.05, 0.1, 0.05], [0.02, 0.08, 0.1]])
    shares = rng.standard_gamma(base * 40, (topics, 3, 3))
    shares /= shares.sum(axis=(1, 2), keepdims=True)
    number = (60 * rng.lognormal(0, 0.4, topics)).astype(int) + 10
    return np.asarray(rng.multinomial(number, shares.reshape(topics, 9)).reshape(-1, 3, 3), np.float64)


@pytest.mark.parametrize("topics", [5, 12, 40])
@pytest.mark.parametrize(
    "name", ["same grade", "Cohen's kappa, quadratic", "Krippendorff's alpha, ordinal", "found"]
)
def test_95_percent_of_the_intervals_hold_what_all_topics_have(name: str, topics: int) -> None:
    statistic, about = over_topics.found(2) if name == "found" else (GRADED[name], None)
    rng = np.random.default_rng(7)
    truth = float(statistic(population(100_000, rng).sum(axis=0)[None])[0])
    found = [estimate(population(topics, rng), statistic, about).interval for _ in range(SAMPLES)]
    held = np.mean([interval is not None and interval.low <= truth <= interval.high for interval in found])
    assert 0.92 <= held <= 0.985  # of 400 draws of a share of .95 nearly all lie here
