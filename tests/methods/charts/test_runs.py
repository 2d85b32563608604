"""Charts of one run: their rows, their legends, and that every renderer takes them."""

from __future__ import annotations

import re

import pytest

from tests.sentences import says
from workbench.methods.charts import FORMATS, Chart
from workbench.methods.charts.runs import CurvePoint, TopicScore, precision_recall, topic_scores

ODD = "run.a['x']\"\\ ≤ 𝄞"
"""A tag with everything that a name could break in an expression or a field."""


def on_topics(number: int = 3, measure: str = "P(rel=2)@5.[0]") -> Chart:
    scores = [TopicScore(str(each), each / number, 0.25, 0.75) for each in range(number)]
    return topic_scores(ODD, measure, scores)


def over_recall() -> Chart:
    points = [CurvePoint(level / 10, 1 - level / 10, 0.4, 0.9) for level in range(11)]
    return precision_recall(ODD, points)


def test_the_rows_are_the_scores_under_the_names_of_what_they_are() -> None:
    assert on_topics().rows[1] == {"topic": "1", "P(rel=2)@5.[0]": 1 / 3, "median": 0.25, "best": 0.75}
    assert over_recall().rows[10] == {"recall": 1.0, "precision": 0.0, "median": 0.4, "best": 0.9}


@pytest.mark.parametrize("chart", [on_topics(), over_recall()], ids=["on topics", "over recall"])
def test_a_legend_names_the_run_the_median_and_the_best(chart: Chart) -> None:
    words = FORMATS["svg"].write(chart).decode()
    assert "run.a[&#39;x&#39;]" in words or "run.a['x']" in words
    assert says(words)
    assert says(words)


@pytest.mark.slow
def test_a_thousand_topics_have_no_more_width_than_eighty_and_some_of_their_names() -> None:
    eighty, thousand = on_topics(80), on_topics(1000)
    drawn = [FORMATS["svg"].write(one).decode() for one in (eighty, thousand)]
    widths = [float(width) for one in drawn for width in re.findall('<svg[^>]* width="([0-9.]+)"', one)[:1]]
    assert abs(widths[0] - widths[1]) < 20
    assert thousand.spec["layer"][0]["encoding"]["x"]["axis"]["labelOverlap"] == "greedy"


@pytest.mark.parametrize("chart", [on_topics(), on_topics(0), over_recall()], ids=["three", "none", "recall"])
@pytest.mark.parametrize("ending", FORMATS)
def test_every_format_is_written(chart: Chart, ending: str) -> None:
    assert FORMATS[ending].write(chart) or ending == "csv"
