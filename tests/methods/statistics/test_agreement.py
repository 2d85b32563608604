"""Coefficients of agreement: published examples, real double labels, small cases by hand, and what holds always."""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.sentences import says
from workbench.methods.statistics.agreement import (
    ALL_THE_SAME,
    NO_OTHER_VALUE,
    TOO_FEW_ITEMS,
    TOO_FEW_OTHERS,
    TOO_OFTEN_UNDEFINED,
    Coefficient,
    Level,
    Weights,
    _interval,
    agreement_weights,
    cohen_kappa,
    confusion,
    fleiss_kappa,
    grades_met,
    gwet_ac,
    krippendorff_alpha,
    overlap,
    raw_agreement,
)
from workbench.methods.statistics.ratings import MISSING, Ratings, _large_enough, ratings_of

Table = NDArray[np.int64]


def table(*assessors: str) -> Table:
    """Items by assessors, from one line an assessor; grades from 1, `*` is missing."""
    rows = [[MISSING if word == "*" else int(word) - 1 for word in line.split()] for line in assessors]
    return np.array(rows).T


def all_coefficients(ratings: Ratings, draws: NDArray[np.float64] | None = None) -> list[Coefficient]:
    return [
        raw_agreement(ratings, draws),
        overlap(ratings, 1, draws),
        *(cohen_kappa(ratings, weights, draws) for weights in ("equal", "linear", "quadratic")),
        fleiss_kappa(ratings, draws),
        *(krippendorff_alpha(ratings, level, draws) for level in ("nominal", "ordinal", "interval")),
        *(gwet_ac(ratings, weights, draws) for weights in ("equal", "linear", "quadratic")),
    ]


THREE = table(
    "* * * * * 3 4 1 2 1 1 3 3 * 3", "1 * 2 1 3 3 4 3 * * * * * * *", "* * 2 1 3 4 4 * 2 1 1 3 3 * 4"
)
FOUR = table(
    "1 2 3 3 2 1 4 1 2 * * *", "1 2 3 3 2 2 4 1 2 5 * 3", "* 3 3 3 2 3 4 2 2 5 1 *", "1 2 3 3 2 4 4 1 2 5 1 *"
)
"""Krippendorff's examples: 15 items by 3 assessors, and 12 items by 4."""


def test_the_published_examples_have_their_coefficients() -> None:
    three, four = ratings_of(THREE, 4), ratings_of(FOUR, 5)
    assert krippendorff_alpha(three, "nominal").value == pytest.approx(0.691358, abs=5e-7)
    assert krippendorff_alpha(three, "interval").value == pytest.approx(0.810845, abs=5e-7)
    assert krippendorff_alpha(four, "nominal").value == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha(four, "ordinal").value == pytest.approx(0.815, abs=5e-4)
    assert krippendorff_alpha(four, "interval").value == pytest.approx(0.849, abs=5e-4)
    # 12 items, 4 assessors, with gaps: the coefficient of the Handbook, to its five digits.
    assert gwet_ac(ratings_of(FOUR, 5)).value == pytest.approx(0.77544, abs=5e-6)
    counts = """0 0 0 0 14; 0 2 6 4 2; 0 0 3 5 6; 0 3 9 2 0; 2 2 8 1 1
                7 7 0 0 0; 3 2 6 3 0; 2 5 3 2 2; 6 5 2 1 0; 0 2 2 3 7"""
    rows = [list(map(int, row.split())) for line in counts.splitlines() for row in line.split(";")]
    labels = np.array([np.repeat(np.arange(5), row) for row in rows])
    assert fleiss_kappa(ratings_of(labels, 5)).value == pytest.approx(0.210, abs=5e-4)


@pytest.fixture(scope="module")
def twice(data_folder: Path) -> Table:
    """The real pairs that were labelled twice on grades 0 to 4, int64 (10284, 2)."""
    sides = []
    for name in ("qrels.rag25.test.txt", "qrels.rag25.test-umbrela2.txt"):
        text = (data_folder / "agreement" / name).read_text(encoding="utf-8")
        rows = (line.split() for line in text.splitlines())
        sides.append({(topic_id, document_id): int(grade) for topic_id, _, document_id, grade in rows})
    first, second = sides
    assert first.keys() == second.keys()
    return np.array([(first[pair], second[pair]) for pair in first])


