"""The model of Dawid and Skene: what it finds in made labels, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from workbench.methods.statistics.dawid_skene import TooFewLabels, dawid_skene
from workbench.methods.statistics.ratings import MISSING

Table = NDArray[np.int64]


def made(truth: Table, tables: list[NDArray[np.float64]], seed: int = 1) -> Table:
    """Labels of assessors who err by these tables (row: true, column: said), items by assessors."""
    rng = np.random.default_rng(seed)
    return np.array([[rng.choice(len(err), p=err[true]) for err in tables] for true in truth.tolist()])


GOOD = np.array([[0.9, 0.1], [0.1, 0.9]])
BAD = np.array([[0.2, 0.8], [0.8, 0.2]])
GUESSING = np.full((2, 2), 0.5)


def test_who_is_usually_right_outvotes_those_who_guess() -> None:
    truth = np.random.default_rng(5).integers(0, 2, 400)
    votes = made(truth, [GOOD, GOOD, GUESSING, GUESSING, GUESSING])
    by_majority = (votes.sum(axis=1) > 2).astype(int)
    found = dawid_skene(votes, 2)
    assert (found.labels == truth).mean() > (by_majority == truth).mean() + 0.05
    assert found.confusion[0] == pytest.approx(GOOD, abs=0.08)
    assert found.confusion[3] == pytest.approx(GUESSING, abs=0.12)
    assert found.shares == pytest.approx([0.5, 0.5], abs=0.08)


def test_one_round_by_hand() -> None:
    # Two items of three votes, 0 0 1 and 1 1 1: the first is 0 with 2/3, the second 1 for sure. Each category has one
    # label beforehand, each cell of a table one, and one more on its diagonal.
    found = dawid_skene([[0, 0, 1], [1, 1, 1]], 2, most_rounds=1)
    shares = np.array([2 / 3 + 1, 1 / 3 + 1 + 1]) / 4
    first = np.array([[2 + 2 / 3, 1], [1 + 1 / 3, 2 + 1]])
    third = np.array([[2, 1 + 2 / 3], [1, 2 + 1 / 3 + 1]])
    first, third = (each / each.sum(axis=1, keepdims=True) for each in (first, third))
    assert found.shares == pytest.approx(shares)
    assert found.confusion[0] == pytest.approx(first)
    assert found.confusion[2] == pytest.approx(third)
    likely = shares * first[:, 0] ** 2 * third[:, 1]
    assert found.posterior[0] == pytest.approx(likely / likely.sum())
    assert not found.converged
    assert found.few == (0, 1, 2)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([[0, 1, MISSING], [0, 1, 1]], "1 of 2 have fewer"),
        ([[0, 1], [1, 1]], "2 of 2 have fewer"),
        (np.empty((0, 3), int), "there are none"),
    ],
)
def test_fewer_than_three_labels_for_a_pair_are_refused_with_the_reason(labels: Table, message: str) -> None:
    with pytest.raises(TooFewLabels, match=message):
        dawid_skene(labels, 2)


def test_a_label_that_is_no_category_is_refused() -> None:
    with pytest.raises(ValueError, match="categories from 0 to 1"):
        dawid_skene([[0, 1, 2]], 2)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    row = st.lists(st.integers(0, 2), min_size=3, max_size=3)
    told = draw(st.lists(row, min_size=1, max_size=12))
    extra = draw(st.lists(st.integers(MISSING, 2), min_size=len(told), max_size=len(told)))
    return np.column_stack([np.array(told), extra])


@given(tables())
def test_every_round_climbs_and_all_that_is_found_is_a_distribution(votes: Table) -> None:
    found = dawid_skene(votes, 3)
    assert (np.diff(found.log_posterior) > -1e-9).all()
    assert found.posterior.sum(axis=1) == pytest.approx(1)
    assert found.confusion.sum(axis=2) == pytest.approx(1)
    assert found.shares.sum() == pytest.approx(1)
    assert np.array_equal(found.posterior, dawid_skene(votes, 3).posterior)


@given(tables())
def test_the_order_of_assessors_does_not_matter(votes: Table) -> None:
    assert dawid_skene(votes[:, ::-1], 3).posterior == pytest.approx(
        dawid_skene(votes, 3).posterior, abs=1e-6
    )
