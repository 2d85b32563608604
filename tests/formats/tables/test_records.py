"""Records are the same as JSON and as a table, by one declaration of their fields."""

from __future__ import annotations

import pytest

from tests.sentences import refused
from workbench.core.errors import InputError
from workbench.formats.tables.records import Columns, records, spellings
from workbench.formats.text.content import content_of

CLICKS = Columns(
    "topic_id,clicked,note",
    spellings({"topic_id": ("topic_id", "qid"), "clicked": ["clicked"], "note": ["note"]}),
    needed=(("topic_id",), ("clicked",)),
    lists=("clicked",),
)


def read(text: str, columns: Columns = CLICKS) -> list[object]:
    return list(records(content_of("log", text.encode()), columns))


@pytest.mark.parametrize(
    "text",
    [
        '{"Topic ID": 7, "clicked": ["a", "b"]}\n{"qid": "8", "clicked": []}\n',
        "topic-id,clicked,note\n7,a b\n8,,\n",
        "qid;clicked;;\n7;a b;;\n8;;;\n",
    ],
)
def test_a_record_is_the_same_in_every_form(text: str) -> None:
    found = [({"topic_id": "7", "clicked": ["a", "b"]}), ({"topic_id": "8", "clicked": []})]
    assert [value for _, value in read(text)] == found  # type: ignore[misc]


def test_a_list_of_a_row_that_ends_before_it_is_missing_and_not_empty() -> None:
    assert read("note,topic_id,clicked\nx,7\n") == [(2, {"note": "x", "topic_id": "7"})]


def test_what_is_no_object_and_what_has_another_name_stay_as_they_are() -> None:
    assert read('[3, {"Else": true}]') == [(1, "3"), (1, {"Else": True})]


def test_a_table_without_names_has_those_that_are_declared() -> None:
    ids = Columns("topic_id,clicked", CLICKS.names, CLICKS.needed, unnamed=("topic_id", "clicked"))
    assert read("7,7\n", ids) == [(1, {"topic_id": "7", "clicked": "7"})]


@pytest.mark.parametrize(
    "text",
    [
        "topic_id,note\n7,x\n",
        "topic_id,clicked,qid\n7,a,8\n",
        "topic_id,clicked\n7,a,more\n",
        '{"topic_id": "7", "qid": "8"}',
        "topic_id,clicked,age\n7,a,9\n",
    ],
)
def test_a_file_that_has_not_these_fields_is_refused_with_its_line(text: str) -> None:
    with refused(InputError, "log:2" if "more" in text else "log:1"):
        read(text, CLICKS._replace(only="age" in text))
