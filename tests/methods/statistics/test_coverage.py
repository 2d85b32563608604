"""How often intervals hold the truth stays as benchmarks/RESULTS.md says, in simulations with a fixed seed."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.conftest import ROOT
from tests.document_tables import table

pytestmark = pytest.mark.slow

Scores = dict[str, NDArray[np.float64]]
BENCHMARKS = ROOT / "benchmarks"
BOOTSTRAPPED = ("percentiles, 5 / 25", "BCa, 5 / 25")
REPETITIONS = 500
"""Of each cell of the tables; of the t interval twenty times as many."""


@pytest.fixture
def coverage(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(sys, "path", [str(BENCHMARKS), *sys.path])
    import coverage_of_intervals  # type: ignore[import-not-found]

    return coverage_of_intervals  # type: ignore[no-any-return]


@pytest.fixture
def scores(coverage: ModuleType, data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Scores:
    monkeypatch.setenv("WORKBENCH_TEST_DATA", str(data_folder))
    return coverage.robust_scores()  # type: ignore[no-any-return]


def tolerance(share: float, of: int) -> float:
    """Three standard errors of a share, and the rounding of the two digits that it is written with."""
    return 3 * math.sqrt(share * (1 - share) / max(of, 1)) + 0.005


def written(cell: object) -> str:
    """As the tables have it, without the zero before the point."""
    return str(cell).replace("0.", ".")


@pytest.mark.data
def test_the_t_interval_covers_as_documented(coverage: ModuleType, scores: Scores) -> None:
    documented = table("population", "5", "10", "25", "50", "100", *BOOTSTRAPPED)
    populations = coverage.of_robust(scores) | coverage.skewed()
    for name, cells in documented.items():
        found = [
            coverage.coverage_of_t(populations[name], topics, 20 * REPETITIONS)
            for topics in (5, 10, 25, 50, 100)
        ]
        assert (name, [written(each) for each in found]) == (name, cells[:5])


@pytest.mark.data
def test_percentiles_and_bca_cover_as_documented(coverage: ModuleType, scores: Scores) -> None:
    documented = table("population", "5", "10", "25", "50", "100", *BOOTSTRAPPED)
    populations = coverage.of_robust(scores) | coverage.skewed()
    for name, cells in documented.items():
        few, more = (
            coverage.coverage_of_bootstrap(populations[name], topics, REPETITIONS) for topics in (5, 25)
        )
        found = [f"{one.share:.2f} / {two.share:.2f}" for one, two in zip(few, more, strict=True)]
        assert (name, [written(each) for each in found]) == (name, cells[5:])


@pytest.mark.data
@pytest.mark.parametrize("name", ["AP and nDCG@10", "AP and P@10", "50 drawn runs", "17 drawn runs, close"])
def test_the_middle_of_tau_holds_it_as_documented(coverage: ModuleType, scores: Scores, name: str) -> None:
    documented = table("boards, τ_b over all topics", "5", "10", "25", "50", "100")
    boards = coverage.boards_of(scores)[name]
    found = [coverage.coverage_of_tau(boards, topics, REPETITIONS) for topics in (5, 10, 25, 50, 100)]
    (cells,) = [cells for first, cells in documented.items() if first.startswith(f"{name}, tau ")]
    assert [written(f"{held} ({mean:.2f})") for held, mean in found] == cells


@pytest.mark.parametrize(
    "name",
    [
        "2 assessors, 5 % relevant",
        "2 assessors, 20 % relevant",
        "2 assessors, 50 % relevant",
        "4 assessors, 30 % relevant",
        "2 assessors, 4 grades",
        "5 assessors, 4 grades",
    ],
)
def test_intervals_of_agreement_cover_as_documented(coverage: ModuleType, name: str) -> None:
    documented = table("", "20", "50", "100", "300")
    own = {
        first.removeprefix(f"{name}: "): cells
        for first, cells in documented.items()
        if first.startswith(name)
    }
    judge, categories = coverage.ASSESSORS[name]
    by_pairs = [
        coverage.coverage_of_agreement(judge, categories, pairs, REPETITIONS, own)
        for pairs in (20, 50, 100, 300)
    ]
    assert {each: [written(found[each]) for found in by_pairs] for each in own} == own


@pytest.mark.parametrize(
    "name",
    [
        "relevant or not, by grade, equal",
        "5 % relevant, by grade, equal",
        "4 grades, by grade, equal",
        "4 grades, by topic, equal",
    ],
)
def test_intervals_of_weighted_samples_cover_as_documented(coverage: ModuleType, name: str) -> None:
    """With 80 samples of 60 and of 200 pairs, where the table has 500."""
    heads = [f"{coefficient}, 60 / 100 / 200" for coefficient in coverage.OF_STRATA]
    cells = table("drawn for a second judgment", *heads)[name]
    for place, pairs in ((0, 60), (2, 200)):
        found = coverage.coverage_of_strata(coverage.STRATA[name], pairs, 80, 11)
        for coefficient, cell in zip(coverage.OF_STRATA, cells, strict=True):
            share = float(cell.split(" / ")[place])
            within = tolerance(share, found[coefficient].of)
            assert found[coefficient].share == pytest.approx(share, abs=within), (coefficient, pairs)
