"""The model of Dawid and Skene, and the rules that make one grade of several."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median_low

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.at_length import at_length
from tests.conftest import ROOT
from tests.document_tables import table
from workbench.core.model_answers import mode
from workbench.methods.statistics.dawid_skene import TooFewLabels, dawid_skene
from workbench.methods.statistics.ratings import MISSING

Table = NDArray[np.int64]


def made(truth: Table, tables: list[NDArray[np.float64]], seed: int = 1) -> Table:
    """Labels of assessors who err by these tables (row: true, column: said), items by assessors."""
    rng = np.random.default_rng(seed)
    return np.array([[rng.choice(len(err), p=err[true]) for err in tables] for true in truth.tolist()])


GOOD = np.array([[0.9, 0.1], [0.1, 0.9]])
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
    assert len(found.log_posterior) == 1


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


@settings(max_examples=at_length(200, 15))
@given(tables())
def test_every_round_climbs_and_all_that_is_found_is_a_distribution(votes: Table) -> None:
    found = dawid_skene(votes, 3)
    assert (np.diff(found.log_posterior) > -1e-9).all()
    assert found.posterior.sum(axis=1) == pytest.approx(1)
    assert found.confusion.sum(axis=2) == pytest.approx(1)
    assert found.shares.sum() == pytest.approx(1)
    assert np.array_equal(found.posterior, dawid_skene(votes, 3).posterior)


@settings(max_examples=at_length(200, 15))
@given(tables())
def test_the_order_of_assessors_does_not_matter(votes: Table) -> None:
    assert dawid_skene(votes[:, ::-1], 3).posterior == pytest.approx(
        dawid_skene(votes, 3).posterior, abs=1e-6
    )


RULES = (mode, median_low, min, max)


@pytest.mark.parametrize(
    ("grades", "expected"),
    [
        ([2], (2, 2, 2, 2)), ([0, 2, 2], (2, 2, 0, 2)), ([0, 1, 2, 2], (2, 1, 0, 2)), ([2, 0], (0, 0, 0, 2)),
        ([0, 0, 1, 2, 3], (0, 1, 0, 3)), ([-2, 1, 1], (1, 1, -2, 1)),
    ],
)  # fmt: skip
def test_majority_median_strictest_and_most_lenient(grades: list[int], expected: tuple[int, ...]) -> None:
    assert tuple(rule(grades) for rule in RULES) == expected


@given(st.lists(st.integers(-2, 4), min_size=1), st.sampled_from(RULES))
def test_a_rule_gives_a_grade_that_an_assessor_gave_in_whatever_order(
    grades: list[int], rule: Callable[[list[int]], int]
) -> None:
    assert rule(grades) in grades
    assert rule(grades) == rule(sorted(grades))


@pytest.mark.slow
@pytest.mark.data
def test_the_rules_of_two_are_as_documented(
    data_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Real labels to the last digit; simulated ones with a tenth of the pairs, to three standard errors of 0.15."""
    monkeypatch.setattr(sys, "path", [str(ROOT / "benchmarks"), *sys.path])
    import rules_of_two  # type: ignore[import-not-found]

    def printed() -> dict[str, float]:
        lines = re.findall(r"^  (\w[\w ]*?)  .*? ([-+][\d.]+) points", capsys.readouterr().out, re.MULTILINE)
        return {name: float(points) for name, points in lines}

    rules_of_two.simulate("mixed", "mixed", 1_000_000)
    alike = printed()
    rules_of_two.simulate("strict", "lenient", 1_000_000)
    apart = printed()
    folder = data_folder / "agreement"
    rules_of_two.of_files((folder / "qrels.rag25.test.txt", folder / "qrels.rag25.test-umbrela2.txt"))
    real = printed()
    for names, cells in table("rule", "alike", "strict, then lenient", "RAG 2025").items():
        points = [float(cell.replace("−", "-") or "nan") for cell in cells]
        for name in names.removesuffix(", half of the differences settled").split(", "):
            assert [alike[name], apart[name]] == pytest.approx(points[:2], abs=0.5), name
            assert real[name] == points[2] or name == "adjudicated first", name
