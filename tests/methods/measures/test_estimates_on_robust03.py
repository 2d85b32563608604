"""The errors of estimates from samples are those of the literature's table, on the runs of Robust 2003."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"

TABLE = {
    10: {
        "plain AP, MaxMean's order": 0.079,
        "plain AP, depth order": 0.107,
        "infAP, uniform sample": 0.075,
        "xinfAP, half on top, half uniform": 0.042,
        "statAP, pps": 0.037,
    },
    20: {
        "plain AP, MaxMean's order": 0.047,
        "infAP, uniform sample": 0.039,
        "xinfAP, half on top, half uniform": 0.019,
    },
}
"""Root mean square errors of the MAP of 17 runs, by the share of the pool that is judged in percent."""

TOLERANCE = 0.01
"""Between draws of few seeds."""


@pytest.fixture(scope="module")
def benchmark() -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        return runpy.run_path(str(BENCHMARKS / "sampling.py"))


@pytest.mark.slow
def test_the_table_of_errors_is_reproduced(
    benchmark: dict[str, Any], data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKBENCH_TEST_DATA", str(data_folder))
    bed = benchmark["robust"]()
    assert len(bed.pool.topic) == 49_528
    for percent, expected in TABLE.items():
        found = benchmark["errors"](bed, percent, 5)
        rmse = {name: found[name].rmse for name in expected}
        assert rmse == pytest.approx(expected, abs=TOLERANCE)
    held = benchmark["coverages"](bed, "pps", 6)
    assert all(share > 0.8 for share in held.values())
