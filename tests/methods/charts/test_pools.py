"""Charts of pools have a row for every part, and can be drawn."""

from __future__ import annotations

import pytest

from workbench.methods.charts import FORMATS
from workbench.methods.charts.pools import PoolSize, RunShare, pool_runs, pool_sizes, pool_topics


def test_a_pool_has_three_parts_at_every_depth() -> None:
    chart = pool_sizes(2, 7, [PoolSize(1, 2, 0), PoolSize(1, 2, 4)])
    assert chart.rows == [
        {"depth": 1, "part": "judged", "pairs": 1},
        {"depth": 1, "part": "not yet judged", "pairs": 2},
        {"depth": 1, "part": "new", "pairs": 0},
        {"depth": 2, "part": "judged", "pairs": 1},
        {"depth": 2, "part": "not yet judged", "pairs": 2},
        {"depth": 2, "part": "new", "pairs": 4},
    ]
    assert b"depth 2: 7 pairs" in FORMATS["svg"].write(chart)


def test_the_largest_topics_come_first() -> None:
    chart = pool_topics("to depth 10", [("7", PoolSize(1, 0, 0)), ("12", PoolSize(2, 3, 1))])
    assert [row["topic"] for row in chart.rows[::3]] == ["12", "7"]
    assert chart.spec["encoding"]["x"]["sort"] == ["12", "7"]
    assert FORMATS["svg"].write(chart).startswith(b"<svg")


def test_the_runs_that_bring_most_come_first() -> None:
    chart = pool_runs("to depth 10", [RunShare("one", 1, 0), RunShare("two", 0, 3)])
    assert chart.rows == [
        {"run": "two", "part": "already pooled", "pairs": 0},
        {"run": "two", "part": "new", "pairs": 3},
        {"run": "one", "part": "already pooled", "pairs": 1},
        {"run": "one", "part": "new", "pairs": 0},
    ]
    assert FORMATS["svg"].write(chart).startswith(b"<svg")


@pytest.mark.slow
def test_a_hundred_and_forty_three_runs_have_their_names() -> None:
    chart = pool_runs(
        "to depth 100",
        [RunShare(f"a-rather-long-name-of-a-run-{number}", 1, number) for number in range(143)],
    )
    svg = FORMATS["svg"].write(chart).decode()
    assert all(f">a-rather-long-name-of-a-run-{number}<" in svg for number in range(143))
