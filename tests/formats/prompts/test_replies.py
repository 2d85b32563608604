"""How a reply becomes a grade, and that everything else is a reason."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.formats.prompts.replies import OFF_SCALE, UNREADABLE, answer_schema, grade_in, reply_of

SCALE = (-2, 0, 1, 2)

READ = {
    '{"grade": 2}': 2,
    '{"grade": "2"}': 2,
    '```json\n{"exactness": 3, "grade": 1}\n```': 1,
    '<think>Perhaps grade: 2.</think>{"grade": 0}': 0,
    "1": 1,
    " -2 ": -2,
    "It answers a part.\n##final score: 1": 1,
    "**Grade:** 2": 2,
    "grade = 1. So grade: 1.": 1,
    'Here it is: {"grade": 2}': 2,
    "الدرجة grade: 1": 1,
}
UNREAD = {
    '{"grade": 2.5}': UNREADABLE,
    '{"grade": true}': UNREADABLE,
    '{"grade": null}': UNREADABLE,
    '{"score": 2}': UNREADABLE,
    '[{"grade": 2}]': UNREADABLE,
    "grade: 1 or grade: 2": UNREADABLE,
    "grade: 1.5": UNREADABLE,
    "grade: 1/2": UNREADABLE,
    "I would say two.": UNREADABLE,
    "2 of 3": UNREADABLE,
    "[" * 100_000: UNREADABLE,
    '{"grade": 3}': OFF_SCALE,
    '{"grade": 999999999999}': UNREADABLE,
    "<think>grade: 2</think>": "no answer",
}


@pytest.mark.parametrize(("text", "grade"), READ.items(), ids=range(len(READ)))
def test_a_grade_is_read_by_the_stated_rule(text: str, grade: int) -> None:
    assert grade_in(text, SCALE) == (grade, "")


@pytest.mark.parametrize(("text", "reason"), UNREAD.items(), ids=range(len(UNREAD)))
def test_nothing_is_guessed(text: str, reason: str) -> None:
    assert grade_in(text, SCALE) == (None, reason)


@given(st.text())
def test_any_text_gives_a_grade_of_the_scale_or_a_reason(text: str) -> None:
    grade, reason = grade_in(text, SCALE)
    assert (grade in SCALE) is not bool(reason)


@pytest.mark.parametrize(
    "body", ["", "null", "[]", '{"error": 1}', '{"choices": {}}', '{"choices": [', "[" * 100_000]
)
def test_what_is_not_of_the_protocol_is_none(body: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        reply_of(body)


def test_half_a_character_is_replaced_and_odd_counts_are_unknown() -> None:
    message = {"content": "\ud800 grade: 1"}
    usage = {"prompt_tokens": -5, "completion_tokens": 1.5}
    body = json.dumps({"choices": [{"message": message}], "model": 7, "usage": usage})
    found = reply_of(body)
    assert (found.text, found.model, found.input_tokens, found.output_tokens) == (
        "\ufffd grade: 1",
        "",
        None,
        None,
    )


def test_the_schema_has_the_marks_before_the_grade() -> None:
    schema = answer_schema((0, 2), ("exactness",))["json_schema"]["schema"]
    assert schema["required"] == ["exactness", "grade"]
    assert schema["properties"]["grade"] == {"type": "integer", "enum": [0, 2]}
