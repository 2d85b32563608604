"""What every chart has, whatever it shows."""

from __future__ import annotations

import altair
import pytest

from workbench.methods.charts.chart import Chart, chart_of, field


def bars() -> Chart:
    rows = [{"run": "alpha", "P.5": 0.4}, {"run": "beta", "P.5": 0.2}]
    drawing = altair.Chart(altair.NamedData(name="rows")).mark_bar().encode(y="run:N", x=f"{field('P.5')}:Q")
    return chart_of("bars", "What two runs score", drawing, rows)


def test_a_chart_is_its_specification_with_its_rows_inside() -> None:
    chart = bars()
    assert chart.spec["datasets"] == {"rows": [{"run": "alpha", "P.5": 0.4}, {"run": "beta", "P.5": 0.2}]}
    assert chart.spec["data"] == {"name": "rows"}


@pytest.mark.parametrize(
    ("name", "escaped"), [("AP", "AP"), ("RBP(p=0.8)", "RBP(p=0\\.8)"), ("a[1]", "a\\[1\\]")]
)
def test_a_name_with_signs_of_a_path_is_still_a_name(name: str, escaped: str) -> None:
    assert field(name) == escaped
