"""Judgments of people come in from books of Quepid, tasks of Label Studio and records of Argilla, all or nothing.

The files are written by hand after views/api/v1/export/books and books_controller.rb of Quepid, guide/task_format of
Label Studio, and records/_io/_json.py of Argilla 2.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.judged_pairs import judge_as
from tests.sentences import says
from workbench.campaign.ingest import add_qrels, add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.core.errors import CampaignError, InputError
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.log import log

Said = dict[tuple[str, str, str], tuple[int | None, str]]


def book(**changed: Any) -> dict[str, Any]:
    """A book of two queries, whose second judge cannot rate one document and will see another later."""
    ann, ben = {"user_email": "ann@uni.example"}, {"user_email": "ben@uni.example"}
    return {
        "name": "Shop",
        "scorer": {"name": "nDCG", "code": "…"},
        "query_doc_pairs": [
            {
                "query_text": "Green  tea",
                "doc_id": "d1",
                "position": 1,
                "document_fields": '{"title": "One"}',
                "judgements": [
                    {"rating": 2.0, "unrateable": False, "explanation": "all of it\nis tea", **ann},
                    {"rating": 0.0, "unrateable": False, "explanation": None, **ben},
                ],
            },
            {
                "query_text": "2",
                "doc_id": "d3",
                "judgements": [
                    {"rating": None, "unrateable": True, "explanation": "in Dutch", **ben},
                    {"rating": None, "judge_later": True, **ann},
                    {"rating": 1, "explanation": ""},
                ],
            },
        ],
    } | changed


def task(*annotations: dict[str, Any], **more: Any) -> dict[str, Any]:
    data = {"query_id": "1", "docno": "d1", "text": "Tea"}
    return {"id": 5, "data": data, "annotations": list(annotations), "predictions": [{"result": []}], **more}


def annotation(by: Any, *results: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": 1, "completed_by": by, "result": list(results), "was_cancelled": False, **more}


def result(kind: str, value: Any, name: str = "grade") -> dict[str, Any]:
    of = "text" if kind == "textarea" else kind
    return {"from_name": name, "to_name": "text", "type": kind, "value": {of: value}}


def record(responses: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    fields = {"query": "Green tea", "text": "Tea"}
    suggested = {"grade": {"value": "highly_relevant", "score": 0.5, "agent": "some"}}
    metadata = {"topic_id": "1", "document_id": "d1"}
    return {
        "id": "7",
        "fields": fields,
        "metadata": metadata,
        "suggestions": suggested,
        "responses": responses,
    }


TABLE = "query,docid,Zoe,Ben\n Green tea,d1,2.0,0\n2,d3,,1\n"
TASKS = [
    task(
        annotation(
            3, result("choices", ["Highly relevant"]), result("textarea", ["all of it", "is tea"], "why")
        ),
        annotation(
            {"id": 8, "email": "ben@uni.example"}, result("rating", 0), result("choices", ["long"], "length")
        ),
        annotation(9, was_cancelled=True),
    ),
    task(annotation(8, result("number", 1)), data={"topic": "2", "doc_id": "d3"}),
]
RECORDS = [
    record(
        {
            "grade": [
                {"value": "highly_relevant", "user_id": "a-1"},
                {"value": "Not relevant", "user_id": "b-2"},
            ],
            "comment": [{"value": "all of it\nis tea", "user_id": "a-1"}],
        }
    ),
    record({"rating": [{"value": 1, "user_id": "b-2"}]}) | {"metadata": {"qid": "2", "docid": "d3"}},
]


@pytest.fixture
def tea(tmp_path: Path, small: Campaign) -> Campaign:
    """The campaign `small`, whose topic 1 is called Green tea."""
    (tmp_path / "t.tsv").write_text("1\tGreen tea\n")
    add_topics(small.by("Olga"), [str(tmp_path / "t.tsv")])
    return small


def given(folder: Path, content: object) -> str:
    (folder / "given").write_text(content if isinstance(content, str) else json.dumps(content, indent=1))
    return str(folder / "given")


def said(campaign: Campaign) -> Said:
    return {
        (each.assessor, each.topic_id, each.document_id): (each.grade, each.comment)
        for each in judgments.log(campaign)
    }


EXPECTED = {("imported-1", "1", "d1"): (2, "all of it\nis tea"), ("imported-2", "1", "d1"): (0, "")}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (book(), EXPECTED | {("imported", "2", "d3"): (1, "")}),
        (
            TABLE,
            {
                ("imported-1", "1", "d1"): (2, ""),
                ("imported-2", "1", "d1"): (0, ""),
                ("imported-2", "2", "d3"): (1, ""),
            },
        ),
        ("query,docid,rating\ngreen\nGreen tea,d1,2.0\n", {("imported", "1", "d1"): (2, "")}),
        (TASKS, EXPECTED | {("imported-3", "2", "d3"): (1, "")}),
        (RECORDS, EXPECTED | {("imported-2", "2", "d3"): (1, "")}),
    ],
    ids=["book", "book as a table", "case", "Label Studio", "Argilla"],
)
def test_each_person_becomes_an_assessor_without_a_name_and_comments_stay(
    tea: Campaign, tmp_path: Path, content: object, expected: Said
) -> None:
    added = add_qrels(tea.by("Olga"), [given(tmp_path, content)])
    assert said(tea) == expected
    assert says("\n".join(map(str, added.warnings)))
    assert (added.judgments, added.unchanged) == (len(expected), 0)
    assert add_qrels(tea.by("Olga"), [given(tmp_path, content)]).judgments == 0
    held = "\n".join(tea.db.conn.iterdump())
    assert not [name for name in ("ann@uni", "ben@uni", "Zoe", "Ben") if name in held]


def test_people_keep_their_names_where_that_is_wanted(tea: Campaign, tmp_path: Path) -> None:
    added = add_qrels(tea.by("Olga"), [given(tmp_path, TABLE)], names=True)
    assert {name for name, *_ in said(tea)} == {"Zoe", "Ben"}
    assert [*added.warnings] == []
    add_qrels(tea.by("Olga"), [given(tmp_path, TABLE)], assessor="quepid")
    assert {name for name, *_ in said(tea)} == {"Zoe", "Ben", "quepid-1", "quepid-2"}


@pytest.mark.parametrize("name", ["anna", "x\ty", "x" * 201])
def test_a_name_that_cannot_be_is_refused(tea: Campaign, tmp_path: Path, name: str) -> None:
    judge_as(tea, "anna", "1", "d1", 0)
    before = log.head(tea)
    with pytest.raises(CampaignError):
        add_qrels(
            tea.by("Olga"), [given(tmp_path, [task(annotation(name, result("number", 1)))])], names=True
        )
    assert log.head(tea) == before


@pytest.mark.parametrize(
    ("content", "values"),
    [
        ("query,docid,rating\n1,d1,1\nblack tea,d1,1\n", ["given:3", "black tea"]),
        ("query,docid,rating\nGreen tea,d9,1\n", ["given:2", "d9"]),
        ("query,docid,rating\n1,d1,3\n1,d2,1.5\n", ["given:2", "'3'", "given:3", "'1.5'"]),
        ("query,docid,Ann\n1,d1,1\n1,d1,1\n", ["given:3", "Ann", "line 2"]),
        ("query,docid,Ann\n1,d1,1\nGreen tea,d1,1\n", ["given:3", "Ann", "line 2"]),
        ("query,docid,Ann\n1,d1,1,2\n", ["given:2"]),
        ("query,docid,Ann\n1,,1\n", ["given:2", "docid"]),
        ("query,docid,Ann\n1,d1,\n", ["given"]),
        (book(query_doc_pairs={"a": 1}), ["query_doc_pairs['a']"]),
        ([task(annotation(1, result("choices", ["Yes", "No"])))], ["given:2", "annotations[0]"]),
        ([task(annotation(1, result("choices", ["Yes"], "a"), result("rating", 1, "b")))], ["a, b"]),
        ([task(annotation(1, result("number", 1)), annotation(1, result("number", 2)))], ["given:2", "'1'"]),
        ([task(annotation(1, result("number", 1)), data={"id": "1"})], ["data.topic_id", "data.document_id"]),
        ([record({"grade": [{"value": {"a": 1}, "user_id": "u"}]})], ["responses", "'u'"]),
        ([record({"grade": [{"value": "Perhaps", "user_id": "u"}]})], ["'Perhaps'", "2 Highly relevant"]),
        ([record({"grade": [{"value": 1}], "note": [{"value": "x" * 10_001}]})], ["10,000"]),
    ],
    ids="topic document grades twice twice-by-title cells no-document no-rating no-pairs several-choices "
    "several-results two-annotations no-ids no-value no-grade long-comment".split(),
)  # fmt: skip
def test_what_is_not_of_the_campaign_is_refused_with_line_and_value(
    tea: Campaign, tmp_path: Path, content: object, values: list[str]
) -> None:
    before = log.head(tea)
    with pytest.raises(InputError) as error:
        add_qrels(tea.by("Olga"), [given(tmp_path, content)])
    assert says(str(error.value), *values)
    assert log.head(tea) == before


def test_a_title_of_two_topics_is_no_topic_and_a_campaign_without_topics_takes_ids(tmp_path: Path) -> None:
    with new_campaign(tmp_path / "c.db", title="C", actor="Olga") as campaign:
        with pytest.raises(InputError):
            add_qrels(campaign.by("Olga"), [given(tmp_path, "query,docid,rating\ngreen tea,d1,1\n")])
        add_qrels(campaign.by("Olga"), [given(tmp_path, "query,docid,rating\ntea,d1,1\n")])
        assert said(campaign) == {("imported", "tea", "d1"): (1, "")}


def test_half_characters_are_replaced_and_long_queries_are_told_apart(tea: Campaign, tmp_path: Path) -> None:
    long = "how do you make green tea " * 20
    (tmp_path / "t.tsv").write_text(f"1\t{long}a\n2\t{long}b\n")
    add_topics(tea.by("Olga"), [str(tmp_path / "t.tsv")])
    of_one = [{"rating": 1, "explanation": "\ud800", "user_email": "\ud800@uni.example"}]
    pairs = [{"query_text": long + end, "doc_id": "d1", "judgements": of_one} for end in "ab"]
    add_qrels(tea.by("Olga"), [given(tmp_path, {"query_doc_pairs": pairs})], names=True)
    assert said(tea) == {("\ufffd@uni.example", topic_id, "d1"): (1, "\ufffd") for topic_id in "12"}


@pytest.mark.parametrize("content", ["query,docid,score\n1,d1,2\n", {"query": "1", "docid": "d1", "rel": 2}])
def test_a_table_with_a_column_of_grades_is_qrels_as_before(
    tea: Campaign, tmp_path: Path, content: object
) -> None:
    add_qrels(tea.by("Olga"), [given(tmp_path, content)])
    assert said(tea) == {("imported", "1", "d1"): (2, "")}


@pytest.mark.parametrize(
    "content",
    ['{"query_doc_pairs": [', "[" * 100_000, '{"data": 1, "annotations": 2}', '[{"fields": [], "responses": [[]]}]',
     '{"query_doc_pairs": [{"query_text": {}, "judgements": [1]}]}', 'query,"docid', "\x00",
     '[{"data": {}, "annotations": [{"result": [{"type": 3, "value": []}]}]}]',
     '{"query_doc_pairs": [{"query_text": "1", "doc_id": "\\ud800", "judgements": [{"rating": 1}]}]}',
     '{"query_doc_pairs": [{"query_text": "1", "doc_id": "d1", "judgements": [{"rating": "\\ud800"}]}]}'],
)  # fmt: skip
def test_broken_and_hostile_files_are_refused_and_change_nothing(
    tea: Campaign, tmp_path: Path, content: str
) -> None:
    before = log.head(tea)
    with pytest.raises(InputError):
        add_qrels(tea.by("Olga"), [given(tmp_path, content)])
    assert log.head(tea) == before