@pytest.mark.data
def test_real_pairs_labelled_twice_have_the_known_table(twice: Table) -> None:
    found = confusion(ratings_of(twice, 5))
    assert found is not None
    assert found.tolist() == [
        [1690, 1074, 681, 150, 24], [348, 446, 566, 113, 26], [405, 735, 1971, 547, 102],
        [80, 136, 554, 411, 137], [1, 8, 18, 42, 19],
    ]  # fmt: skip


@pytest.mark.data
def test_real_pairs_labelled_twice_have_the_known_coefficients(twice: Table) -> None:
    ratings = ratings_of(twice, 5)
    expected = {
        raw_agreement(ratings): 0.4412, cohen_kappa(ratings): 0.2333, cohen_kappa(ratings, "linear"): 0.3729,
        cohen_kappa(ratings, "quadratic"): 0.4918, gwet_ac(ratings): 0.3177,
        gwet_ac(ratings, "quadratic"): 0.7616, krippendorff_alpha(ratings, "nominal"): 0.2282,
        krippendorff_alpha(ratings, "ordinal"): 0.4926, krippendorff_alpha(ratings, "interval"): 0.4890,
    }  # fmt: skip
    assert {found.items for found in expected} == {10284}
    for found, value in expected.items():
        assert found.value == pytest.approx(value, abs=5e-5), found.name


@pytest.mark.data
@pytest.mark.parametrize(
    ("relevant", "agreement", "kappa", "of_the_relevant", "ac1"),
    [
        (1, 0.731, 0.367, 0.678, None),
        (2, 0.716, 0.431, 0.565, None),
        (3, 0.829, 0.310, 0.257, 0.773),
        (4, 0.965, 0.084, None, 0.964),  # where nearly all is not relevant AC1 stays high and kappa does not
    ],
)
def test_real_pairs_as_relevant_or_not(
    twice: Table, relevant: int, agreement: float, kappa: float, of_the_relevant: float, ac1: float
) -> None:
    ratings = ratings_of(twice >= relevant, 2)
    found = raw_agreement(ratings), cohen_kappa(ratings), overlap(ratings, 1), gwet_ac(ratings)
    for one, known in zip(found, (agreement, kappa, of_the_relevant, ac1), strict=True):
        assert known is None or one.value == pytest.approx(known, abs=5e-4)


def by_table(*rows: list[int]) -> Table:
    """Items from a table of how often the first said the row and the second the column."""
    cells = [(i, j) for i, row in enumerate(rows) for j, number in enumerate(row) for _ in range(number)]
    return np.array(cells)


def test_near_misses_and_spread_count_by_their_weights() -> None:
    assert agreement_weights(3, "linear").tolist() == [[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]]
    assert agreement_weights(3, "quadratic")[0].tolist() == [1, 0.75, 0]
    # One each of 0-0, 0-1, 2-2: p_o = (1 + .5 + 1) / 3; rows 2/3, 0, 1/3; columns 1/3, 1/3, 1/3:
    # p_e = 2/9 * (1 + .5 + 0) + 1/9 * (0 + .5 + 1) = 1/2.
    ratings = ratings_of([[0, 0], [0, 1], [2, 2]], 3)
    assert cohen_kappa(ratings, "linear").value == pytest.approx((2.5 / 3 - 0.5) / 0.5)
    ratings = ratings_of(FOUR, 5)
    spread = krippendorff_alpha(ratings, "interval", values=[0, 10, 20, 30, 40]).value
    assert spread == pytest.approx(krippendorff_alpha(ratings, "interval").value)
    assert krippendorff_alpha(ratings, "interval", values=[0, 1, 2, 3, 100]).value != pytest.approx(spread)


def test_what_is_not_defined_says_why() -> None:
    ratings = ratings_of([[1, 1], [1, 1], [1, 1]], 2)
    for found in (cohen_kappa(ratings), fleiss_kappa(ratings), krippendorff_alpha(ratings)):
        assert (found.value, found.interval, found.note) == (None, None, ALL_THE_SAME)
    assert raw_agreement(ratings).value == 1
    assert gwet_ac(ratings).value == 1  # its chance is 0 here
    alone = ratings_of([[1, MISSING], [MISSING, 0]], 2)
    assert {found.value for found in all_coefficients(alone)} == {None}
    assert says(raw_agreement(alone).note)
    assert says(overlap(ratings_of([[0, 0]], 2), 1).note)
    assert "two assessors" in cohen_kappa(ratings_of([[0, 0, 1]], 2)).note
    assert "different numbers" in fleiss_kappa(ratings_of([[0, 0, 1], [1, 1, MISSING]], 2)).note
    assert "one category" in gwet_ac(ratings_of([[0, 0]], 1)).note
    assert {found.value for found in all_coefficients(ratings_of(np.empty((0, 2), int), 2))} == {None}


