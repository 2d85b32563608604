"""Intervals that claim 95 % hold that share, others at least 90 %, as benchmarks/coverage_of_corrected.py counts."""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tests.conftest import ROOT
from workbench.methods.corrected.measures import estimator_of
from workbench.methods.measures import parse_measure

pytestmark = [pytest.mark.slow, pytest.mark.data]


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch, data_folder: Path) -> ModuleType:
    monkeypatch.setattr(sys, "path", [str(ROOT / "benchmarks"), *sys.path])
    monkeypatch.setenv("WORKBENCH_TEST_DATA", str(data_folder))
    import coverage_of_corrected  # type: ignore[import-not-found]

    return coverage_of_corrected  # type: ignore[no-any-return]


def test_intervals_of_every_kind_of_judge_hold_what_they_claim(benchmark: ModuleType) -> None:
    bed, rng = benchmark.closed_pool(), np.random.default_rng(20)
    held: dict[float, list[tuple[int, int]]] = {0.95: [], 0.9: []}
    for design, kind in product(("pps", "pps-by-model"), benchmark.JUDGES.values()):
        model = kind.labels(bed.grade, rng)
        samples = benchmark.Samples.of(bed, design, model, 20)
        for name, repetitions in (("P@10", 150), ("RBP(p=0.8)", 150), ("nDCG@10", 30)):
            by, truth = estimator_of(parse_measure(name), ranks=100, top_grade=2), samples.truth(name)
            one, other = np.triu_indices(len(truth), 1)
            for topics in (5, 10, 25):
                found = benchmark.estimated(samples, by, model, (repetitions, topics), rng)
                for each, right in ((found, truth), (found.differences, truth[one] - truth[other])):
                    of = benchmark.coverage(each, right, of_sums=by.is_unbiased)
                    for level, counts in of.items():
                        held[level].append((counts.held, counts.of))
    shares = {level: np.sum(of, axis=0) for level, of in held.items()}
    assert 0.94 <= shares[0.95][0] / shares[0.95][1] <= 0.96
    assert shares[0.9][0] / shares[0.9][1] >= 0.93
    assert min(right / of for right, of in held[0.9] if of > 100) >= 0.9


def test_a_sample_by_what_a_judgment_is_worth_does_what_many_more_of_others_would(
    benchmark: ModuleType,
) -> None:
    bed, rng = benchmark.closed_pool(), np.random.default_rng(20)
    for name, least in (("good", 2.0), ("adversarial", 1.0)):
        model = benchmark.JUDGES[name].labels(bed.grade, rng)
        errors = {
            design: benchmark.squared_errors(bed, design, "RBP(p=0.8)", model, 3)
            for design in ("pps", "by-model", "pps-by-model")
        }
        assert min(errors["pps"] / errors["pps-by-model"]) > least
        assert min(errors["by-model"] / errors["pps-by-model"]) > 20
