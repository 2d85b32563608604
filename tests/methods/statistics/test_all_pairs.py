"""All pairs: the counts known for TREC-8, scipy's studentised range, small cases in full, and what must always hold."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from scipy import stats

from tests.sentences import refused
from workbench.methods.statistics.all_pairs import (
    as_matrix,
    groups,
    max_t,
    max_t_of_pairs,
    name_of,
    of_pairs,
    pairwise_t,
    randomised_tukey,
    residual_variance,
    rounds_for,
    share_significant,
    to_the_best,
)
from workbench.methods.statistics.shuffles import Block, blocks, one_by_one

FloatArray = NDArray[np.float64]

SMALL = np.array([[0.1, 0.5, 0.3], [0.2, 0.6, 0.2], [0.0, 0.4, 0.5], [0.3, 0.4, 0.1]])


def rng() -> np.random.Generator:
    return np.random.default_rng(7)


@pytest.mark.data
def test_randomised_tukey_finds_about_53_pairs_of_trec_8(top30: FloatArray) -> None:
    found = (of_pairs(randomised_tukey(top30, permutations=5000, rng=rng())) < 0.05).sum()
    assert 50 <= found <= 57  # the pairs next to .05 change sides with the seed


def test_residues_t_and_randomised_tukey_of_three_runs_by_hand_by_scipy_and_by_all_permutations() -> None:
    # Topic means .3 1/3 .3 .8/3, run means .15 .475 .275, grand mean .3; residues as below.
    residues = SMALL - SMALL.mean(axis=1, keepdims=True) - SMALL.mean(axis=0) + 0.3
    mse = (residues**2).sum() / 6
    assert residual_variance(SMALL) == pytest.approx(mse)
    expected = stats.ttest_rel(SMALL[:, 0], SMALL[:, 2]).pvalue
    assert pairwise_t(SMALL)[0, 2] == pytest.approx(float(expected))
    assert pairwise_t(SMALL)[2, 0] == pairwise_t(SMALL)[0, 2]
    orders = [list(permutations(row)) for row in SMALL[:3]]
    ranges = np.array([np.ptp(np.mean(chosen, axis=0)) for chosen in product(*orders)])
    means = SMALL[:3].mean(axis=0)
    exact = (ranges >= abs(means[0] - means[1]) - 1e-12).mean()
    found = randomised_tukey(SMALL[:3], permutations=20_000, rng=rng())
    assert found[0, 1] == pytest.approx(exact, abs=0.015)


def test_no_p_value_by_chance_is_0_and_runs_that_are_the_same_have_1() -> None:
    far = np.array([[0.0, 1.0, 0.5]] * 30)
    assert randomised_tukey(far, permutations=199, rng=rng())[0, 1] == 1 / 200
    assert max_t(far, 0, permutations=199, rng=rng())[1] == 1 / 200
    same = np.repeat(SMALL[:, :1], 3, axis=1)
    assert (randomised_tukey(same, permutations=99, rng=rng()) == 1).all()
    assert (pairwise_t(same) == 1).all()
    assert (max_t(same, 0, permutations=99, rng=rng()) == 1).all()
    assert (max_t_of_pairs(same, permutations=99, rng=rng()) == 1).all()


@pytest.mark.parametrize("values", [np.empty((0, 3)), SMALL[:1]])
def test_one_topic_or_none_shows_nothing(values: FloatArray) -> None:
    assert (pairwise_t(values) == 1).all()
    assert (max_t(values, 0, rng=rng()) == 1).all()
    assert (max_t_of_pairs(values, rng=rng()) == 1).all()
    assert randomised_tukey(values, permutations=50, rng=rng()).shape == (3, 3)


def test_max_t_looks_at_every_assignment_of_signs_when_there_are_few() -> None:
    d = (SMALL - SMALL[:, [0]])[:, 1:]
    t = np.abs(stats.ttest_1samp(d, 0).statistic)
    largest = [
        np.abs(stats.ttest_1samp(d * np.array(signs)[:, None], 0).statistic).max()
        for signs in product((1, -1), repeat=4)
    ]
    expected = [np.mean([value >= own - 1e-9 for value in largest]) for own in t]
    assert_allclose(max_t(SMALL, 0, permutations=1000, rng=rng()), [1.0, *expected])


def test_max_t_of_pairs_looks_at_every_assignment_of_signs_when_there_are_few() -> None:
    first, second = [0, 0, 1], [1, 2, 2]
    d = SMALL[:, first] - SMALL[:, second]
    t = np.abs(stats.ttest_1samp(d, 0).statistic)
    largest = [
        np.abs(stats.ttest_1samp(d * np.array(signs)[:, None], 0).statistic).max()
        for signs in product((1, -1), repeat=4)
    ]
    expected = [np.mean([value >= own - 1e-9 for value in largest]) for own in t]
    found = max_t_of_pairs(SMALL, permutations=1000, rng=rng())
    assert_allclose(found[first, second], expected)
    assert (found == found.T).all()


@given(st.permutations(range(5)), st.sampled_from([0.1, 1.0, 7.0]))
def test_max_t_of_pairs_cares_for_no_order_unit_or_level_of_a_topic(order: list[int], unit: float) -> None:
    values = np.random.default_rng(2).integers(0, 6, (12, 5)) / 5
    here = max_t_of_pairs(values, permutations=200, rng=rng())
    moved = unit * values[:, order] + np.arange(12)[:, None]
    assert_allclose(max_t_of_pairs(moved, permutations=200, rng=rng()), here[np.ix_(order, order)])


def test_the_best_one_differs_only_from_those_that_differ_from_all_that_are_best() -> None:
    p = as_matrix(np.array([0.9, 0.01, 0.2]), 3)  # of 0 and 1, of 0 and 2, of 1 and 2
    assert to_the_best(p, [0.6, 0.5, 0.1]).tolist() == [1.0, 0.9, 0.01]
    assert to_the_best(p, [(0.1 + 0.2) + 0.3, (0.3 + 0.2) + 0.1, 0.1]).tolist() == [1.0, 1.0, 0.2]
    assert to_the_best(np.ones((0, 0)), []).tolist() == []


@pytest.mark.parametrize(("runs", "rounds"), [(2, 10_000), (200, 10_000), (300, 2_000), (1000, 1_000)])
def test_many_runs_get_fewer_rounds(runs: int, rounds: int) -> None:
    assert rounds_for(runs) == rounds


def test_progress_tells_of_every_round() -> None:
    told: list[int] = []
    randomised_tukey(np.zeros((50, 150)), permutations=300, rng=rng(), progress=told.append)
    assert sum(told) == 300
    assert len(told) > 1


@given(
    st.integers(1, 6).flatmap(
        lambda runs: st.lists(
            st.lists(st.integers(0, 10).map(lambda number: number / 10), min_size=runs, max_size=runs),
            min_size=1,
            max_size=6,
        )
    )
)
def test_matrices_are_symmetric_with_ones_on_the_diagonal(rows: list[list[float]]) -> None:
    values = np.array(rows)
    by_chance = randomised_tukey(values, permutations=30, rng=rng())
    signed = max_t_of_pairs(values, permutations=30, rng=rng())
    for p in (pairwise_t(values), by_chance, signed):
        assert (p == p.T).all()
        assert (np.diag(p) == 1).all()
        assert ((p >= 0) & (p <= 1)).all()
        assert (as_matrix(of_pairs(p), len(p)) == p).all()


def test_it_does_not_matter_who_does_a_block_of_rounds_or_when() -> None:
    values = np.random.default_rng(2).random((50, 150))

    def backwards(table: FloatArray, planned: Sequence[Block], progress: object) -> FloatArray:
        assert len(planned) > 2
        sent = pickle.loads(pickle.dumps(planned))
        found = {block: one_by_one(table, [sent[block]]) for block in reversed(range(len(sent)))}
        return np.concatenate([found[block] for block in range(len(sent))])

    here = randomised_tukey(values, permutations=400, rng=rng())
    assert (randomised_tukey(values, permutations=400, rng=rng(), shuffling=backwards) == here).all()
    planned = blocks(400, values.size, rng())
    assert len({one_by_one(values, [block])[0] for block in planned}) == len(planned)


def test_discriminative_power_is_the_share_of_significant_pairs_of_a_table() -> None:
    p = as_matrix(np.array([0.01, 0.5, 0.05]), 3)
    assert share_significant(p) == pytest.approx(2 / 3)
    assert share_significant(np.ones((1, 1))) == 0
    with pytest.raises(ValueError, match="topics by runs"):
        pairwise_t([0.1, 0.2])
    with refused(ValueError):
        randomised_tukey(SMALL, permutations=0, rng=rng())


def test_neighbours_share_letters_and_the_best_has_a() -> None:
    # Of four runs the first differs from the last two, the second from the last.
    p = as_matrix(np.array([0.5, 0.01, 0.01, 0.5, 0.01, 0.5]), 4)
    assert groups(p, [0.4, 0.3, 0.2, 0.1]) == ["a", "ab", "bc", "c"]
    assert groups(p[::-1, ::-1], [0.1, 0.2, 0.3, 0.4]) == ["c", "bc", "ab", "a"]
    assert groups(np.ones((0, 0)), []) == []
    assert [name_of(number) for number in (0, 25, 26, 51, 52, 104)] == ["a", "z", "A", "Z", "a2", "a3"]


def letters_in(text: str) -> set[str]:
    return set(text)


@st.composite
def p_values(draw: st.DrawFn) -> NDArray[np.float64]:
    """Of up to seven runs, any pairs of which may differ."""
    runs = draw(st.integers(1, 7))
    number = runs * (runs - 1) // 2
    differs = draw(st.lists(st.booleans(), min_size=number, max_size=number))
    return as_matrix(np.where(np.array(differs, bool), 0.01, 0.9), runs)


@given(p_values())
def test_two_runs_share_a_letter_exactly_if_they_do_not_differ(p: NDArray[np.float64]) -> None:
    letters = groups(p, np.arange(len(p)))
    assert all(letters)
    for one, other in combinations(range(len(p)), 2):
        assert bool(letters_in(letters[one]) & letters_in(letters[other])) == (p[one, other] > 0.05)
    members = [{run for run, text in enumerate(letters) if name in text} for name in set("".join(letters))]
    assert not any(one < other for one in members for other in members)
