"""Charts of what is certain, which of the runs have their names in them, and of how an order settled."""

from __future__ import annotations

import pytest

from tests.sentences import says
from workbench.methods.charts import FORMATS
from workbench.methods.charts.decisions import Moment, certain_matrix, order_over_log


@pytest.mark.parametrize(
    ("runs", "named", "step"),
    [
        (0, True, 20),
        (36, True, 20),
        (37, True, 19),
        (40, True, 18),
        (41, False, 17),
        (180, False, 4),
        (400, False, 4),
    ],
)
def test_up_to_forty_runs_have_their_names_and_no_pair_is_smaller_than_four_pixels(
    runs: int, named: bool, step: int
) -> None:
    spec = certain_matrix("AP", [f"run{number}" for number in range(runs)], []).spec
    assert spec["encoding"]["y"]["axis"]["labels"] is named
    assert (spec["width"], spec["height"]) == ({"step": step}, {"step": step})


MOMENTS = [Moment(3, 1, None, None), Moment(10, 8, -0.25, -0.5), Moment(14, 12, 1.0, 1.0)]


def test_moments_that_tie_all_runs_have_no_dot() -> None:
    chart = order_over_log("robust-stability", "AP", 3, MOMENTS)
    assert chart.rows == [
        {"row": 10, "judged": 8, "statistic": "tau_b", "correlation": -0.25},
        {"row": 14, "judged": 12, "statistic": "tau_b", "correlation": 1.0},
        {"row": 10, "judged": 8, "statistic": "tau_AP,b", "correlation": -0.5},
        {"row": 14, "judged": 12, "statistic": "tau_AP,b", "correlation": 1.0},
    ]


def test_the_axis_reaches_as_low_as_the_lowest_and_never_ends_above_nothing() -> None:
    domains = [
        order_over_log("a", "AP", 3, moments).spec["layer"][1]["encoding"]["y"]["scale"]["domain"]
        for moments in (MOMENTS, MOMENTS[2:])
    ]
    assert domains == [[-0.5, 1], [0.0, 1]]


@pytest.mark.parametrize("measure", ["AP", "nDCG@10", "RBP(p=0.8)"])
def test_it_is_drawn_with_the_measure_in_the_name_of_the_axis(measure: str) -> None:
    svg = FORMATS["svg"].write(order_over_log("a", measure, 3, MOMENTS)).decode()
    assert says(svg)
    assert says(svg)
    assert "tau_AP,b" in svg
