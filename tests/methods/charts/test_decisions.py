"""Charts of what is certain, of how an order settled, of what runs lose and of simulations."""

from __future__ import annotations

import pytest

from workbench.methods.charts import FORMATS
from workbench.methods.charts.decisions import certain_matrix, order_over_log
from workbench.methods.charts.reuse import Loss, Outcome, losses, simulated_strategies, unique_relevant


@pytest.mark.parametrize(
    ("runs", "named", "step"),
    [
        (0, True, 20), (36, True, 20), (37, True, 19), (40, True, 18), (41, False, 17), (180, False, 4),
        (400, False, 4),
    ],
)  # fmt: skip
def test_up_to_forty_runs_have_their_names_and_no_pair_is_smaller_than_four_pixels(
    runs: int, named: bool, step: int
) -> None:
    spec = certain_matrix("AP", [f"run{number}" for number in range(runs)], []).spec
    assert spec["encoding"]["y"]["axis"]["labels"] is named
    assert (spec["width"], spec["height"]) == ({"step": step}, {"step": step})


MOMENTS = [(3, 1, None, None), (10, 8, -0.25, -0.5), (14, 12, 1.0, 1.0)]


def test_an_order_over_the_log_has_dots_where_runs_are_not_all_tied() -> None:
    chart = order_over_log("robust-stability", "AP", 3, MOMENTS)
    assert chart.rows == [
        {"row": 10, "judged": 8, "statistic": "tau_b", "correlation": -0.25},
        {"row": 14, "judged": 12, "statistic": "tau_b", "correlation": 1.0},
        {"row": 10, "judged": 8, "statistic": "tau_AP,b", "correlation": -0.5},
        {"row": 14, "judged": 12, "statistic": "tau_AP,b", "correlation": 1.0},
    ]
    domains = [
        order_over_log("a", "AP", 3, moments).spec["layer"][1]["encoding"]["y"]["scale"]["domain"]
        for moments in (MOMENTS, MOMENTS[2:])
    ]
    assert domains == [[-0.5, 1], [0.0, 1]]


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
    chart = unique_relevant("run", {"one": 2, "two": 7}, 20)
    assert chart.rows == [
        {"run": "two", "relevant documents": 7, "share of all relevant": 0.35},
        {"run": "one", "relevant documents": 2, "share of all relevant": 0.1},
    ]
    assert chart.spec["encoding"]["y"]["sort"] == ["two", "one"]


OUTCOMES = [
    Outcome("depth", 5.0, 0.2, 0.2, 0.2, 0.7, 0.1),
    Outcome("depth", 20.0, 0.4, 0.4, 0.4, 0.9, 0.05),
    Outcome("maxmean(rate=0.9)", 20.0, 0.6, 0.55, 0.65, None, 0.04),
]


def test_a_simulation_has_a_row_for_every_number_in_its_panel_and_is_drawn() -> None:
    chart = simulated_strategies("AP", OUTCOMES)
    assert [(row["strategy"], row["budget"], row["value"]) for row in chart.rows[:3]] == [
        ("depth", "5 %", 0.2),
        ("depth", "20 %", 0.4),
        ("maxmean(rate=0.9)", "20 %", 0.6),
    ]
    assert (chart.rows[2]["low"], chart.rows[2]["high"]) == (0.55, 0.65)
    taus = [row["strategy"] for row in chart.rows if row["panel"] == "Tau with the whole pool"]
    assert taus == ["depth", "depth"]
    chart = simulated_strategies("nDCG@10", OUTCOMES)
    assert chart.spec["spec"]["layer"][0]["encoding"]["y"]["sort"] == ["maxmean(rate=0.9)", "depth"]
    svg = FORMATS["svg"].write(chart).decode()
    assert all(word in svg for word in ("RMSE of nDCG@10", "maxmean(rate=0.9)", "20 %"))
