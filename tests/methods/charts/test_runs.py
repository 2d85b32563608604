"""Charts of runs and topics, the map of rankings, and lines with fewer points."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sentences import says
from workbench.methods.charts import FORMATS, Chart
from workbench.methods.charts.rankings import MOST_POINTS, thinned
from workbench.methods.charts.runs import precision_recall, topic_scores
from workbench.methods.charts.style import NOT_RELEVANT, RELEVANT, SPECIAL, UNJUDGED
from workbench.methods.charts.topics import PIXELS_PER_RANK, MapStretch, colours_of, topic_map

ODD = "run.a['x']\"\\ ≤ 𝄞"
"""A tag with everything that a name could break in an expression or a field."""


def on_topics(number: int = 3, measure: str = "P(rel=2)@5.[0]") -> Chart:
    rows = [
        {"topic": str(each), measure: each / number, "median": 0.25, "best": 0.75} for each in range(number)
    ]
    return topic_scores(ODD, measure, rows)


def over_recall() -> Chart:
    rows = [
        {"recall": level / 10, "precision": 1 - level / 10, "median": 0.4, "best": 0.9} for level in range(11)
    ]
    return precision_recall(ODD, rows)


@pytest.mark.parametrize("chart", [on_topics(), over_recall()], ids=["on topics", "over recall"])
def test_a_legend_names_the_run_the_median_and_the_best(chart: Chart) -> None:
    words = FORMATS["svg"].write(chart).decode()
    assert "run.a[&#39;x&#39;]" in words or "run.a['x']" in words
    assert says(words)
    assert says(words)


@pytest.mark.slow
def test_a_thousand_topics_are_no_higher_than_a_hundred_and_every_tenth_has_its_name() -> None:
    hundred, thousand = on_topics(100), on_topics(1000)
    drawn = [FORMATS["svg"].write(one).decode() for one in (hundred, thousand)]
    heights = [
        float(height) for one in drawn for height in re.findall('<svg[^>]* height="([0-9.]+)"', one)[:1]
    ]
    assert abs(heights[0] - heights[1]) < 20
    assert [f">{name}<" in drawn[1] for name in ("10", "20", "21", "990")] == [True, True, False, True]


@pytest.mark.parametrize("chart", [on_topics(), on_topics(0), over_recall()], ids=["three", "none", "recall"])
@pytest.mark.parametrize("ending", FORMATS)
def test_every_format_is_written(chart: Chart, ending: str) -> None:
    assert FORMATS[ending].write(chart) or ending == "csv"


GRADES = {2: "Highly", -2: "Spam", 0: "Not", 1: "Partly"}


def test_every_grade_has_its_colour_also_without_relevant_ones_and_unjudged_comes_last() -> None:
    assert list(colours_of(GRADES, relevant_from=1).items()) == [
        ("Spam", SPECIAL), ("Not", NOT_RELEVANT), ("Partly", RELEVANT[1]), ("Highly", RELEVANT[4]),
        ("Unjudged", UNJUDGED),
    ]  # fmt: skip
    colours = colours_of(GRADES, relevant_from=2)
    assert (colours["Partly"], colours["Highly"]) == (NOT_RELEVANT, RELEVANT[3])
    assert colours_of({0: "Not"}, relevant_from=1) == {"Not": NOT_RELEVANT, "Unjudged": UNJUDGED}


def test_runs_stand_as_given_and_stretches_cover_their_ranks_if_there_are_any() -> None:
    stretches = [MapStretch("beta", 1, 50, "Not"), MapStretch("alpha", 1, 60, "Unjudged")]
    chart = topic_map("301", ["beta", "alpha"], colours_of(GRADES, 1), stretches)
    assert chart.rows[1] == {"run": "alpha", "first": 1, "last": 60, "grade": "Unjudged"}
    encoding = chart.spec["encoding"]
    assert encoding["y"]["sort"] == ["beta", "alpha"]
    assert encoding["x"]["scale"]["domain"] == [0.5, 60.5]
    assert chart.spec["width"] == 60 * PIXELS_PER_RANK
    chart = topic_map("301", [], {}, [])
    assert (chart.rows, chart.spec["encoding"]["x"]["scale"]["domain"]) == ([], [0.5, 1.5])


def test_a_line_keeps_its_few_points_or_its_extremes() -> None:
    assert thinned(np.zeros(0), np.zeros(0)).tolist() == []
    assert thinned(np.arange(8.0), np.zeros(8), most=8).tolist() == list(range(8))
    assert thinned(np.zeros(7), np.array([3.0, 4, 9, 4, 1, 4, 3]), most=4).tolist() == [0, 2, 4, 6]
    y = np.zeros(10_000)
    y[7_321] = 1.0
    kept = thinned(np.arange(1.0, 10_001), y)
    assert 7_321 in kept
    assert len(kept) <= MOST_POINTS


@settings(max_examples=40)
@given(st.integers(1, 400), st.integers(4, 60), st.integers(0, 2**16))
def test_every_column_reaches_as_high_and_as_low_as_with_all_points(size: int, most: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    x, y = np.sort(draw.random(size)), draw.random(size)
    kept = thinned(x, y, most)
    assert (np.diff(kept) > 0).all()
    assert {0, size - 1} <= set(kept.tolist())
    assert len(kept) <= most
    if size > most:
        columns = most // 4
        column = np.minimum((x - x[0]) // ((x[-1] - x[0]) / columns), columns - 1)
        for one in np.unique(column):
            whole, drawn = y[column == one], y[kept][column[kept] == one]
            assert (whole.min(), whole.max()) == (drawn.min(), drawn.max())
            assert (whole[0], whole[-1]) == (drawn[0], drawn[-1])
