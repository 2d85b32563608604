"""Charts of topics, and the map of a topic's rankings."""

from __future__ import annotations

from workbench.methods.charts.style import NOT_RELEVANT, RELEVANT, SPECIAL, UNJUDGED
from workbench.methods.charts.topics import PIXELS_PER_RANK, MapGrade, MapStretch, colours_of, topic_map

GRADES = [MapGrade(2, "Highly"), MapGrade(-2, "Spam"), MapGrade(0, "Not"), MapGrade(1, "Partly")]


def test_every_grade_has_its_colour_also_without_relevant_ones_and_unjudged_comes_last() -> None:
    assert list(colours_of(GRADES, relevant_from=1).items()) == [
        ("Spam", SPECIAL), ("Not", NOT_RELEVANT), ("Partly", RELEVANT[1]), ("Highly", RELEVANT[4]),
        ("Unjudged", UNJUDGED),
    ]  # fmt: skip
    colours = colours_of(GRADES, relevant_from=2)
    assert (colours["Partly"], colours["Highly"]) == (NOT_RELEVANT, RELEVANT[3])
    assert colours_of([MapGrade(0, "Not")], relevant_from=1) == {"Not": NOT_RELEVANT, "Unjudged": UNJUDGED}


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
