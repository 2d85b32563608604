"""Topics in JSON, object by object."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.sentences import says
from workbench.core.errors import InputError
from workbench.formats.topics.fields import RawTopic
from workbench.formats.topics.in_json import read_json

ONE, TWO = {"id": "1", "title": "snow"}, {"id": "2", "title": "ice"}
BOTH = [(("id", "1"), ("title", "snow")), (("id", "2"), ("title", "ice"))]
BY_ID = [(("qid", "1"), ("title", "snow")), (("qid", "2"), ("title", "ice"))]


@pytest.mark.parametrize(
    ("whole", "pairs"),
    [
        ([ONE, TWO], BOTH),
        ({"topics": [ONE, TWO]}, BOTH),
        ({"x": 1, "data": [ONE, TWO]}, BOTH),
        ({"queries": {"1": "snow", "2": {"title": "ice"}}}, BY_ID),
        ({"1": "snow", "2": {"title": "ice"}}, BY_ID),
        ({"topics": "1", **ONE}, [(("topics", "1"), *BOTH[0])]),
        ({"topics": [TWO], **ONE}, [(("topics 1", "id: 2\ntitle: ice"), *BOTH[0])]),
        (ONE, BOTH[:1]),
    ],
)
def test_topics_are_in_a_list_in_an_object_or_under_their_ids(whole: Any, pairs: list[Any]) -> None:
    assert [topic.pairs for topic in read_json(json.dumps(whole), "t.json")] == pairs


def test_each_line_is_a_topic_with_its_line() -> None:
    text = f"{json.dumps(ONE)}\n\n{json.dumps(TWO)}\n{json.dumps(ONE)}\n"
    assert list(read_json(text, "t.jsonl")) == [
        RawTopic(1, BOTH[0]),
        RawTopic(3, BOTH[1]),
        RawTopic(4, BOTH[0]),
    ]
    assert list(read_json("[]", "t.json")) == []


def test_values_of_all_kinds_are_texts_and_what_is_nested_comes_last() -> None:
    topic = {
        "inner": {"desc": "D", "more": {"narr": "N"}},
        "id": "1",
        "known": True,
        "tags": ["a", "b"],
        "turns": [{"who": "x", "said": "y"}, {"who": "z"}],
        "mixed": ["a", {}],
        "empty": [],
        "none": None,
    }
    (found,) = read_json(json.dumps([topic]), "t.json")
    assert found.pairs == (
        ("id", "1"),
        ("known", "true"),
        ("tags", "a\nb"),
        ("turns 1", "who: x\nsaid: y"),
        ("turns 2", "who: z"),
        ("desc", "D"),
        ("narr", "N"),
    )


@pytest.mark.parametrize(
    "text", ['["snow"]', '[{"id": "1"},\n{"title": "x", "y": 1}]', "{}", '{"a": "snow"}', '{"a1": [5]}']
)
def test_what_is_no_topic_is_refused_at_its_line(text: str) -> None:
    with pytest.raises(InputError) as caught:
        list(read_json(text, "t.json"))
    assert says(str(caught.value))
