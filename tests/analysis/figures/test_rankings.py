"""Figures of one topic's rankings: of the campaign `small`, and the same from files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fixture_types import JudgeAs
from tests.sentences import says
from workbench.analysis.figures import draw
from workbench.analysis.figures.rankings import Drawable, drawable
from workbench.core.errors import UnknownName
from workbench.methods.charts import FORMATS, Chart
from workbench.methods.charts.rankings import AT_RANKS, BEST, INTERPOLATED, MOST_RUNS
from workbench.scoring.evaluation.reading import EvaluationFiles, read_evaluation
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log

FIGURES = ["topic-precision-recall", "topic-roc", "topic-gain"]

QRELS = "1 0 a 2\n1 0 b 0\n1 0 c 1\n1 0 lost 1\n2 0 a 0\n3 0 a 1\n3 0 b 1\nموضوع 0 وثيقة 1\nموضوع 0 b 0\n"
GOOD = (
    "1 Q0 a 1 9 good\n1 Q0 x 2 8 good\n1 Q0 c 3 7 good\n2 Q0 a 1 1 good\n3 Q0 a 1 2 good\n3 Q0 b 2 1 good\n"
)
POOR = "1 Q0 b 1 9 poor\n1 Q0 a 2 8 poor\n"
ARABIC = "موضوع Q0 b 1 2 تشغيل\nموضوع Q0 وثيقة 2 1 تشغيل\n"


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., EvaluationFiles]:
    def files(qrels: str, *runs: str) -> EvaluationFiles:
        (tmp_path / "q.txt").write_text(qrels, encoding="utf-8")
        for number, run in enumerate(runs):
            (tmp_path / f"{number}.run").write_text(run, encoding="utf-8")
        return read_evaluation(
            tmp_path / "q.txt", [tmp_path / f"{number}.run" for number in range(len(runs))]
        )

    return files


@pytest.fixture
def files(read: Callable[..., EvaluationFiles]) -> EvaluationFiles:
    return read(QRELS, GOOD, POOR, ARABIC)


def drawn(source: Campaign | EvaluationFiles, name: str, **asked: str | list[str]) -> Chart:
    return draw(
        source, name, {key: value if isinstance(value, list) else [value] for key, value in asked.items()}
    )


def refused(source: Campaign | EvaluationFiles, name: str, **asked: str | list[str]) -> str:
    with pytest.raises(UnknownName) as told:
        drawn(source, name, **asked)
    return str(told.value)


def line(chart: Chart, x: str, y: str, **where: str) -> list[tuple[object, object]]:
    chosen = [row for row in chart.rows if all(row[key] == value for key, value in where.items())]
    return [(row[x], row[y]) for row in chosen]


def test_precision_over_recall_has_teeth_and_steps(files: EvaluationFiles) -> None:
    chart = drawn(files, "topic-precision-recall", topic="1")
    teeth = line(chart, "recall", "precision", line=AT_RANKS, run="good")
    steps = line(chart, "recall", "precision", line=INTERPOLATED, run="good")
    assert teeth == [(1 / 3, 1.0), (1 / 3, 1 / 2), (2 / 3, 2 / 3)]
    assert steps == [(0, 1), (1 / 3, 1), (1 / 3, 2 / 3), (2 / 3, 2 / 3), (2 / 3, 0), (1, 0)]
    # AP is (1 + 2/3) / 3; the legend names it, and what counts as not relevant.
    assert says(chart.title, "good (AP 0.5556)")
    chart = drawn(files, "topic-precision-recall", topic="1", run="poor", rel="2")
    assert line(chart, "recall", "precision", line=AT_RANKS) == [(0, 0), (1, 1 / 2)]


def test_the_roc_curve_is_over_the_documents_that_are_known_unless_told_otherwise(
    files: EvaluationFiles,
) -> None:
    # Of topic 1 the runs and judgments name a, b, c, x and lost: 3 relevant, 2 others.
    known = drawn(files, "topic-roc", topic="1", run="poor")
    assert line(known, "false_positive_rate", "true_positive_rate") == [
        (0, 0),
        (1 / 2, 0),
        (1 / 2, 1 / 3),
        (1, 1),
    ]
    # (1/2 * (1/3 + 1) / 2) = 1/3.
    assert "poor (area 0.3333)" in known.title
    whole = drawn(files, "topic-roc", topic="1", run="poor", collection="103")
    assert line(whole, "false_positive_rate", "true_positive_rate")[1] == (1 / 100, 0)
    # 1/3 of 99/100 in front, and half of the rest: (1/3 + 1) / 2 * 99/100.
    assert "poor (area 0.6600)" in whole.title


def test_gain_by_rank_stands_beside_that_of_the_best_possible_ranking(files: EvaluationFiles) -> None:
    chart = drawn(files, "topic-gain", topic="1", measure="CG")
    assert line(chart, "rank", "gain", run="good") == [(1, 2), (2, 2), (3, 3)]
    assert line(chart, "rank", "gain", run="poor") == [(1, 0), (2, 2)]
    assert line(chart, "rank", "gain", run=BEST) == [(1, 2), (2, 3), (3, 4)]
    assert line(drawn(files, "topic-gain", topic="1", measure="CG", depth="2"), "rank", "gain", run="good") == [
        (1, 2), (2, 2)
    ]  # fmt: skip
    ndcg = drawn(files, "topic-gain", topic="1")
    assert {row["run"] for row in ndcg.rows} == {"good", "poor"}
    assert line(ndcg, "rank", "gain", run="good")[0] == (1, 1)
    squared = drawn(files, "topic-gain", topic="1", run="good", measure="CG(gains=exp)")
    assert line(squared, "rank", "gain", run="good") == [(1, 3), (2, 3), (3, 4)]


def test_ids_in_any_script_are_drawn(files: EvaluationFiles) -> None:
    for name in FIGURES:
        chart = drawn(files, name, topic="موضوع")
        assert {row["run"] for row in chart.rows} >= {"تشغيل"}
    assert "تشغيل" in FORMATS["svg"].write(chart).decode()


@pytest.mark.parametrize(
    "asked",
    [
        "topic-precision-recall topic=2",
        "topic-precision-recall topic=1 rel=7",
        "topic-roc topic=2",
        "topic-roc topic=3",
        "topic-roc topic=1 collection=3",
        "topic-roc topic=1 rel=-1",
        "topic-roc topic=1 rel=32768",
        "topic-gain topic=2",
        "topic-gain topic=1 measure=AP",
        "topic-gain topic=1 run=poor measure=ndcg@5",
        "topic-gain topic=1 depth=0",
        "topic-gain topic=9",
        "topic-gain topic=1 run=god",
        "topic-roc topic=موضوع run=poor",
        "topic-gain topic=1 as_of=3",
        "topics",
    ],
)
def test_what_has_no_curve_is_said(files: EvaluationFiles, asked: str) -> None:
    name, *values = asked.split()
    assert says(refused(files, name, **dict(value.split("=") for value in values)))


def test_everything_relevant_and_one_document_are_drawn(read: Callable[..., EvaluationFiles]) -> None:
    one = read("1 0 a 1\n", "1 Q0 a 1 1 r\n")
    curve = drawn(one, "topic-precision-recall", topic="1")
    assert line(curve, "recall", "precision", line=AT_RANKS) == [(1, 1)]
    assert line(curve, "recall", "precision", line=INTERPOLATED) == [(0, 1), (1, 1)]
    assert line(drawn(one, "topic-gain", topic="1"), "rank", "gain") == [(1, 1)]
    larger = drawn(one, "topic-roc", topic="1", collection="2")
    assert line(larger, "false_positive_rate", "true_positive_rate") == [(0, 0), (0, 1), (1, 1)]


def test_of_ten_thousand_documents_the_points_drawn_are_reported_and_the_ends_kept(
    read: Callable[..., EvaluationFiles],
) -> None:
    qrels = "".join(f"1 0 d{number} 1\n" for number in range(0, 10_000, 7))
    run = "".join(f"1 Q0 d{number} {number + 1} {10_000 - number} big\n" for number in range(10_000))
    files = read(qrels, run)
    chart = drawn(files, "topic-gain", topic="1", depth="10000")
    points = line(chart, "rank", "gain")
    assert len(points) <= 2000
    assert f"{len(points):,} of 10,000 points are drawn" in chart.title
    assert (points[0], points[-1][0]) == ((1, 1), 10_000)
    curve = line(drawn(files, "topic-precision-recall", topic="1"), "recall", "precision", line=AT_RANKS)
    assert (curve[0], curve[-1]) == ((1 / 1429, 1.0), (1, 1429 / 10_000))


@pytest.fixture
def judged(small: Campaign, judging_as: JudgeAs) -> Campaign:
    judging_as(small, "Ann", "1", "d2", 0)
    judging_as(small, "Ann", "1", "d1", 1)
    return small


def test_a_campaign_draws_its_best_runs_on_the_topic_and_as_of_a_row(judged: Campaign) -> None:
    chart = drawn(judged, "topic-precision-recall", topic="1")
    # alpha has d1 first, beta last of three.
    assert line(chart, "recall", "precision", line=AT_RANKS, run="alpha") == [(1, 1), (1, 1 / 3)]
    assert line(chart, "recall", "precision", line=AT_RANKS, run="beta") == [(0, 0), (0, 0), (1, 1 / 3)]
    before = str(log.head(judged).seq - 1)
    assert says(refused(judged, "topic-precision-recall", topic="1", as_of=before))
    assert says(refused(judged, "topic-gain", topic="7"), "7")
    assert says(refused(judged, "topic-gain", topic="1", run="gamma"), "gamma")


def test_pages_are_told_which_figures_have_something_to_show_and_of_which_runs(
    small: Campaign, judging_as: JudgeAs
) -> None:
    # Only beta has topic 10.
    assert drawable(small, "10") == Drawable((), ("beta",))
    judging_as(small, "Ann", "1", "d2", 1)
    assert drawable(small, "1", ["alpha", "gone"]).runs == ("alpha",)
    assert drawable(small, "10", ["alpha"]) == Drawable((), ())
    assert set(drawable(small, "1").names) == set(FIGURES)
    assert drawable(small.at(log.head(small).seq - 1), "1").names == ()


def test_no_more_runs_are_drawn_than_can_be_told_apart(read: Callable[..., EvaluationFiles]) -> None:
    many = read(QRELS, *(f"1 Q0 a 1 9 run{number}\n" for number in range(MOST_RUNS + 1)))
    assert says(refused(many, "topic-gain", topic="1"))
    assert says(refused(many, "topic-gain", topic="3"))
    chosen = [f"run{number}" for number in range(MOST_RUNS)]
    assert {row["run"] for row in drawn(many, "topic-gain", topic="1", run=chosen).rows} >= set(chosen)
