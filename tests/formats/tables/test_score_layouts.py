"""Scores in the layouts of other programs: published columns, no digit lost, and nothing that reads otherwise."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sentences import refused
from workbench.core.errors import WorkbenchError
from workbench.formats.tables.score_layouts import LAYOUTS, Score, score_lines

SCORES = [Score("best", "300", "f1", 0.8243863007870667), Score("best", None, "sentences", 263)]

# Of auto-judge-base the columns; of argue-viz the first and another line of assets/example-report.scores.tsv.
WRITTEN = {
    "ir_measures": "best 300 f1 0.8243863007870667|best all sentences 263",
    "tot": "best f1 300 0.8243863007870667|best sentences all 263",
    "rag4reports": "300 best f1 0.8243863007870667|all best sentences 263",
    "ir_measures-cli": "300 f1 0.8243863007870667|all sentences 263",
    "trec_eval": "f1 300 0.8243863007870667|sentences all 263",
    "argue": "run_id request_id metric value|best 300 f1 0.8243863007870667|best all sentences 263.0",
}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_layout_has_its_columns_between_tabs(name: str) -> None:
    lines = "".join(score_lines(SCORES, name)).splitlines()
    assert lines == WRITTEN[name].replace(" ", "\t").split("|")


def test_jsonl_is_an_object_a_score() -> None:
    assert [json.loads(line) for line in score_lines(SCORES, "jsonl")] == [
        {"run_id": "best", "topic_id": "300", "measure": "f1", "value": 0.8243863007870667},
        {"run_id": "best", "topic_id": "all", "measure": "sentences", "value": 263},
    ]
    assert {*WRITTEN, "jsonl"} == {*LAYOUTS}


word = st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=5).filter(
    lambda text: text != "all"
)
scores = st.builds(Score, word, st.none() | word, word, st.floats(allow_nan=False))


@given(st.lists(scores, max_size=5), st.sampled_from(["ir_measures", "tot", "rag4reports", "argue"]))
def test_what_is_split_at_blanks_again_is_every_score_with_all_digits(found: list[Score], name: str) -> None:
    lines = list(score_lines(found, name))[LAYOUTS[name].has_head :]
    read = [dict(zip(LAYOUTS[name].columns, line.split(), strict=True)) for line in lines]
    assert [
        Score(
            each["run"],
            None if each["topic"] == "all" else each["topic"],
            each["measure"],
            float(each["value"]),
        )
        for each in read
    ] == found


def test_the_layout_without_runs_is_refused_for_several_and_says_the_others() -> None:
    with refused(WorkbenchError, "trec_eval", "best", "worst", "rag4reports"):
        list(score_lines([*SCORES, Score("worst", "300", "f1", 0.5)], "trec_eval"))


def test_a_name_at_which_a_program_would_split_is_refused_where_it_is_written() -> None:
    odd = [Score("my run", "300", "f1", 0.5)]
    with refused(WorkbenchError, "'my run'", "tot", "jsonl"):
        list(score_lines(odd, "tot"))
    assert list(score_lines(odd, "trec_eval")) == ["f1\t300\t0.5\n"]
    assert json.loads(next(score_lines(odd, "jsonl")))["run_id"] == "my run"


def test_a_topic_that_would_be_taken_for_all_of_them_is_refused() -> None:
    with refused(WorkbenchError, "best", "all"):
        list(score_lines([Score("best", "all", "f1", 0.5)], "jsonl"))
