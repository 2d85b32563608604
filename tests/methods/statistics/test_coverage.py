"""How often intervals hold the truth stays as benchmarks/RESULTS.md says, in simulations with a fixed seed."""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.at_length import at_length
from tests.conftest import ROOT
from tests.document_tables import table

pytestmark = pytest.mark.slow

Scores = dict[str, NDArray[np.float64]]
BENCHMARKS = ROOT / "benchmarks"
BOOTSTRAPPED = ("percentiles, 5 / 25", "BCa, 5 / 25")
REPETITIONS = 100
"""Of each cell of the tables, which have 500: a coverage of .95 that falls to .88 is noticed."""


@pytest.fixture
def coverage(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(sys, "path", [str(BENCHMARKS), *sys.path])
    import coverage_of_intervals  # type: ignore[import-not-found]

    return coverage_of_intervals  # type: ignore[no-any-return]


@pytest.fixture
def scores(coverage: ModuleType, data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Scores:
    monkeypatch.setenv("WORKBENCH_TEST_DATA", str(data_folder))
    return coverage.robust_scores()  # type: ignore[no-any-return]


def is_near(cell: str, share: float, of: int) -> bool:
    """Whether a share of so many is the one of a cell up to three standard errors and the rounding of two digits."""
    documented = float(cell.strip("()")) if cell else 0.0
    return abs(share - documented) <= 3 * math.sqrt(documented * (1 - documented) / max(of, 1)) + 0.005


def agrees(cell: str, found: Any) -> bool:
    """Whether a coverage is that of a cell, and the share of draws without an interval that in brackets."""
    share, _, refused = cell.partition(" ")
    if share == "–":  # none of 500 had one
        return bool(found.of <= 1)
    held = not found.of or is_near(share, found.share, found.of)
    return held and is_near(refused, found.refused, REPETITIONS)


@pytest.mark.data
def test_the_t_interval_covers_as_documented(coverage: ModuleType, scores: Scores) -> None:
    documented = table("population", "5", "10", "25", "50", "100", *BOOTSTRAPPED)
    populations = coverage.of_robust(scores) | coverage.skewed()
    for name, cells in documented.items():
        found = [coverage.coverage_of_t(populations[name], topics, 10_000) for topics in (5, 10, 25, 50, 100)]
        assert (name, [str(each).replace("0.", ".") for each in found]) == (name, cells[:5])


@pytest.mark.data
def test_percentiles_and_bca_cover_as_documented(coverage: ModuleType, scores: Scores) -> None:
    documented = table("population", "5", "10", "25", "50", "100", *BOOTSTRAPPED)
    populations = coverage.of_robust(scores) | coverage.skewed()
    for name, cells in documented.items():
        for place, topics in enumerate((5, 25)):
            found = coverage.coverage_of_bootstrap(populations[name], topics, REPETITIONS)
            for one, cell in zip(found, cells[5:], strict=True):
                assert is_near(cell.split(" / ")[place], one.share, one.of), (name, topics, cell, one)


@pytest.mark.data
@pytest.mark.parametrize(
    "name",
    at_length(
        ["AP and nDCG@10", "AP and P@10", "50 drawn runs", "17 drawn runs, close"],
        ["AP and nDCG@10", "17 drawn runs, close"],
    ),
)
def test_the_middle_of_tau_holds_it_as_documented(coverage: ModuleType, scores: Scores, name: str) -> None:
    documented = table("boards, τ_b over all topics", "5", "10", "25", "50", "100")
    boards = coverage.boards_of(scores)[name]
    (cells,) = [cells for first, cells in documented.items() if first.startswith(f"{name}, tau ")]
    for topics, cell in zip((5, 10, 25, 50, 100), cells, strict=True):
        held, mean = coverage.coverage_of_tau(boards, topics, REPETITIONS)
        share, _, documented_mean = cell.partition(" ")
        assert is_near(share, held.share, held.of), (topics, cell, held)
        assert mean == pytest.approx(float(documented_mean.strip("()")), abs=0.04), (topics, cell)


ASSESSORS = """
2 assessors, 5 % relevant; 2 assessors, 20 % relevant; 2 assessors, 50 % relevant; 4 assessors, 30 % relevant
2 assessors, 4 grades; 5 assessors, 4 grades
"""


@pytest.mark.parametrize("name", re.split("; |\n", ASSESSORS.strip())[:: at_length(1, 2)])
def test_intervals_of_agreement_cover_as_documented(coverage: ModuleType, name: str) -> None:
    documented = table("", "20", "50", "100", "300").items()
    own = {first.removeprefix(f"{name}: "): cells for first, cells in documented if first.startswith(name)}
    judge, categories = coverage.ASSESSORS[name]
    for place, pairs in enumerate((20, 50, 100, 300)):
        found = coverage.coverage_of_agreement(judge, categories, pairs, REPETITIONS, own)
        for coefficient, cells in own.items():
            assert agrees(cells[place], found[coefficient]), (coefficient, pairs, found[coefficient])


SAMPLES = """
relevant or not, by grade, equal; 5 % relevant, by grade, equal; 4 grades, by grade, equal; 4 grades, by topic, equal
"""


@pytest.mark.parametrize("name", SAMPLES.strip().split("; ")[:: at_length(1, 3)])
def test_intervals_of_weighted_samples_cover_as_documented(coverage: ModuleType, name: str) -> None:
    """With samples of 60 and of 200 pairs."""
    heads = [f"{coefficient}, 60 / 100 / 200" for coefficient in coverage.OF_STRATA]
    cells = table("drawn for a second judgment", *heads)[name]
    for place, pairs in ((0, 60), (2, 200)):
        found = coverage.coverage_of_strata(coverage.STRATA[name], pairs, 80, 11)
        for coefficient, cell in zip(coverage.OF_STRATA, cells, strict=True):
            one = found[coefficient]
            assert is_near(cell.split(" / ")[place], one.share, one.of), (coefficient, pairs, one)
