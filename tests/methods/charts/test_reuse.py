"""Charts of what runs lose, of what was found by one alone, and of what a score may become."""

from __future__ import annotations

import pytest

from workbench.methods.charts import FORMATS
from workbench.methods.charts.reuse import Alone, Loss, Place, if_stopped, losses, unique_relevant


def test_the_best_run_comes_first_with_a_row_for_each_range_that_is_known() -> None:
    places = [
        Place("b", 0.3, (0.2, 0.5)),
        Place("a", 0.4, (0.35, 0.45), bounds=(0.1, 0.9), assessors=(0.3, 0.6)),
        Place("c", 0.1, None),
    ]
    chart = if_stopped("AP", places)
    assert chart.rows == [
        {"run": "a", "score": 0.4, "range": "possible at all", "low": 0.1, "high": 0.9},
        {"run": "a", "score": 0.4, "range": "if the rest is judged (simulated)", "low": 0.35, "high": 0.45},
        {"run": "a", "score": 0.4, "range": "by choice of assessor", "low": 0.3, "high": 0.6},
        {"run": "b", "score": 0.3, "range": "if the rest is judged (simulated)", "low": 0.2, "high": 0.5},
    ]
    assert chart.spec["layer"][0]["encoding"]["y"]["sort"] == ["a", "b", "c"]
    assert FORMATS["svg"].write(chart).startswith(b"<svg")


@pytest.mark.parametrize(
    ("place", "bars"),
    [
        (Place("a", 0.4, (0.3, 0.5)), {"if the rest is judged (simulated)": ("#0072B2", 8)}),
        (
            Place("a", 0.4, None, bounds=(0.1, 0.9), assessors=(0.3, 0.6)),
            {"possible at all": ("#b4b5b8", 3), "by choice of assessor": ("#E69F00", 3)},
        ),
        (Place("a", 0.4, None), {}),
    ],
)
def test_only_ranges_that_are_known_are_in_the_legend_and_drawn(
    place: Place, bars: dict[str, tuple[str, int]]
) -> None:
    *drawn, dots = if_stopped("AP", [place]).spec["layer"]
    assert [layer["transform"][0]["filter"] for layer in drawn] == [
        f"(datum.range === '{name}')" for name in bars
    ]
    assert [layer["mark"]["height"] for layer in drawn] == [height for _, height in bars.values()]
    for layer in drawn:
        x, x2, told = (layer["encoding"][name] for name in ("x", "x2", "tooltip"))
        assert (x["field"], x["title"], x2["field"]) == ("low", "AP", "high")
        assert [(one["field"], one.get("format")) for one in told] == [
            ("run", None),
            ("range", None),
            ("low", ".4f"),
            ("score", ".4f"),
            ("high", ".4f"),
        ]
        assert layer["encoding"]["color"]["scale"] == {
            "domain": list(bars),
            "range": [colour for colour, _ in bars.values()],
        }
    assert (dots["mark"]["type"], dots["encoding"]["x"]["field"]) == ("point", "score")


def test_a_run_has_its_score_with_all_judgments_and_without_its_own() -> None:
    chart = losses("AP", "team", [Loss("X", "low", 0.1, 0.05, 2), Loss("Y", "high", 0.4, 0.38, 0)])
    assert chart.rows == [
        {"run": run, "left out": left_out, "judgments": judgments, "score": score, "ranks lost": lost}
        for run, left_out, judgments, score, lost in [
            ("high", "Y", "with all judgments", 0.4, 0),
            ("high", "Y", "without its own documents", 0.38, 0),
            ("low", "X", "with all judgments", 0.1, 2),
            ("low", "X", "without its own documents", 0.05, 2),
        ]
    ]
    assert chart.spec["layer"][0]["encoding"]["y"]["sort"] == ["high", "low"]
    assert "that its team alone found" in chart.title


def test_who_alone_found_most_comes_first() -> None:
    chart = unique_relevant("run", [Alone("one", 2, 0.1), Alone("two", 7, 0.35)])
    assert chart.rows == [
        {"run": "two", "relevant documents": 7, "share of all relevant": 0.35},
        {"run": "one", "relevant documents": 2, "share of all relevant": 0.1},
    ]
    assert chart.spec["encoding"]["y"]["sort"] == ["two", "one"]
