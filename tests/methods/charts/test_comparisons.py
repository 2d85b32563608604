"""Charts of comparisons: their rows, their order, and that every renderer takes them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from workbench.methods.charts import FORMATS, Chart
from workbench.methods.charts.comparisons import (
    CLEAR,
    NONE,
    STRONG,
    Slope,
    board_slopes,
    pairs_matrix,
    precision_recall,
    topic_differences,
    topics_needed,
)

ODD = "run.a['x']\"\\ ≤ 𝄞"
"""A tag with everything that a name could break in an expression or a field."""


def differences(number: int = 3) -> Chart:
    found = {f"t{each}": (each / number, 0.5) for each in range(number)}
    return topic_differences(ODD, "base", "nDCG@10", found)


def curves() -> Chart:
    return precision_recall((0.0, 0.5, 1.0), {ODD: (1.0, 0.5, 0.1), "b": (0.9, 0.4, 0.2)})


def matrix() -> Chart:
    means = {ODD: 0.5, "b": 0.375, "c": 0.25}
    p_values = [[1.0, 0.01, 0.05], [0.01, 1.0, 0.051], [0.05, 0.051, 1.0]]
    return pairs_matrix("AP", means, p_values, letters=("a", "ab", "b"), test="a test")


def slopes() -> Chart:
    return board_slopes(
        "AP",
        "a 'quoted' board",
        [Slope(ODD, 0.9, 0.1, 1, 2), Slope("b", 0.8, 0.3, 2, 1), Slope("c", 0.1, 0.0, 3, 3)],
    )


def needed() -> Chart:
    found = ((0.05, 64, "80 %"), (0.1, 16, "80 %"), (0.05, 85, "90 %"))
    return topics_needed(
        "AP", 50, [dict(zip(("difference", "topics", "power"), one, strict=True)) for one in found]
    )


ALL = [differences, curves, matrix, slopes, needed]


@pytest.mark.parametrize("make", ALL)
def test_every_chart_is_drawn_with_its_names_and_columns(make: Callable[[], Chart]) -> None:
    chart = make()
    svg = FORMATS["svg"].write(chart).decode()
    assert svg.startswith("<svg")
    assert make in (differences, needed) or "run.a['x']" in svg
    assert chart.title
    assert FORMATS["csv"].write(chart).decode().splitlines()[0].split(",") == list(chart.rows[0])
    for empty in (topic_differences("a", "b", "AP", {}), board_slopes("A", "B", [])):
        assert FORMATS["svg"].write(empty).startswith(b"<svg")


def test_topics_stand_by_the_largest_lead_also_where_low_is_good() -> None:
    values = {"1": (0.1, 0.5), "2": (0.9, 0.2), "3": (0.4, 0.4)}
    rows = topic_differences("a", "b", "AP", values).rows
    assert [(row["topic"], row["difference"]) for row in rows] == [("2", 0.7), ("3", 0.0), ("1", -0.4)]
    assert rows[0] == {
        "topic": "2", "run": "a", "value": 0.9, "baseline": "b", "baseline_value": 0.2, "difference": 0.7,
    }  # fmt: skip
    chart = topic_differences("a", "b", "SetE", values, lowest_is_best=True)
    assert [row["topic"] for row in chart.rows] == ["1", "3", "2"]
    assert chart.spec["encoding"]["color"]["condition"]["test"] == "-1 * datum.difference > 0"


def test_many_topics_and_runs_fit_the_page_with_their_names() -> None:
    few, some, many = (differences(number).spec for number in (30, 50, 1_000))
    assert (few["width"], few["encoding"]["x"]["field"], few["usermeta"]["wide"]) == (960, "topic", True)
    assert (some["height"], some["encoding"]["y"]["field"]) == (50 * 14, "topic")
    assert (many["width"], many["height"]) == (960, pytest.approx(1_400))
    assert len(some["encoding"]["y"]["axis"]["values"]) == 50
    names = many["encoding"]["y"]["axis"]["values"]
    assert [int(name[1:]) for name in names] == list(range(999, -1, -10)), "every tenth of them"
    few_svg, many_svg = (FORMATS["svg"].write(differences(number)).decode() for number in (2, 1_000))
    assert all(f">{topic}<" in few_svg for topic in ("t0", "t1"))
    assert sum(f">{topic}<" in many_svg for topic in names) == 100
    tags = [f"team{number}.a-rather-long-name" for number in range(143)]
    means, p_values = dict.fromkeys(tags, 0.1), [[0.001] * 143] * 143
    chart = pairs_matrix("AP", means, p_values, letters=["abcdef"] * 143, test="a test")
    assert 143 * chart.spec["width"]["step"] < 1600
    svg = FORMATS["svg"].write(chart).decode()
    assert all(tag in svg for tag in tags)
    assert chart.spec["encoding"]["x"]["axis"]["values"] == list(range(5, 144, 5))


def test_a_pair_is_shown_by_its_p_value() -> None:
    assert [row["shown"] for row in matrix().rows] == [STRONG, CLEAR, NONE]
    assert matrix().rows[1] == {
        "ahead": ODD, "ahead_place": 1, "behind": "c", "behind_place": 3, "difference": 0.25, "p_value": 0.05,
        "shown": CLEAR,
    }  # fmt: skip
