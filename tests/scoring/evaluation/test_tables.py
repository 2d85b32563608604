from __future__ import annotations

import json
from dataclasses import replace

import polars as pl
import pytest

from tests.sentences import says
from workbench.scoring.evaluation.evaluate import Evaluation, evaluate
from workbench.scoring.evaluation.joining import join
from workbench.scoring.evaluation.selection import DEFAULT_PROFILE, choose
from workbench.scoring.evaluation.tables import RENDERINGS, columns_of, rows_of

QRELS = [("1", "a", 1), ("2", "b", 1)]
GOOD = [("1", "a", 2.0), ("2", "b", 1.0)]
POOR = [("1", "x", 2.0), ("1", "a", 1.0)]
NAMES = ["runid", "num_ret", "map", "gm_map", "P@1"]


@pytest.fixture
def evaluation() -> Evaluation:
    frames = [
        pl.DataFrame(run, schema=["topic_id", "document_id", "score"], orient="row") for run in (GOOD, POOR)
    ]
    qrels = pl.DataFrame(QRELS, schema=["topic_id", "document_id", "grade"], orient="row")
    requested = choose(NAMES, DEFAULT_PROFILE, {"rel": 1})
    return evaluate(join(qrels, frames, ["=good", "poor"]), requested)


def rendered(name: str, evaluation: Evaluation, *, per_topic: bool = False, summary: bool = True) -> str:
    return "".join(RENDERINGS[name](evaluation, per_topic, summary))


def test_csv_has_a_row_for_each_run_and_topic_with_all_digits(evaluation: Evaluation) -> None:
    assert says("\n".join(rendered("csv", evaluation).splitlines()))
    assert rendered("csv", evaluation, per_topic=True).splitlines()[3:] == [
        "'=good,all,2,1.0,1.0,1.0",
        "poor,1,2,0.5,,0.0",
        "poor,all,2,0.5,0.5,0.0",
    ]


def test_json_has_scores_and_topics_and_the_summary_can_be_left_out(evaluation: Evaluation) -> None:
    content = json.loads(rendered("json", evaluation, per_topic=True))
    assert content["runs"][1] == {
        "run": "poor",
        "scores": {"num_ret": 2, "map": 0.5, "gm_map": 0.5, "P@1": 0.0},
        "topics": {"1": {"num_ret": 2, "map": 0.5, "P@1": 0.0}},
    }
    assert "scores" not in json.loads(rendered("json", evaluation, per_topic=True, summary=False))["runs"][0]
    assert ",all," not in rendered("csv", evaluation, per_topic=True, summary=False)
    assert rendered("trec", evaluation, summary=False) == ""


def test_of_several_runs_each_is_named_before_its_lines_though_nobody_asked(evaluation: Evaluation) -> None:
    unnamed = tuple(requested for requested in evaluation.requested if requested.name in {"num_ret", "map"})
    lines = rendered("trec", replace(evaluation, requested=unnamed), per_topic=True).splitlines()
    assert [line.split("\t", 1)[1] for line in lines if line.startswith("runid")] == [
        "all\t=good",
        "all\tpoor",
    ]
    assert lines[0] == "runid                 \tall\t=good"
    assert lines[1] == "num_ret               \t1\t1"


def test_latex_marks_the_best_run_and_words_are_no_columns(evaluation: Evaluation) -> None:
    lines = rendered("latex", evaluation, per_topic=True).splitlines()
    assert r"=good & all & 2 & \textbf{1.0000} & \textbf{1.0000} & \textbf{1.0000} \\" in lines
    assert r"poor & 1 & 2 & 0.5000 &  & 0.0000 \\" in lines
    assert [column.name for column in columns_of(evaluation)] == ["num_ret", "map", "gm_map", "P@1"]
    assert [(row.tag, row.topic_id) for row in rows_of(evaluation, True, False)] == [
        ("=good", "1"),
        ("=good", "2"),
        ("poor", "1"),
    ]
