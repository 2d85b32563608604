"""Judgments go out as books of Quepid, tasks of Label Studio and records of Argilla, and come back as they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from tests.judged_pairs import judge_as
from tests.labels_of_models import add_labels_of_model
from workbench.campaign.ingest import add_qrels, add_topics
from workbench.core.errors import UnknownName
from workbench.release.judged_records import FORMS, judged_lines
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.grades import judgments

BOOK = {
    "query_doc_pairs": [
        {"query_text": "2", "doc_id": "d1", "judgements": [{"rating": 1, "explanation": 'half\n"of" it ✓'}]}
    ]
}


@pytest.fixture
def judged(small: Campaign, tmp_path: Path) -> Campaign:
    """Two assessors: one has an address for a name and changed her mind, one can't tell once; an import and a model."""
    judge_as(small, "ann@uni.example", "1", "d1", 0)
    first = judgments.newest(small, "1", "d1", "ann@uni.example")
    assert first is not None
    judge_as(small, "ann@uni.example", "1", "d1", 2, replaces=first.seq)
    judge_as(small, "Ben", "1", "d1", -2)
    judge_as(small, "Ben", "2", "d5", None)
    judge_as(small, "Ben", "1", "d2", 0)
    (tmp_path / "book.json").write_text(json.dumps(BOOK))
    add_qrels(small.by("Olga"), [str(tmp_path / "book.json")])
    (tmp_path / "model.txt").write_text("1 0 d1 1\n10 0 d6 0\n")
    add_labels_of_model(small, tmp_path / "model.txt", "some-model")
    return small


def written(campaign: Campaign, form: str, **options: Any) -> Any:
    return json.loads("".join(judged_lines(campaign, form, **options)))


def grades(campaign: Campaign) -> dict[tuple[str, str], list[tuple[int, str]]]:
    """The grades in force, without who gave them."""
    found: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for topic_id in ("1", "2", "10"):
        for each in judgments.current_of_topic(campaign, topic_id):
            if each.grade is not None:
                found.setdefault((topic_id, each.document_id), []).append((each.grade, each.comment))
    return {pair: sorted(given) for pair, given in found.items()}


@pytest.mark.parametrize("form", [*FORMS])
@pytest.mark.parametrize("names", [True, False])
def test_what_is_in_force_comes_back_from_each_form(
    judged: Campaign, small_file: Path, tmp_path: Path, form: str, names: bool
) -> None:
    (tmp_path / "out.json").write_text(text := "".join(judged_lines(judged, form, names=names)))
    (tmp_path / "again.db").write_bytes(small_file.read_bytes())
    with open_campaign(tmp_path / "again.db") as again:
        added = add_qrels(again.by("Olga"), [str(tmp_path / "out.json")], names=names)
        assert grades(again) == grades(judged)
        assert (added.judgments, len(added.assessor.split(", "))) == (4, 3)
        if names and form != "argilla":
            assert {row.assessor for row in judgments.log(again)} == {"ann@uni.example", "Ben", "imported"}
    assert ("Ben" in text) is (names and form != "argilla")


def test_nothing_of_a_pair_is_lost_but_what_has_no_place(judged: Campaign) -> None:
    first, *_ = written(judged, "label-studio", names=True)
    text = "Document d1\n\nThe text of document 1."
    assert first["data"] == {"query": "frozen rivers", "text": text, "topic_id": "1", "document_id": "d1"}
    by_ann, by_ben = first["annotations"]
    assert (by_ann["completed_by"], by_ben["assessor"]) == ({"email": "ann@uni.example"}, "Ben")
    assert by_ann["result"] == [
        {
            "from_name": "grade",
            "to_name": "text",
            "type": "choices",
            "value": {"choices": ["Highly relevant"]},
        }
    ]
    assert first["predictions"][0]["model_version"] == "some-model"
    tasks = {each["data"]["document_id"]: each for each in written(judged, "label-studio")}
    assert [(each["was_cancelled"], each["result"]) for each in tasks["d5"]["annotations"]] == [(True, [])]
    assert (tasks["d6"]["data"]["text"], tasks["d6"]["annotations"]) == ("d6", []), (
        "no text, and only a model's label"
    )
    record, *_ = written(judged, "argilla")
    assert record["metadata"] == {"topic_id": "1", "document_id": "d1"}
    assert record["suggestions"] == {"grade": {"value": "Relevant", "agent": "some-model"}}
    people = [UUID(each["user_id"]) for each in record["responses"]["grade"]]
    assert len(set(people)) == 2


def test_a_book_asks_by_titles_unless_two_topics_have_one(judged: Campaign, tmp_path: Path) -> None:
    book = written(judged, "quepid")
    assert book["scale_with_labels"] == {
        "-2": "Spam",
        "0": "Not relevant",
        "1": "Relevant",
        "2": "Highly relevant",
    }
    assert [pair["query_text"] for pair in book["query_doc_pairs"]][:1] == ["frozen rivers"]
    assert {each["user_email"] for pair in book["query_doc_pairs"] for each in pair["judgements"]} == {
        "assessor-1@example.invalid", "assessor-2@example.invalid", "assessor-3@example.invalid",
    }  # fmt: skip
    (tmp_path / "t.tsv").write_text("2\tfrozen rivers\n")
    add_topics(judged.by("Olga"), [str(tmp_path / "t.tsv")])
    asked = {pair["query_text"] for pair in written(judged, "quepid")["query_doc_pairs"]}
    assert asked == {"1", "2", "deep seas"}
    (tmp_path / "t.tsv").write_text("2\t \n3\tdeep  seas\n")
    add_topics(judged.by("Olga"), [str(tmp_path / "t.tsv")])
    asked = {pair["query_text"] for pair in written(judged, "quepid")["query_doc_pairs"]}
    assert asked == {"frozen rivers", "2", "10"}, (
        "a topic without a title, and one whose title an unjudged topic has"
    )


def test_an_empty_campaign_is_an_empty_list_and_an_unknown_form_is_named(small: Campaign) -> None:
    assert [written(small, form) for form in ("label-studio", "argilla")] == [[], []]
    assert written(small, "quepid")["query_doc_pairs"] == []
    with pytest.raises(UnknownName, match="quepid"):
        judged_lines(small, "quepit")
