"""Assigned answers as nuggetizer writes them are read whole, or refused with line, field and value."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.sentences import refused
from workbench.core.errors import InputError
from workbench.formats.answers.assigned import AssignedAnswer, AssignedNugget, read_assigned


def nugget(importance: str = "vital", assignment: str = "support", text: str = "a") -> dict[str, str]:
    return {"text": text, "importance": importance, "assignment": assignment}


def record(**fields: Any) -> dict[str, Any]:
    return {
        "query": "reefs",
        "qid": "17",
        "answer_text": "A.",
        "run_id": "x",
        "nuggets": [nugget()],
        **fields,
    }


def written(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in records))
    return path


def test_each_record_is_an_answer_with_its_nuggets_in_their_order(tmp_path: Path) -> None:
    file = written(
        tmp_path / "a.jsonl",
        record(
            nuggets=[nugget(), nugget("okay", "partial_support", "b"), nugget("failed", "not_support", "c")]
        ),
        record(qid=18, run_id="y", nuggets=[]),
    )
    assert read_assigned(file) == [
        AssignedAnswer(
            1,
            "x",
            "17",
            False,
            (
                AssignedNugget("a", "vital", "support"),
                AssignedNugget("b", "okay", "partial_support"),
                AssignedNugget("c", "failed", "not_support"),
            ),
        ),
        AssignedAnswer(2, "y", "18", True, ()),
    ]


@pytest.mark.parametrize("word", ["failed", "fail", "Fail"])
def test_an_assignment_that_failed_is_read_in_every_spelling(word: str, tmp_path: Path) -> None:
    (answer,) = read_assigned(written(tmp_path / "a.jsonl", record(nuggets=[nugget("okay", word)])))
    assert answer.nuggets == (AssignedNugget("a", "okay", "failed"),)


def test_one_array_and_a_compressed_file_are_read_as_lines_are(tmp_path: Path) -> None:
    array = tmp_path / "a.json"
    array.write_text(json.dumps([record(), record(qid="18")]))
    lines = gzip.compress("".join(json.dumps(each) + "\n" for each in (record(), record(qid="18"))).encode())
    (tmp_path / "a.jsonl.gz").write_bytes(lines)
    topics = [[each.topic_id for each in read_assigned(tmp_path / name)] for name in ("a.json", "a.jsonl.gz")]
    assert topics == [["17", "18"], ["17", "18"]]


@pytest.mark.parametrize("topic_id", ["1.5", "1e3", "-4"])
def test_a_topic_id_that_is_no_whole_number_stays_text(topic_id: str, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(record()).replace('"17"', topic_id))
    (answer,) = read_assigned(file)
    assert (answer.topic_id, answer.is_number) == (topic_id, False)


@pytest.mark.parametrize(
    ("wrong", "values"),
    [
        ([1, 2], ("a.jsonl:2", "1")),
        (record(qid=None), ("a.jsonl:2", "qid")),
        (record(qid="a b"), ("a.jsonl:2", "'a b'")),
        (record(run_id=["x"]), ("a.jsonl:2", "run_id")),
        (record(run_id="x y"), ("a.jsonl:2", "'x y'")),
        (record(nuggets=None), ("a.jsonl:2", "nuggets")),
        (record(nuggets=[nugget(), "b"]), ("a.jsonl:2", "nuggets[1]", "'b'")),
        (record(nuggets=[{"text": "a", "importance": "okay"}]), ("a.jsonl:2", "nuggets[0].assignment")),
        (record(nuggets=[nugget("must")]), ("a.jsonl:2", "nuggets[0].importance", "'must'")),
        (record(nuggets=[nugget(assignment="maybe")]), ("a.jsonl:2", "nuggets[0].assignment", "'maybe'")),
        (record(nuggets=[{**nugget(), "text": None}]), ("a.jsonl:2", "nuggets[0].text")),
        (record(candidate_text="a passage", docid="d1"), ("a.jsonl:2",)),
        (record(run_id="z"), ("a.jsonl:2", "line 1", "17")),
    ],
    ids=lambda value: None if isinstance(value, tuple) else "record",
)
def test_what_is_wrong_is_said_with_line_field_and_value(
    wrong: Any, values: tuple[str, ...], tmp_path: Path
) -> None:
    file = written(tmp_path / "a.jsonl", record(run_id="z"), wrong)
    with refused(InputError, *values):
        read_assigned(file)


def test_all_faults_of_a_file_are_said_at_once(tmp_path: Path) -> None:
    file = written(tmp_path / "a.jsonl", record(nuggets=[nugget("x"), nugget(assignment="y")]), {}, record())
    with pytest.raises(InputError) as told:
        read_assigned(file)
    assert [problem.line for problem in told.value.problems] == [1, 1, 2, 2]


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    with refused(InputError, "a.jsonl"):
        read_assigned(written(tmp_path / "a.jsonl"))
