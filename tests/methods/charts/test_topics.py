"""Charts of topics."""

from __future__ import annotations

import pytest

from workbench.methods.charts.topics import HistoryPoint, TopicSpread, history, topic_spreads


def test_topics_keep_the_order_in_which_they_are_given() -> None:
    chart = topic_spreads("P@10", 143, [TopicSpread("9", 0.0, 0.1, 0.2), TopicSpread("1", 0.1, 0.3, 0.9)])
    reach = chart.spec["layer"][0]["encoding"]
    assert reach["x"]["sort"] == ["9", "1"]
    assert reach["y"]["title"] == "P@10 of 143 runs"
    assert [row["median"] for row in chart.rows] == [0.1, 0.3]


def test_the_history_of_a_topic_is_a_step_for_each_judgment() -> None:
    chart = history("301", [HistoryPoint(0, 0, 0), HistoryPoint(1, 1, 0), HistoryPoint(2, 2, 1)])
    assert [(row["judgments"], row["relevant"]) for row in chart.rows] == [(0, 0), (1, 0), (2, 1)]
    assert all(layer["mark"]["interpolate"] == "step-after" for layer in chart.spec["layer"])


def test_axes_have_names() -> None:
    layers = [
        *history("301", []).spec["layer"][:1],
        *topic_spreads("AP", 2, []).spec["layer"][:1],
    ]
    assert all(layer["encoding"][axis]["title"] for layer in layers for axis in ("x", "y"))


def test_a_mark_under_the_mouse_says_its_numbers() -> None:
    line = history("301", [HistoryPoint(1, 1, 0)]).spec["layer"][1]
    assert [told["field"] for told in line["encoding"]["tooltip"]] == ["judgments", "judged", "relevant"]
    median = topic_spreads("AP", 2, [TopicSpread("9", 0.0, 0.1, 0.2)]).spec["layer"][1]
    told = [(one["field"], one.get("format")) for one in median["encoding"]["tooltip"]]
    assert told == [("topic", None), ("lowest", ".4f"), ("median", ".4f"), ("highest", ".4f")]


@pytest.mark.parametrize(("number", "step"), [(1, 14), (80, 14), (140, 8), (1000, 1.12)])
def test_topics_have_the_same_width_until_they_fill_a_page_and_share_it_then(
    number: int, step: float
) -> None:
    spreads = [TopicSpread(str(topic), 0.0, 0.1, 0.2) for topic in range(number)]
    assert topic_spreads("AP", 2, spreads).spec["width"] == {"step": step}
