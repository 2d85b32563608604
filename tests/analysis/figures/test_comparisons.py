"""The figures of comparisons draw the numbers of the engine, and refuse what cannot be drawn."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.conftest import write_run
from tests.sentences import refused
from workbench.analysis.comparing.all_pairs import all_pairs
from workbench.analysis.comparing.planning import plan_topics
from workbench.analysis.comparing.scores import scores_of
from workbench.analysis.figures import draw
from workbench.analysis.trust.intervals import intervals_of
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.core.errors import NotThere, UnknownName
from workbench.methods.charts import Chart
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.log import log

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
RANKINGS = {
    "alpha": {"1": "d1 d2 d3", "2": "d1 d2 d3", "3": "d3 d2 d1"},
    "beta": {"1": "d2 d1 d3", "2": "d3 d2 d1", "3": "d1 d2 d3"},
    "gamma": {"1": "d3 d2 d1", "2": "d2 d3 d1", "3": "d2 d1 d3"},
}
"""d1 is the relevant document of every topic: AP is alpha 1, 1, 1/3; beta 1/2, 1/3, 1; gamma 1/3, 1/3, 1/2."""


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    files = [write_run(tmp_path / f"{tag}.run", tag, topics) for tag, topics in RANKINGS.items()]
    qrels = tmp_path / "small.qrels"
    qrels.write_text("1 0 d1 1\n2 0 d1 1\n3 0 d1 1\n", encoding="utf-8")
    with create_campaign(tmp_path / "figures.db") as opened:
        add_runs(opened.by("Anna", NOW), files)
        add_qrels(opened.by("Anna", NOW), [str(qrels)])
        yield opened


def drawn(campaign: Campaign, name: str, **asked: str | list[str]) -> Chart:
    return draw(
        campaign, name, {key: [value] if isinstance(value, str) else value for key, value in asked.items()}
    )


def test_a_leaderboard_has_the_scores_of_the_engine_the_best_run_first(campaign: Campaign) -> None:
    rows = drawn(campaign, "leaderboard", measure="AP").rows
    # The means of three topics: alpha 7/9, beta 11/18, gamma 7/18; three topics are too few for an interval.
    assert [(row["place"], row["run"], row["score"], row["low"]) for row in rows] == [
        (1, "alpha", pytest.approx(7 / 9), None),
        (2, "beta", pytest.approx(11 / 18), None),
        (3, "gamma", pytest.approx(7 / 18), None),
    ]
    scored = {row.tag: (row.values[0], 1 - row.judged) for row in score_campaign(campaign, ["AP"]).rows}
    assert {row["run"]: (row["score"], row["unjudged"]) for row in rows} == scored
    # Of the three documents of each ranking d1 alone is judged.
    assert [row["unjudged"] for row in rows] == pytest.approx([2 / 3] * 3)


def test_a_leaderboard_has_the_intervals_of_the_page(campaign: Campaign, tmp_path: Path) -> None:
    ranks = {"4": "d1 d2", "5": "d2 d1", "6": "d2 d3 d1"}
    qrels = tmp_path / "later.qrels"
    qrels.write_text("".join(f"{topic} 0 d1 1\n" for topic in ranks), encoding="utf-8")
    add_runs(campaign.by("Anna", NOW), [write_run(tmp_path / "delta.run", "delta", ranks)])
    add_qrels(campaign.by("Anna", NOW), [str(qrels)])
    rows = {row["run"]: (row["low"], row["high"]) for row in drawn(campaign, "leaderboard").rows}
    sure = intervals_of(campaign, ["AP"])
    assert sure.measures[0].intervals is not None
    assert rows == {
        tag: pytest.approx(tuple(found))
        for tag, found in zip(sure.tags, sure.measures[0].intervals, strict=True)
    }
    before = drawn(campaign, "leaderboard", as_of=str(log.newest_seq(campaign) - 4)).rows
    assert [row["run"] for row in before] == ["alpha", "beta", "gamma"]


def test_topics_show_the_difference_of_two_runs(campaign: Campaign) -> None:
    rows = drawn(campaign, "compare-topics", run="alpha", baseline="beta").rows
    found = [(row["topic"], pytest.approx(row["difference"])) for row in rows]
    assert found == [("2", 2 / 3), ("1", 1 / 2), ("3", -2 / 3)]


def test_curves_are_the_interpolated_precisions_of_the_board(campaign: Campaign) -> None:
    table = score_campaign(campaign, ["iprec_at_recall"])
    values = {row.tag: row.values for row in table.rows}
    rows = drawn(campaign, "compare-curves", run=["gamma", "alpha"]).rows
    assert [row["precision"] for row in rows] == [*values["gamma"], *values["alpha"]]
    assert [row["recall"] for row in rows[:11]] == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    # One relevant document, on ranks 1, 1 and 3: precision (1 + 1 + 1/3) / 3 at every recall.
    assert rows[-1]["precision"] == pytest.approx(7 / 9)
    before = str(log.newest_seq(campaign) - 1)  # topic 3 is not judged yet
    assert drawn(campaign, "compare-curves", run="alpha", as_of=before).rows[0]["precision"] == 1.0


def test_pairs_have_the_p_values_of_the_test(campaign: Campaign) -> None:
    found = all_pairs(campaign, "AP", permutations=500, seed=3)
    rows = drawn(campaign, "compare-pairs", permutations="500", seed="3").rows
    assert [(row["ahead"], row["behind"], row["p_value"]) for row in rows] == [
        (found.tags[i], found.tags[j], found.randomised_tukey[i, j]) for i, j in ((0, 1), (0, 2), (1, 2))
    ]


@pytest.mark.parametrize(("correction", "attribute"), [("holm", "holm"), ("bh", "benjamini_hochberg")])
def test_pairs_can_be_shown_by_another_correction(
    campaign: Campaign, correction: str, attribute: str
) -> None:
    p = getattr(all_pairs(campaign, "AP", permutations=1), attribute)
    rows = drawn(campaign, "compare-pairs", correction=correction).rows
    assert [row["p_value"] for row in rows] == [p[0, 1], p[0, 2], p[1, 2]]


@pytest.mark.parametrize("one", ["P@1", "R@3"])
def test_boards_show_the_places_of_each_run_once(campaign: Campaign, one: str) -> None:
    # AP: alpha 7/9, beta 11/18, gamma 7/18; P@1: alpha 2/3, beta 1/3, gamma 0; R@3 is 1 for all.
    rows = drawn(campaign, "compare-boards", one=one, two="AP").rows
    found = [(row["run"], row["one_place"], row["two_place"]) for row in rows]
    assert found == [("alpha", 1, 1), ("beta", 2, 2), ("gamma", 3, 3)]


def test_topics_needed_are_those_of_the_plan(campaign: Campaign) -> None:
    plan = plan_topics(scores_of(campaign, "AP"), differences=(0.1,), power=0.9)
    rows = drawn(campaign, "compare-power").rows
    assert [row["topics"] for row in rows if row["difference"] == 0.1 and row["power"] == "90 %"] == [
        plan.needed[0].topics
    ]


@pytest.mark.parametrize(
    ("kind", "name", "asked"),
    [
        (UnknownName, "compare-curves", {"run": "delta"}),
        (UnknownName, "compare-curves", {"run": list("abcdefgh")}),
        (UnknownName, "compare-pairs", {"correction": "none"}),
        (UnknownName, "compare-pairs", {"seed": "-1"}),
        (NotThere, "compare-topics", {"run": "delta", "baseline": "alpha"}),
        (UnknownName, "compare-power", {"as_of": "3"}),
        (UnknownName, "leaderboard", {"as_of": "0"}),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_reason(
    campaign: Campaign, kind: type[Exception], name: str, asked: dict[str, str]
) -> None:
    with refused(kind):
        drawn(campaign, name, **asked)