def test_sampling_weights_undo_a_stratified_sample() -> None:
    # All 20 that the first called relevant were judged twice, and 10 of the 80 others, each standing for 8.
    whole = by_table([64, 16], [5, 15])
    sample = by_table([8, 2], [5, 15])
    weights = np.where(sample[:, 0] == 1, 1, 8)
    for ours, true in zip(
        all_coefficients(ratings_of(sample, 2, weights=weights)),
        all_coefficients(ratings_of(whole, 2)),
        strict=True,
    ):
        # Alpha corrects for the size of the sample, which is not the same.
        assert ours.value == pytest.approx(true.value, abs=0.01 if "alpha" in ours.name else 1e-12)
    assert cohen_kappa(ratings_of(sample, 2)).value != pytest.approx(cohen_kappa(ratings_of(whole, 2)).value)


def test_an_interval_covers_its_value_and_the_same_seed_gives_the_same() -> None:
    ratings = ratings_of(by_table([20, 5], [10, 15]), 2)
    one, again = (
        all_coefficients(ratings, ratings.resampled(500, np.random.default_rng(3))) for _ in range(2)
    )
    assert one == again
    for found in one:
        assert found.value is not None
        assert found.interval is not None
        assert found.interval.low < found.value < found.interval.high


def test_the_interval_of_raw_agreement_is_that_of_a_share() -> None:
    # 70 of 100: the standard error is sqrt(.7 * .3 / 100) = .0458.
    ratings = ratings_of(by_table([40, 10], [20, 30]), 2)
    found = raw_agreement(ratings, ratings.resampled(4000, np.random.default_rng(1))).interval
    assert found == pytest.approx((0.7 - 1.96 * 0.0458, 0.7 + 1.96 * 0.0458), abs=0.012)


def test_a_stratum_is_drawn_as_often_as_it_is_large() -> None:
    labels = by_table([16, 4], [5, 25])
    ratings = ratings_of(labels, 2, weights=np.where(labels[:, 0], 1, 4), strata=labels[:, 0])
    drawn = ratings.resampled(4000, np.random.default_rng(1))
    assert drawn.sum(axis=1) == pytest.approx(ratings.weights.sum())
    # Of a Dirichlet distribution: 16 of 20 agree, and half of the item that stands for what was not seen.
    own = ratings.stratum == 0
    agreeing = own & (ratings.counts[:, 0] == 2)
    share = drawn[:, agreeing].sum(axis=1) / (ratings.weight[own][0] * 20)
    assert share.mean() == pytest.approx(16.5 / 21, abs=0.01)
    assert share.std() == pytest.approx(math.sqrt(16.5 / 21 * 4.5 / 21 / 19), abs=0.005)


def test_a_heavy_stratum_that_agrees_does_not_prove_that_such_pairs_do() -> None:
    """Of 1,000 pairs of grade 0 twenty are drawn, and all agree; of those of grade 1, all twenty, half do."""
    labels = by_table([20, 0], [10, 10])
    ratings = ratings_of(labels, 2, weights=np.where(labels[:, 0], 1, 50), strata=labels[:, 0])
    found = raw_agreement(ratings, ratings.resampled(2000, np.random.default_rng(1)))
    assert found.value == pytest.approx(1010 / 1020)
    low, high = interval_of(found)
    assert 0.82 < low < 0.92
    assert high >= found.value


@pytest.mark.parametrize(
    ("counts", "without", "note"),
    [
        ((8, 7, 4), [raw_agreement, gwet_ac], TOO_FEW_ITEMS),  # 19 pairs; 20 have one
        ((9, 7, 4), [], ""),
        ((60, 5, 4), [cohen_kappa, krippendorff_alpha], TOO_FEW_OTHERS),  # 9 leave the commonest grade; 10 do
        ((60, 6, 4), [], ""),
    ],
)
def test_few_pairs_and_few_that_leave_the_commonest_grade_have_no_interval(
    counts: tuple[int, int, int], without: list[Any], note: str
) -> None:
    zeros, ones, apart = counts
    ratings = ratings_of([[0, 0]] * zeros + [[1, 1]] * ones + [[0, 1]] * apart, 2)
    draws = ratings.resampled(200, np.random.default_rng(1))
    for coefficient in (raw_agreement, gwet_ac, cohen_kappa, krippendorff_alpha):
        found = coefficient(ratings, draws=draws)
        if coefficient in without:
            assert (found.interval, found.note) == (None, note)
        elif note != TOO_FEW_ITEMS:
            assert (found.interval is not None, found.note) == (True, "")


