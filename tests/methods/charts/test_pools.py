"""Charts of pools and of judging have a row for every part, and can be drawn."""

from __future__ import annotations

import pytest

from workbench.methods.charts import FORMATS
from workbench.methods.charts.pools import OTHERS, judging_days, pool_runs, pool_sizes, pool_topics
from workbench.methods.charts.style import INK_2, SERIES


def test_a_pool_has_three_parts_and_the_largest_come_first() -> None:
    chart = pool_sizes(2, 7, [(1, 2, 0), (1, 2, 4)])
    assert chart.rows == [
        {"depth": 1, "part": "judged", "pairs": 1}, {"depth": 1, "part": "not yet judged", "pairs": 2},
        {"depth": 1, "part": "new", "pairs": 0}, {"depth": 2, "part": "judged", "pairs": 1},
        {"depth": 2, "part": "not yet judged", "pairs": 2}, {"depth": 2, "part": "new", "pairs": 4},
    ]  # fmt: skip
    assert b"depth 2: 7 pairs" in FORMATS["svg"].write(chart)
    chart = pool_topics("to depth 10", [("7", (1, 0, 0)), ("12", (2, 3, 1))])
    assert [row["topic"] for row in chart.rows[::3]] == ["12", "7"]
    assert chart.spec["encoding"]["x"]["sort"] == ["12", "7"]
    assert FORMATS["svg"].write(chart).startswith(b"<svg")


def test_the_runs_that_bring_most_come_first() -> None:
    chart = pool_runs("to depth 10", [("one", 1, 0), ("two", 0, 3)])
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
        "to depth 100", [(f"a-rather-long-name-of-a-run-{number}", 1, number) for number in range(143)]
    )
    svg = FORMATS["svg"].write(chart).decode()
    assert all(f">a-rather-long-name-of-a-run-{number}<" in svg for number in range(143))


def test_days_on_which_nobody_judged_keep_their_place() -> None:
    chart = judging_days([("2026-03-01", "Ben", 5), ("2026-03-03", "Eva", 2)], last=42)
    assert chart.rows == [
        {"day": "2026-03-01", "assessor": "Ben", "judgments": 5},
        {"day": "2026-03-01", "assessor": "Eva", "judgments": 0},
        {"day": "2026-03-02", "assessor": "Ben", "judgments": 0},
        {"day": "2026-03-02", "assessor": "Eva", "judgments": 0},
        {"day": "2026-03-03", "assessor": "Ben", "judgments": 0},
        {"day": "2026-03-03", "assessor": "Eva", "judgments": 2},
    ]
    assert b"Judgments (in a day)" in FORMATS["svg"].write(chart)


def test_the_last_days_are_shown_of_those_who_judged_most() -> None:
    chart = judging_days(
        [("2026-01-01", "Zoe", 9), ("2026-02-28", "Ben", 1), ("2026-03-01", "Ben", 2)], last=2
    )
    assert [row["day"] for row in chart.rows] == ["2026-02-28", "2026-03-01"]
    days = [("2026-03-01", f"a{number}", number) for number in range(1, 9)]
    chart = judging_days(days, last=7)
    counts = {row["assessor"]: row["judgments"] for row in chart.rows}
    assert list(counts) == ["a8", "a7", "a6", "a5", "a4", "a3", OTHERS]
    assert counts[OTHERS] == 3
    assert chart.spec["encoding"]["color"]["scale"]["range"] == [*SERIES[:6], INK_2]
    days = [("2026-03-01", "Ben", 2), ("2026-03-01", "Ann", 1), ("2026-03-02", "Ann", 1)]
    chart = judging_days(days, last=2)
    assert [(row["assessor"], row["judgments"]) for row in chart.rows] == [
        ("Ann", 1), ("Ben", 2), ("Ann", 1), ("Ben", 0),
    ]  # fmt: skip
    assert FORMATS["svg"].write(judging_days([], last=7)).startswith(b"<svg")
