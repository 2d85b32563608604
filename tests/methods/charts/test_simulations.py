"""The chart of a simulation has a row for every number, and can be drawn."""

from __future__ import annotations

from workbench.methods.charts import FORMATS
from workbench.methods.charts.reuse import Outcome, simulated_strategies

OUTCOMES = [
    Outcome("depth", 5.0, 0.2, 0.2, 0.2, 0.7, 0.1),
    Outcome("depth", 20.0, 0.4, 0.4, 0.4, 0.9, 0.05),
    Outcome("maxmean(rate=0.9)", 20.0, 0.6, 0.55, 0.65, None, 0.04),
]


def test_every_number_has_a_row_in_its_panel() -> None:
    chart = simulated_strategies("AP", OUTCOMES)
    assert [(row["strategy"], row["budget"], row["value"]) for row in chart.rows[:3]] == [
        ("depth", "5 %", 0.2),
        ("depth", "20 %", 0.4),
        ("maxmean(rate=0.9)", "20 %", 0.6),
    ]
    assert (chart.rows[2]["low"], chart.rows[2]["high"]) == (0.55, 0.65)
    taus = [row["strategy"] for row in chart.rows if row["panel"] == "Tau with the whole pool"]
    assert taus == ["depth", "depth"]


def test_what_finds_most_comes_first_and_all_is_drawn() -> None:
    chart = simulated_strategies("nDCG@10", OUTCOMES)
    assert chart.spec["spec"]["layer"][0]["encoding"]["y"]["sort"] == ["maxmean(rate=0.9)", "depth"]
    svg = FORMATS["svg"].write(chart).decode()
    assert all(word in svg for word in ("RMSE of nDCG@10", "maxmean(rate=0.9)", "20 %"))