@pytest.mark.parametrize(
    ("labels", "weights", "message"),
    [
        ([[0, 2]], None, "categories from 0 to 1"), ([[-2, 0]], None, "categories from 0 to 1"),
        ([0, 1], None, "categories from 0 to 1"), ([[0, 1], [1, 1]], [1], "one value"),
        ([[0, 1], [1, 1]], [1, 0], "positive"), ([[0, 1], [1, 1]], [1, np.nan], "positive"),
    ],
)  # fmt: skip
def test_labels_that_are_no_categories_and_weights_that_are_none_are_refused(
    labels: list[list[int]], weights: list[float] | None, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        ratings_of(labels, 2, weights=weights)


CATEGORIES = 4


@st.composite
def labels(draw: st.DrawFn, fewest: int = 2, most: int = 4) -> Table:
    raters = draw(st.integers(fewest, most))
    row = st.lists(st.integers(MISSING, CATEGORIES - 1), min_size=raters, max_size=raters)
    return np.array(draw(st.lists(row, min_size=1, max_size=20)))


@given(labels())
def test_the_order_of_assessors_and_items_and_equal_weights_do_not_matter(some: Table) -> None:
    other = ratings_of(some[::-1, ::-1], CATEGORIES, weights=np.full(len(some), 7))
    for found, same in zip(
        all_coefficients(ratings_of(some, CATEGORIES)), all_coefficients(other), strict=True
    ):
        assert found.value == (None if same.value is None else pytest.approx(same.value))
        assert (found.note == "") == (found.value is not None)


@given(labels(most=2))
def test_kappa_is_that_of_the_table(some: Table) -> None:
    found, counts = cohen_kappa(ratings_of(some, CATEGORIES)), np.zeros((CATEGORIES, CATEGORIES))
    for one, other in some[(some != MISSING).all(axis=1)].tolist():
        counts[one, other] += 1
    n = counts.sum()
    chance = (counts.sum(0) * counts.sum(1)).sum() / n**2 if n else 1.0
    if chance == 1:
        assert found.value is None
    else:
        assert found.value == pytest.approx((np.trace(counts) / n - chance) / (1 - chance))


def alpha_by_definition(some: Table, level: str) -> float | None:
    """Alpha from the distance of every two judgments, within items and of all."""
    items = [[grade for grade in row if grade != MISSING] for row in some.tolist()]
    items = [item for item in items if len(item) > 1]
    every = [grade for item in items for grade in item]

    def apart(one: int, other: int) -> float:
        low, high = min(one, other), max(one, other)
        if level == "nominal":
            return float(low != high)
        if level == "interval":
            return float((high - low) ** 2)
        between = sum(low <= grade <= high for grade in every)
        return float((between - (every.count(low) + every.count(high)) / 2) ** 2) if low != high else 0.0

    within = sum(
        apart(a, b) / (len(item) - 1)
        for item in items
        for i, a in enumerate(item)
        for j, b in enumerate(item)
        if i != j
    )
    among = sum(apart(a, b) for a in every for b in every)
    return None if not among else 1 - (len(every) - 1) * within / among


@given(labels(), st.sampled_from(["nominal", "ordinal", "interval"]))
def test_alpha_is_that_of_its_definition(some: Table, level: Level) -> None:
    expected = alpha_by_definition(some, level)
    found = krippendorff_alpha(ratings_of(some, CATEGORIES), level).value
    assert found == (None if expected is None else pytest.approx(expected))


@given(labels(), st.sampled_from(["equal", "linear", "quadratic"]))
def test_ac_is_that_of_its_definition(some: Table, weights: Weights) -> None:
    agreed = agreement_weights(CATEGORIES, weights).tolist()
    told = [[grade for grade in row if grade != MISSING] for row in some.tolist()]
    told = [item for item in told if item]
    agreeing = [
        sum(agreed[a][b] for i, a in enumerate(item) for j, b in enumerate(item) if i != j)
        / (len(item) * (len(item) - 1))
        for item in told
        if len(item) > 1
    ]
    found = gwet_ac(ratings_of(some, CATEGORIES), weights).value
    if not agreeing:
        assert found is None
        return
    share = [sum(item.count(k) / len(item) for item in told) / len(told) for k in range(CATEGORIES)]
    spread = sum(one * (1 - one) for one in share)
    chance = sum(map(sum, agreed)) / (CATEGORIES * (CATEGORIES - 1)) * spread
    assert found == pytest.approx((sum(agreeing) / len(agreeing) - chance) / (1 - chance))


@given(labels(most=2))
def test_quadratic_kappa_is_near_the_interval_alpha_of_the_same_shares(some: Table) -> None:
    # Judged both ways round, both assessors have the same shares; then 1 - kappa = (1 - alpha) * n / (n - 1).
    complete = some[(some != MISSING).all(axis=1)]
    both = np.vstack([complete, complete[:, ::-1]])
    ratings = ratings_of(both.reshape(-1, 2), CATEGORIES)
    kappa, alpha = cohen_kappa(ratings, "quadratic").value, krippendorff_alpha(ratings, "interval").value
    assert (kappa is None) == (alpha is None)
    if kappa is not None and alpha is not None:
        n = 2 * len(both)
        assert 1 - kappa == pytest.approx((1 - alpha) * n / (n - 1))


def interval_of(found: Coefficient) -> tuple[float, float]:
    assert found.interval is not None, found.note
    return found.interval


def test_strata_of_one_item_are_drawn_together_so_that_an_interval_has_width() -> None:
    # One item drawn from each of 40 strata, 28 of them agreed on: the interval of a share of 40, and not [.7, .7].
    labels, strata = [[1, 1]] * 28 + [[1, 0]] * 12, np.arange(40)
    apart, together = (ratings_of(labels, 2, strata=each) for each in (strata, np.zeros(40)))
    draws = [each.resampled(1000, np.random.default_rng(1)) for each in (apart, together)]
    assert raw_agreement(apart, draws[0]).interval == pytest.approx(
        interval_of(raw_agreement(together, draws[1])), abs=0.03
    )
    labels = [[0, 0]] * 40 + [[0, 1]] * 20 + [[1, 1]] * 6
    weights, strata = [9.0] * 40 + [2.0] * 20 + [1.0] * 6, [5] * 40 + [7] * 20 + [8] * 3 + [9] * 3
    ratings = ratings_of(labels, 2, weights=weights, strata=strata)
    together = _large_enough(ratings.stratum, ratings.number, ratings.weight)
    of_stratum = dict(zip(ratings.stratum.tolist(), together.tolist(), strict=True))
    assert of_stratum == {5: 1, 7: 0, 8: 0, 9: 0}


@pytest.mark.parametrize("labels", [[[0, 1]] * 20, [[0, 0], [1, 1]] * 10])
def test_where_no_draw_gives_another_value_there_is_no_interval(labels: list[list[int]]) -> None:
    ratings = ratings_of(labels, 2)
    found = raw_agreement(ratings, ratings.resampled(100, np.random.default_rng(1)))
    assert (found.interval, found.note) == (None, NO_OTHER_VALUE)


@pytest.mark.parametrize("judged", [THREE, FOUR])
def test_in_the_grid_of_grades_that_met_every_item_counts_once(judged: Table) -> None:
    categories = int(judged.max()) + 1
    expected = np.zeros((categories, categories))
    for item in judged:
        couples = list(combinations(sorted(item[item != MISSING].tolist()), 2))
        for lower, higher in couples:
            expected[lower, higher] += 1 / len(couples)
    ratings = ratings_of(judged, categories)
    assert grades_met(ratings) == pytest.approx(expected)
    assert grades_met(ratings).sum() == pytest.approx(ratings.items)


def test_by_weight_the_grid_stands_for_all_that_could_have_been_drawn() -> None:
    drawn = ratings_of(table("1 1 2", "1 2 2", "* * 1"), 2, weights=np.array([1.0, 4.0, 1.0]))
    assert grades_met(drawn) == pytest.approx(np.array([[0.5, 2 + 1 / 3], [0, 1 / 6]]))


@pytest.mark.parametrize(("defined", "there_is_one"), [(95, True), (94, False), (0, False)])
def test_an_interval_needs_a_value_in_95_of_100_draws(defined: int, there_is_one: bool) -> None:
    values = np.concatenate([np.arange(float(defined)), np.full(100 - defined, np.nan)])
    found, note = _interval(lambda draws: values, np.zeros((100, 1)), 30.0)
    assert (found is not None) == there_is_one
    assert note == ("" if there_is_one else TOO_OFTEN_UNDEFINED)
    if found is not None:
        assert tuple(found) == pytest.approx((0.025 * (defined - 1), 0.975 * (defined - 1)))
