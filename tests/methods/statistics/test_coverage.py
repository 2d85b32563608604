"""How often intervals hold what they are about stays as docs/statistics.md says, in simulations with a fixed seed."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = pytest.mark.slow

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"
REPETITIONS = 10_000
FEWER = 400

OF_MEANS = {
    "beta(.5, 2)": {5: 0.89, 10: 0.91, 25: 0.94, 100: 0.95},
    "40 % zeros": {5: 0.87, 10: 0.90, 25: 0.93, 100: 0.95},
    "P@1 of .15": {5: 0.99, 25: 0.91, 100: 0.93},
    "difference, gaussian": {5: 0.95, 10: 0.95, 25: 0.95, 100: 0.95},
    "difference, 80 % ties": {5: 0.92, 10: 0.88, 25: 0.89, 100: 0.94},
}
"""What the t interval covers, by population and number of topics."""

OF_ROBUST = {
    "AP, middle run": {5: 0.92, 10: 0.92, 25: 0.94, 100: 0.95},
    "AP, last run": {5: 0.74, 10: 0.83, 25: 0.89, 100: 0.94},
    "P@10, difference": {5: 0.95, 10: 0.95, 25: 0.95, 100: 0.95},
}

OF_AGREEMENT = {
    "2 assessors, 5 % relevant": {50: 0.90, 100: 0.90, 300: 0.92},
    "2 assessors, 20 % relevant": {20: 0.90, 50: 0.90, 100: 0.92},
    "4 assessors, 30 % relevant": {20: 0.89, 50: 0.90, 100: 0.92},
    "2 assessors, 4 grades": {20: 0.89, 50: 0.90, 100: 0.92},
}
"""What the interval of every coefficient covers at least."""


@pytest.fixture
def coverage(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(sys, "path", [str(BENCHMARKS), *sys.path])
    import coverage_of_intervals  # type: ignore[import-not-found]

    return coverage_of_intervals  # type: ignore[no-any-return]


def tolerance(share: float, of: int) -> float:
    """Three standard errors of a share, and the rounding of the two digits that it is written with."""
    return 3 * math.sqrt(share * (1 - share) / max(of, 1)) + 0.005


@pytest.mark.parametrize("name", OF_MEANS)
def test_the_t_interval_covers_as_documented(coverage: ModuleType, name: str) -> None:
    population = coverage.skewed()[name]
    for topics, share in OF_MEANS[name].items():
        found = coverage.coverage_of_t(population, topics, REPETITIONS, seed=11)
        assert found.share == pytest.approx(share, abs=tolerance(share, found.of)), topics


@pytest.mark.data
def test_the_t_interval_covers_scores_of_real_runs_as_documented(
    coverage: ModuleType, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKBENCH_TEST_DATA", str(data_folder))
    populations = coverage.of_robust(coverage.robust_scores())
    for name, by_topics in OF_ROBUST.items():
        for topics, share in by_topics.items():
            found = coverage.coverage_of_t(populations[name], topics, REPETITIONS, seed=11)
            assert found.share == pytest.approx(share, abs=tolerance(share, found.of)), (name, topics)


@pytest.mark.parametrize("name", OF_AGREEMENT)
def test_intervals_of_agreement_cover_as_documented(coverage: ModuleType, name: str) -> None:
    judge, categories = coverage.ASSESSORS[name]
    for pairs, share in OF_AGREEMENT[name].items():
        for coefficient, found in coverage.coverage_of_agreement(judge, categories, pairs, FEWER).items():
            assert found.share >= share - tolerance(share, found.of) or not found.of, (coefficient, pairs)


OF_STRATA = {
    "relevant or not, by grade, equal": 0.92,
    "5 % relevant, by grade, equal": 0.92,
    "4 grades, by grade, equal": 0.92,
    "4 grades, by topic, equal": 0.91,
}
"""What the interval of every coefficient of weighted pairs covers at least, from 60 pairs on."""


@pytest.mark.parametrize("name", OF_STRATA)
def test_intervals_of_weighted_samples_cover_as_documented(coverage: ModuleType, name: str) -> None:
    share = OF_STRATA[name]
    for pairs in (60, 200):
        for coefficient, found in coverage.coverage_of_strata(coverage.STRATA[name], pairs, 80, 11).items():
            assert found.share >= share - tolerance(share, found.of), (coefficient, pairs)
