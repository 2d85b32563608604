"""Intervals of strengths hold the truth as often as is said, as benchmarks/coverage_of_battles.py counts."""

from __future__ import annotations

import sys

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("topics", [5, 25])
def test_intervals_of_battles_hold_what_they_claim(monkeypatch: pytest.MonkeyPatch, topics: int) -> None:
    monkeypatch.setattr(sys, "path", [str(ROOT / "benchmarks"), *sys.path])
    import coverage_of_battles as benchmark  # type: ignore[import-not-found]

    for world in benchmark.WORLDS:
        found = benchmark.of_strengths(world, topics, 200)
        assert min(each.share for each in found.runs) > 0.9
        assert sum(each.share for each in found.runs) / benchmark.RUNS > 0.93
        assert found.position.share > 0.9
        assert found.width.share < 1.1
