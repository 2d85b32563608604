"""What to expect of estimates from a sample: exact for simple random samples, by listing all that can happen."""

from __future__ import annotations

import math
import re
import sys
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import ROOT
from tests.document_tables import three_digits
from workbench.core.ranking import Rankings
from workbench.methods.pooling import STRATEGIES
from workbench.methods.pooling.frames import expected_precision, expected_variances


def one_run(length: int) -> Rankings:
    one = np.zeros(1, np.int32)
    return Rankings(np.array([0, length], np.int64), np.arange(length, dtype=np.uint32), one, one)


def test_the_expected_variance_is_that_over_all_relevance_and_all_samples() -> None:
    rankings, share, part = one_run(6), 0.3, np.array([0.5, 0.25, 0.2, 0.1, 0.05, 0.0])
    frame = STRATEGIES["strata"].frame(rankings, strata="1-2:100%,3-6:50%", seed=1)  # type: ignore[misc]
    expected = 0.0
    for relevant in product([0, 1], repeat=4):
        chance = np.prod([share if one else 1 - share for one in relevant])
        estimates = [
            sum(part[2 + i] * relevant[i] / 0.5 for i in drawn) for drawn in combinations(range(4), 2)
        ]
        expected += chance * np.var(estimates)
    found = expected_variances(frame, rankings, part, share)
    assert found == pytest.approx([expected], abs=1e-12)


def test_what_is_judged_whole_or_not_there_is_certain() -> None:
    rankings = one_run(20)
    frame = STRATEGIES["uniform"].frame(rankings, depth=20, whole=10, percent=70.0, seed=1)  # type: ignore[misc]
    found = expected_precision(frame, rankings)
    assert found.p_at_10 == (0.0, 0.0)
    assert 0 < found.rbp[0] < found.rbp[1] < 0.08
    one = np.zeros(0, np.int32)
    empty = Rankings(np.zeros(1, np.int64), np.zeros(0, np.uint32), one, one)
    frame = STRATEGIES["pps"].frame(empty, depth=5, percent=50.0)  # type: ignore[misc]
    assert expected_precision(frame, empty) == ((0.0, 0.0), (0.0, 0.0))


@pytest.mark.slow
@pytest.mark.data
def test_the_range_holds_what_is_true_of_robust_2003(
    data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of its pool 6.7 % are relevant, of the first ten documents of a run 37 %."""
    monkeypatch.setenv("WORKBENCH_TEST_DATA", str(data_folder))
    monkeypatch.setattr(sys, "path", [str(ROOT / "benchmarks"), *sys.path])
    import sampling  # type: ignore[import-not-found]

    bed = sampling.robust()
    rankings = bed.rankings
    row, rank = rankings.entry_rows, rankings.entry_ranks
    relevant = bed.grade[bed.starts[rankings.topic[row]] + rankings.document] > 0
    topics = len(np.unique(rankings.topic))
    page = " ".join((ROOT / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8").split())
    for design, (strategy, own) in sampling.DESIGNS.items():
        frame = bed.frame(strategy, **own, seed=1)
        found = expected_precision(frame, rankings)
        for weight, (low, high) in (
            (np.where(rank <= 10, 0.1, 0.0), found.p_at_10),
            (0.2 * 0.8 ** (rank - 1.0), found.rbp),
        ):
            variance = expected_variances(frame, rankings, weight * relevant, 1.0)
            errors = [math.sqrt(variance[rankings.run == run].sum()) for run in np.unique(rankings.run)]
            right = 1.96 * np.mean(errors) / topics
            assert low <= right <= high, strategy
            if design in ("uniform", "pps") and (low, high) == found.p_at_10:
                said = f"± {three_digits(low)} to ± {three_digits(high)}"
                assert f"{said}{' for P@10' * (design == 'uniform')} by `{design}`" in page
                documented = re.search(r"right is ± (\.\d+) and ± (\.\d+)\.", page)
                assert documented and three_digits(right) == documented[1 + (design == "pps")]
