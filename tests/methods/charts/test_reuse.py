"""Charts of what runs lose, and of what was found by one alone."""

from __future__ import annotations

from workbench.methods.charts.reuse import Alone, Loss, losses, unique_relevant


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
