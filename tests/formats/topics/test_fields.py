"""What fields of topics are called, and how their values become a topic."""

from __future__ import annotations

import pytest

from workbench.core.records import Topic
from workbench.formats.topics.fields import (
    FieldChoice,
    is_usual,
    named_values,
    names_a_topic,
    names_an_id,
    shown_names,
    topic_from,
    unknown_fields,
)


def test_the_first_of_a_name_keeps_it_and_later_ones_have_numbers_that_are_free() -> None:
    pairs = [("Tag", "a"), (" tag", "b"), ("tag 3", "c"), ("TAG", "d"), ("tag", " "), ("tag", "e\r\nf\rg ")]
    assert list(named_values(pairs).items()) == [
        ("tag", "a"),
        ("tag 2", "b"),
        ("tag 3", "c"),
        ("tag 4", "d"),
        ("tag 5", "e\nf\ng"),
    ]


def test_a_name_that_a_field_has_already_is_passed_over_as_numbers_are_given() -> None:
    pairs = [("tag 2", "a"), ("tag", "b"), ("tag", "c"), ("tag", "d")]
    assert list(named_values(pairs)) == ["tag 2", "tag", "tag 3", "tag 4"]


@pytest.mark.parametrize(
    ("pairs", "choice", "topic"),
    [
        (
            [("num", "1"), ("en-title", "snow\n and  ice"), ("desc", "Cold.\nWet."), ("narr", "All.")],
            FieldChoice(),
            Topic("1", "snow and ice", "Cold.\nWet.", "All."),
        ),
        (
            [
                ("id", "1"),
                ("query", "snow"),
                ("smry", "S"),
                ("topic_id", "2"),
                ("number", "1"),
                ("text", "snow"),
            ],
            FieldChoice(),
            Topic("2", "snow", fields={"id": "1", "summary": "S", "number": "1"}),
        ),
        (
            [
                ("id", "1"),
                ("number", "1"),
                ("query", "snow"),
                ("text", "snow"),
                ("text", "ice"),
                ("x", "snow"),
            ],
            FieldChoice(),
            Topic("1", "snow", fields={"text 2": "ice", "x": "snow"}),
        ),
        (
            [("id", "1"), ("title", "snow"), ("smry", "S"), ("description", "D")],
            FieldChoice(title="SMRY", narrative="description"),
            Topic("1", "S", "", "D", {"title": "snow"}),
        ),
        ([("title", "snow")], FieldChoice(), Topic("", "snow")),
    ],
)
def test_a_topic_is_made_of_the_chosen_and_the_usual_fields(
    pairs: list[tuple[str, str]], choice: FieldChoice, topic: Topic
) -> None:
    assert topic_from(pairs, choice) == topic


@pytest.mark.parametrize(
    ("names", "is_one"),
    [
        (["num", "title"], True),
        ([" QID ", "fr_desc"], True),
        (["topic", "narrative"], True),
        (["topic"], False),  # may be the id or the title, and cannot be both
        (["num", "qid"], False),
        (["title", "desc"], False),
        (["num", "x"], False),
        ([], False),
    ],
)
def test_a_table_of_topics_has_an_id_and_something_to_read(names: list[str], is_one: bool) -> None:
    assert names_a_topic(names) is is_one


def test_names_of_fields_are_known_in_any_case() -> None:
    assert names_an_id(["x", " Num "])
    assert not names_an_id(["title", "numb"])
    assert unknown_fields(FieldChoice("Title", None, "Why"), [" TITLE", "x"]) == ["Why"]
    assert [is_usual(name) for name in ("smry", "qid", "query", "desc", "narr", "summary")] == [True] * 5 + [
        False
    ]


def test_twelve_names_are_shown_each_cut_after_forty_characters() -> None:
    assert shown_names([]) == "none"
    assert shown_names(["x" * 41, "y"]) == f"{'x' * 40}, y"
    assert shown_names(list("abcdefghijklm")) == "a, b, c, d, e, f, g, h, i, j, k, l and 1 more"
