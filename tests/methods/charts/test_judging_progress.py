"""The chart of days has a place for every day and a colour for every assessor, as long as there are enough."""

from __future__ import annotations

import pytest

from workbench.methods.charts import FORMATS
from workbench.methods.charts.pools import OTHERS, judging_days
from workbench.methods.charts.style import INK_2, SERIES


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


def test_only_the_last_days_are_shown() -> None:
    chart = judging_days(
        [("2026-01-01", "Zoe", 9), ("2026-02-28", "Ben", 1), ("2026-03-01", "Ben", 2)], last=2
    )
    assert [row["day"] for row in chart.rows] == ["2026-02-28", "2026-03-01"]


def test_those_who_judged_least_are_drawn_together() -> None:
    days = [("2026-03-01", f"a{number}", number) for number in range(1, 9)]
    chart = judging_days(days, last=7)
    counts = {row["assessor"]: row["judgments"] for row in chart.rows}
    assert list(counts) == ["a8", "a7", "a6", "a5", "a4", "a3", OTHERS]
    assert counts[OTHERS] == 3
    assert chart.spec["encoding"]["color"]["scale"]["range"] == [*SERIES[:6], INK_2]


def test_of_people_who_judged_as_much_the_first_by_name_comes_first() -> None:
    days = [("2026-03-01", "Ben", 2), ("2026-03-01", "Ann", 1), ("2026-03-02", "Ann", 1)]
    chart = judging_days(days, last=2)
    assert [(row["assessor"], row["judgments"]) for row in chart.rows] == [
        ("Ann", 1),
        ("Ben", 2),
        ("Ann", 1),
        ("Ben", 0),
    ]


@pytest.mark.parametrize(("newest", "width"), [("01", 240), ("10", 240), ("11", 264), ("31", 744)])
def test_a_day_has_its_width_where_there_is_room(newest: str, width: int) -> None:
    days = [("2026-03-01", "Ben", 1), (f"2026-03-{newest}", "Ben", 1)]
    assert judging_days(days, last=42).spec["width"] == width
    assert judging_days([("2026-01-01", "Ben", 1), *days], last=200).spec["width"] == 900


def test_a_campaign_that_nobody_judged_has_an_empty_chart() -> None:
    assert FORMATS["svg"].write(judging_days([], last=7)).startswith(b"<svg")
