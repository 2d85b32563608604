"""`workbench eval-answers`: assigned answers in, scores out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fixture_types import Fails, Workbench
from tests.sentences import says


def assigned(run: str | None, qid: str | int, *nuggets: str) -> str:
    """A line of an assigned answer; each nugget is its text, importance and assignment: "a vital support"."""
    fields = [dict(zip(("text", "importance", "assignment"), each.split(), strict=True)) for each in nuggets]
    return json.dumps({"qid": qid, **({"run_id": run} if run else {}), "nuggets": fields}) + "\n"


@pytest.fixture
def two_runs(folder: Path) -> None:
    """Run x answers topics 17 and 18, run y only 17; of vital a and okay b."""
    lines = [
        assigned("x", "17", "a vital support", "b okay not_support"),
        assigned("x", 18, "c vital partial_support"),
    ]
    (folder / "x.jsonl").write_text("".join(lines))
    (folder / "y.jsonl").write_text(assigned("y", "17", "b okay support", "a vital failed"))


@pytest.mark.usefixtures("two_runs")
def test_one_run_is_a_record_for_each_answer_and_one_of_the_means(done: Workbench) -> None:
    result = done("eval-answers x.jsonl")
    records = [list(json.loads(line).values()) for line in result.stdout.splitlines()]
    assert records == [["17", 1.0, 0.5, 1.0, 0.5], [18, 0.0, 0.0, 0.5, 0.5], ["all", 0.5, 0.25, 0.75, 0.5]]
    assert result.stderr == ""


@pytest.mark.usefixtures("two_runs")
def test_several_runs_are_named_and_a_missing_topic_is_said(done: Workbench) -> None:
    result = done("eval-answers x.jsonl y.jsonl --format csv")
    assert result.stdout.splitlines()[0] == (
        "run_id,qid,strict_vital_score,strict_all_score,vital_score,all_score"
    )
    assert result.stdout.splitlines()[4:] == ["y,17,0.0,0.5,0.0,0.5", "y,all,0.0,0.5,0.0,0.5"]
    assert says(result.stderr, "y.jsonl", "18")


@pytest.mark.usefixtures("two_runs")
def test_scores_are_written_in_the_layout_that_is_asked_for(done: Workbench, fails: Fails) -> None:
    lines = done("eval-answers x.jsonl y.jsonl --layout tot").stdout.splitlines()
    assert lines[:2] == ["x\tstrict_vital_score\t17\t1.0", "x\tstrict_all_score\t17\t0.5"]
    assert [line for line in lines if "\tall\t" in line and "\tall_score\t" in line] == [
        "x\tall_score\tall\t0.5",
        "y\tall_score\tall\t0.5",
    ]
    assert len(lines) == 4 * (3 + 2)
    assert done("eval-answers x.jsonl --layout trec_eval").stdout.startswith("strict_vital_score\t17\t1.0\n")
    refused = fails("eval-answers x.jsonl y.jsonl --layout trec_eval")
    assert says(refused.splitlines()[-1], "ir_measures")
    assert "--format" in fails("eval-answers x.jsonl --layout tot --format csv", status=2)


@pytest.mark.usefixtures("two_runs")
def test_a_missing_topic_counts_as_zero_if_asked_for(done: Workbench) -> None:
    result = done("eval-answers --complete x.jsonl y.jsonl --format csv")
    assert result.stdout.splitlines()[-1] == "y,all,0.0,0.25,0.0,0.25"
    assert says(result.stderr, "y.jsonl", "18")


@pytest.mark.usefixtures("two_runs")
def test_other_nuggets_for_the_same_topic_are_said(done: Workbench, folder: Path) -> None:
    (folder / "z.jsonl").write_text(assigned("z", "17", "a vital support") + assigned("z", "18"))
    result = done("eval-answers x.jsonl z.jsonl")
    assert says(result.stderr, "z.jsonl:1", "x.jsonl:1", "z.jsonl:2", "x.jsonl:2")


def test_answers_without_nuggets_score_zero_and_are_said(done: Workbench, folder: Path) -> None:
    (folder / "a.jsonl").write_text(assigned(None, "1"))
    result = done("eval-answers a.jsonl --format csv")
    assert result.stdout.splitlines()[1:] == ["1,0.0,0.0,0.0,0.0", "all,0.0,0.0,0.0,0.0"]
    assert says(result.stderr, "a.jsonl:1", "1")


@pytest.mark.usefixtures("two_runs")
def test_a_run_in_two_files_is_refused(fails: Fails) -> None:
    assert says(fails("eval-answers x.jsonl y.jsonl x.jsonl"), "x.jsonl:1", "x")


def test_a_run_without_a_tag_goes_by_its_file(done: Workbench, folder: Path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        (folder / name).write_text(assigned(None, "1", "a okay support"))
    lines = done("eval-answers a.jsonl b.jsonl --format csv").stdout.splitlines()
    assert [line.split(",")[0] for line in lines[1:]] == ["a.jsonl", "a.jsonl", "b.jsonl", "b.jsonl"]


def test_standard_input_is_read(done: Workbench) -> None:
    result = done("eval-answers -", given=assigned("x", "1", "a okay support"))
    assert json.loads(result.stdout.splitlines()[-1])["all_score"] == 1.0


RECORD = {
    "metadata": {"team_id": "u", "run_id": "best", "narrative_id": "1", "narrative": "w", "run_desc": "d"},
    "references": ["shard_3_90"],
    "answer": [{"text": "Reefs recover slowly.", "citations": [0]}],
}


def test_a_file_of_answers_is_checked_beside_runs(done: Workbench, folder: Path) -> None:
    (folder / "a.jsonl").write_text(json.dumps(RECORD) + "\n")
    assert says(done("check a.jsonl alpha.run").stdout, "a.jsonl", "best", "TREC RAG 2026", "alpha.run")


def test_a_file_of_answers_with_a_fault_is_refused(fails: Fails, folder: Path) -> None:
    (folder / "a.jsonl").write_text(
        json.dumps({**RECORD, "answer": [{"text": "A.", "citations": [1]}]}) + "\n"
    )
    assert says(fails("check a.jsonl"), "a.jsonl:1", "answer[0].citations")


def test_answers_are_compared_with_the_topics_of_a_campaign(workbench: Workbench, folder: Path) -> None:
    (folder / "a.jsonl").write_text(json.dumps(RECORD) + "\n")
    assert says(workbench("check a.jsonl --campaign small").output, "a.jsonl")


def test_a_form_can_be_named(fails: Fails, folder: Path) -> None:
    (folder / "a.jsonl").write_text(json.dumps(RECORD) + "\n")
    assert says(fails("check a.jsonl --form rag25"), "metadata.type")
    assert says(fails("check a.jsonl --form rag99"), "rag99")


def test_a_file_of_no_known_form_is_refused_with_its_fields(fails: Fails, folder: Path) -> None:
    (folder / "a.jsonl").write_text('{"qid": "1", "grade": 2}\n')
    assert says(fails("eval-answers a.jsonl"), "a.jsonl", "grade", "qid")
    (folder / "b.csv").write_text("topic_id,colour\n1,red\n")
    assert says(fails("eval-answers b.csv"), "b.csv", "colour")
