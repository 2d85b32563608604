"""Nugget banks of every form are read as one record, written as they were, and refused with file, line and field."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sentences import refused
from workbench.core.errors import InputError
from workbench.formats.answers.bank_forms import bank_of, read_banks
from workbench.formats.answers.banks import Bank, Creator, GoldAnswer, Nugget, Reference
from workbench.formats.answers.banks_written import banks_text
from workbench.formats.answers.nodes import Node
from workbench.formats.text.content import Content
from workbench.formats.text.json_values import loads

NUGGETIZER = {
    "query": "how do reefs recover",
    "qid": "17",
    "full_query": {"words": 1.50},
    "nuggets": [
        {"text": "recovery takes decades", "importance": "vital", "trace": {"model": "m", "usage": [1.0]}},
        {"text": "grazers keep algae down"},
    ],
}
PART = {"question": "Who counts?", "question_id": "q1.1", "importance": 2}
ARGUE = {
    "query_id": "300",
    "title_query": "Reefs",
    "format_version": "v3",
    "nugget_bank": {
        "How long?": {
            "question": "How long?",
            "question_id": "q1",
            "aggregator_type": "AND",
            "importance": "okay",
            "answers": {"decades": {"answer": "decades", "references": ["d1"], "quality": 3}},
            "sub_nuggets": [PART],
            "creator": [{"is_human": True, "assessor_id": "ann", "contact": ["NIST"]}],
            "metadata": {"seen": None},
        }
    },
    "claim_bank": [
        {
            "claim": "Grazers help.",
            "references": [
                {
                    "doc_id": "d2",
                    "text": "x",
                    "offsets": {"start_offset": 3, "end_offset": 9, "encoding": "utf-8"},
                }
            ],
        }
    ],
}
RAGTIME = {
    "metadata": {"topic_id": "t1", "team_id": "uni"},
    "nugget_bank": [{"question": "Q?", "aggregator_type": "OR", "answers": [{"answer": "A"}]}],
}
SHORT = {"How long?": ["OR", {"decades": ["d1", "d2"], "years": []}], "Who?": ["AND", {"grazers": ["d3"]}]}
TOOL = {"nugget_list": [["How long?", {"decades": ["d1"]}]], "group_assignment": {"How long?": "time"}}
RUBRIC = {
    "topic_id": "t9",
    "rubrics": [
        {
            "question_id": "t9-1",
            "question_text": "Who wrote it?",
            "importance": "A: Have to Know",
            "short_answers": [{"answer_id": "na-1", "short_answer": "Bo", "references": ["r"]}],
        }
    ],
}


def written(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in records))
    return path


def bank(path: Path, *records: Any) -> Bank:
    (read,) = read_banks(written(path, *records)).banks
    return read


def plain(nugget: Nugget) -> Nugget:
    """Without the objects that it was read from."""
    return nugget._replace(
        given=None,
        answers=tuple(each._replace(given=None) for each in nugget.answers),
        parts=tuple(map(plain, nugget.parts)),
    )


def test_a_bank_of_nuggetizer_has_facts_that_are_vital_or_okay(tmp_path: Path) -> None:
    read = bank(tmp_path / "a.jsonl", NUGGETIZER)
    assert (read.topic_id, read.query, [(each.text, each.importance) for each in read.nuggets]) == (
        "17",
        "how do reefs recover",
        [("recovery takes decades", "vital"), ("grazers keep algae down", "")],
    )


def test_a_bank_of_argue_has_questions_with_answers_parts_and_spans(tmp_path: Path) -> None:
    read = bank(tmp_path / "a.jsonl", ARGUE)
    ann = (Creator("ann", True),)
    decades = GoldAnswer("decades", references=(Reference("d1", given="d1"),))
    part = Nugget("Who counts?", "q1.1", True, "2")
    question, claim = map(plain, read.nuggets)
    assert question == Nugget("How long?", "q1", True, "okay", "AND", (decades,), (part,), creators=ann)
    assert [(each.document_id, each.span) for each in claim.references] == [("d2", (3, 9))]


def test_a_topic_and_a_nugget_without_an_id_are_called_as_autojudge_base_calls_them(tmp_path: Path) -> None:
    read = bank(tmp_path / "a.jsonl", {"title_query": "Reefs", "nugget_bank": {"Q?": {"question": "Q?"}}})
    assert (read.topic_id, read.nuggets[0].nugget_id) == tuple(
        hashlib.md5(text, usedforsecurity=False).hexdigest() for text in (b"Reefs", b"Q?")
    )
    assert bank(tmp_path / "b.jsonl", RAGTIME).topic_id == "t1"


def test_short_forms_have_their_topic_and_annotator_in_the_name_of_the_file(tmp_path: Path) -> None:
    short = bank(tmp_path / "nuggets_t_300.json", SHORT)
    assert (short.topic_id, [(each.text, each.aggregator) for each in short.nuggets]) == (
        "t_300",
        [("How long?", "OR"), ("Who?", "AND")],
    )
    assert [len(answer.references) for answer in short.nuggets[0].answers] == [2, 0]
    tool = bank(tmp_path / "nuggets_300_ann.json", TOOL)
    assert (tool.topic_id, tool.creators, tool.nuggets[0].answers[0].text) == (
        "300",
        (Creator("ann", True),),
        "decades",
    )
    older = bank(tmp_path / "nuggets_7.preload.json", {"nugget_dict": {"Q1": {"123": [], "456": []}}})
    assert (older.topic_id, [each.text for each in older.nuggets[0].answers]) == ("7", ["123", "456"])


def test_a_rubric_has_weighted_questions_with_short_answers(tmp_path: Path) -> None:
    (question,) = bank(tmp_path / "t9.json", RUBRIC).nuggets
    (answer,) = question.answers
    assert (question.importance[0], answer.answer_id, answer.text) == ("A", "na-1", "Bo")


@pytest.mark.parametrize(
    ("form", "record"),
    [
        ("nuggetizer", NUGGETIZER),
        ("argue", ARGUE),
        ("argue", RAGTIME),
        ("v4", {"format_version": "v4", "banks": {"17": NUGGETIZER}}),
        ("argue", {"format_version": "v3", "banks": {"300": ARGUE}}),
        ("argue", {"nugget_banks_type": "autojudge_base.nugget_data.NuggetBanks", "banks": {"300": ARGUE}}),
    ],
)
def test_what_was_read_is_written_to_the_last_digit_and_field(form: str, record: Any, tmp_path: Path) -> None:
    file = tmp_path / "a.json.gz"
    text = json.dumps(record, indent=1).replace("1.5", "1.50")
    file.write_bytes(gzip.compress(text.encode()))
    assert loads(banks_text(read_banks(file), form)) == loads(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(json_values, st.text(min_size=1))
def test_fields_that_are_not_used_stay_and_a_change_touches_nothing_else(extra: Any, text: str) -> None:
    given = loads(json.dumps({**ARGUE, "extra": extra}))
    read = bank_of(Node(given))
    question = read.nuggets[0]
    answer = question.answers[0]._replace(text=text)
    changed = read._replace(nuggets=(question._replace(answers=(answer,)), *read.nuggets[1:]))
    wanted = json.loads(json.dumps({**ARGUE, "extra": extra}))
    old = wanted["nugget_bank"]["How long?"]
    old["answers"] = {text: {**old["answers"]["decades"], "answer": text}}
    wanted["claim_bank"] = {"Grazers help.": wanted["claim_bank"][0]}
    assert json.loads(banks_text([changed], "argue")) == wanted


def test_a_bank_of_another_form_becomes_claims_and_keeps_the_rest_as_metadata(tmp_path: Path) -> None:
    (line,) = banks_text(read_banks(written(tmp_path / "a.jsonl", NUGGETIZER)), "argue").splitlines()
    vital, okay = json.loads(line)["claim_bank"].values()
    assert vital["metadata"] == {"nuggetizer": NUGGETIZER["nuggets"][0]}
    assert (vital["claim"], vital["importance"], okay.keys()) == (
        "recovery takes decades",
        "vital",
        {"claim", "query_id", "metadata"},
    )
    assert json.loads(line)["metadata"] == {"nuggetizer": NUGGETIZER}


@pytest.mark.parametrize(
    ("name", "record"),
    [("nuggets_300.json", SHORT), ("nuggets_300_ann.json", TOOL), ("t9.json", RUBRIC), ("a.json", RAGTIME)],
)
def test_any_form_is_written_as_argue_and_read_again_with_the_same_nuggets(
    name: str, record: Any, tmp_path: Path
) -> None:
    first = bank(tmp_path / name, record)
    again = bank(tmp_path / "again.json", json.loads(banks_text([first], "argue")))

    def told(of: Bank) -> list[Any]:
        return [
            (each.text, each.importance, each.aggregator, [answer.text for answer in each.answers])
            for each in of.nuggets
        ]

    assert (again.topic_id, told(again)) == (first.topic_id, told(first))


def test_what_nuggetizer_has_no_place_for_is_refused(tmp_path: Path) -> None:
    with refused(InputError, "a.jsonl:1", "300", "How long?", "argue"):
        banks_text(read_banks(written(tmp_path / "a.jsonl", ARGUE)), "nuggetizer")
    read = bank(tmp_path / "b.jsonl", {"query_id": "1", "claim_bank": {"C": {"claim": "C", "importance": 3}}})
    with refused(InputError, "1", "'3'"):
        banks_text([read], "v4")
    twice = [bank(tmp_path / "c.jsonl", NUGGETIZER)] * 2
    assert len(banks_text(twice, "nuggetizer").splitlines()) == 2
    with refused(InputError, "nuggets"):
        banks_text(twice, "v4")


def question(**fields: Any) -> dict[str, Any]:
    return {"query_id": "1", "nugget_bank": {"Q?": {"question": "Q?", **fields}}}


@pytest.mark.parametrize(
    ("record", "values"),
    [
        ([1], ("a.json:1", "1")),
        ({"qid": "1", "colour": "red"}, ("a.json:1", "nuggetizer")),
        ({**NUGGETIZER, **RUBRIC}, ("a.json:1", "nuggetizer", "rubric")),
        ({**NUGGETIZER, "qid": "a b"}, ("a.json:1", "'a b'")),
        ({**NUGGETIZER, "qid": None}, ("a.json:1", "qid")),
        ({**NUGGETIZER, "nuggets": [{"text": 3.5}, "b"]}, ("a.json:1", "nuggets[1]", "'b'")),
        (
            {**NUGGETIZER, "nuggets": [{"text": "a", "importance": "must"}]},
            ("nuggets[0].importance", "'must'"),
        ),
        ({"nugget_bank": []}, ("a.json:1", "metadata")),
        (question(question=["Q"]), ("nugget_bank['Q?'].question", "Q")),
        (question(answers="a"), ("nugget_bank['Q?'].answers", "'a'")),
        (question(answers={"a": {"answer": None}}), ("nugget_bank['Q?'].answers['a'].answer",)),
        (question(aggregator_type="XOR"), ("nugget_bank['Q?'].aggregator_type", "XOR", "not")),
        (question(references=[{"text": "x"}]), ("nugget_bank['Q?'].references[0].doc_id",)),
        (
            question(references=[{"doc_id": "d", "offsets": {"start_offset": 9, "end_offset": 3}}]),
            ("nugget_bank['Q?'].references[0].offsets", "9"),
        ),
        (
            question(question_id="q", sub_nuggets=[{"claim": "c", "claim_id": "q"}]),
            ("nugget_bank['Q?'].sub_nuggets[0].claim_id", "'q'"),
        ),
        ({"banks": {"1": NUGGETIZER, "2": NUGGETIZER}}, ("a.json:1", "17")),
        ({"How long?": ["OR", {"decades": ["d1"]}]}, ("a.json:1", "nuggets_TOPIC.json")),
        (
            {"topic_id": "1", "rubrics": [{"question_id": "1-1", "importance": "D"}]},
            ("rubrics[0].importance", "'D'"),
        ),
    ],
    ids=lambda value: None if isinstance(value, tuple) else "record",
)
def test_what_is_wrong_is_said_with_line_field_and_value(
    record: Any, values: tuple[str, ...], tmp_path: Path
) -> None:
    with refused(InputError, *values):
        read_banks(written(tmp_path / "a.json", record))


def test_every_bank_of_a_file_is_looked_at_and_an_empty_file_refused(tmp_path: Path) -> None:
    lines = [{**NUGGETIZER, "qid": None}, NUGGETIZER, {**NUGGETIZER, "qid": "a b"}]
    with refused(InputError, "a.jsonl:1", "a.jsonl:3"):
        read_banks(written(tmp_path / "a.jsonl", *lines))
    with refused(InputError, "b.jsonl"):
        read_banks(written(tmp_path / "b.jsonl"))


@pytest.mark.parametrize("levels", [100, 100_000])
def test_what_is_nested_without_end_is_refused(levels: int, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text('{"query_id":"1","nugget_bank":{},"metadata":' + "[" * levels + "]" * levels + "}")
    with refused(InputError, "a.json:1"):
        read_banks(file)


def with_another(value: Any, data: st.DataObject) -> Any:
    """The same, with any value in one place."""
    if not value or not isinstance(value, dict | list) or data.draw(st.integers(0, 4)) == 0:
        return data.draw(json_values)
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    changed = data.draw(st.sampled_from(keys))
    pairs = {key: with_another(value[key], data) if key == changed else value[key] for key in keys}
    return pairs if isinstance(value, dict) else list(pairs.values())


@given(
    st.sampled_from([NUGGETIZER, ARGUE, RAGTIME, SHORT, TOOL, RUBRIC, {"banks": {"300": ARGUE}}]), st.data()
)
def test_any_value_in_any_place_is_read_and_written_or_refused(record: Any, data: st.DataObject) -> None:
    text = json.dumps(with_another(record, data))
    try:
        read = read_banks(Content("nuggets_300.json", text.encode()))
    except InputError:
        return
    again = read_banks(Content("a.json", banks_text(read, "argue").encode()))
    assert [each.topic_id for each in again.banks] == [each.topic_id for each in read.banks]


def test_a_bank_of_nuggetizer_has_a_query_also_where_the_topic_has_no_title() -> None:
    assert json.loads(banks_text([Bank("17", (Nugget("slow"),), "")], "nuggetizer"))["query"] == ""
