"""The map of a topic's rankings."""

from __future__ import annotations

import pytest

from workbench.methods.charts.style import NOT_RELEVANT, RELEVANT, SPECIAL, UNJUDGED
from workbench.methods.charts.topic_maps import (
    LOW_ROW,
    PIXELS_PER_RANK,
    ROW,
    MapGrade,
    MapStretch,
    colours_of,
    topic_map,
)

GRADES = [MapGrade(2, "Highly"), MapGrade(-2, "Spam"), MapGrade(0, "Not"), MapGrade(1, "Partly")]


def test_every_grade_has_its_colour_from_special_to_highest_and_unjudged_comes_last() -> None:
    assert list(colours_of(GRADES, relevant_from=1).items()) == [
        ("Spam", SPECIAL),
        ("Not", NOT_RELEVANT),
        ("Partly", RELEVANT[1]),
        ("Highly", RELEVANT[4]),
        ("Unjudged", UNJUDGED),
    ]


def test_a_grade_below_the_smallest_relevant_one_has_the_colour_of_the_not_relevant() -> None:
    colours = colours_of(GRADES, relevant_from=2)
    assert (colours["Partly"], colours["Highly"]) == (NOT_RELEVANT, RELEVANT[3])


def test_a_scale_without_relevant_grades_has_colours_all_the_same() -> None:
    assert colours_of([MapGrade(0, "Not")], relevant_from=1) == {"Not": NOT_RELEVANT, "Unjudged": UNJUDGED}


def test_runs_stand_as_given_and_stretches_cover_their_ranks() -> None:
    stretches = [MapStretch("beta", 1, 50, "Not"), MapStretch("alpha", 1, 60, "Unjudged")]
    chart = topic_map("301", ["beta", "alpha"], colours_of(GRADES, 1), stretches)
    assert chart.rows[1] == {"run": "alpha", "first": 1, "last": 60, "grade": "Unjudged"}
    encoding = chart.spec["encoding"]
    assert encoding["y"]["sort"] == ["beta", "alpha"]
    assert encoding["x"]["scale"]["domain"] == [0.5, 60.5]
    assert chart.spec["width"] == 60 * PIXELS_PER_RANK


@pytest.mark.parametrize(("runs", "row", "letters"), [(0, ROW, 12), (40, ROW, 12), (41, LOW_ROW, 10)])
def test_more_than_forty_runs_fit_in_lower_rows_with_smaller_letters(
    runs: int, row: int, letters: int
) -> None:
    spec = topic_map("301", [f"run{number}" for number in range(runs)], {}, []).spec
    assert (spec["height"]["step"], spec["encoding"]["y"]["axis"]["labelFontSize"]) == (row, letters)


@pytest.mark.parametrize(
    ("deepest", "width"), [(1, 280), (40, 280), (41, 287), (125, 875), (126, 880), (1000, 880)]
)
def test_a_map_is_as_wide_as_its_ranks_but_fits_the_page(deepest: int, width: int) -> None:
    assert topic_map("301", ["a"], {}, [MapStretch("a", 1, deepest, "Not")]).spec["width"] == width


def test_a_map_without_ranks_is_drawn_empty() -> None:
    chart = topic_map("301", [], {}, [])
    assert (chart.rows, chart.spec["encoding"]["x"]["scale"]["domain"]) == ([], [0.5, 1.5])
