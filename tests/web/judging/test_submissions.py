"""What a browser sends is taken only with the right fields, types and ranges."""

from __future__ import annotations

import json

import pytest

from tests.sentences import refused, says
from workbench.core.records import Rationale
from workbench.web.judging.submissions import SUBMITTED, WrongField, read_submission

RATIONALE = {"field": "text", "start": 0, "end": 1, "text": "x"}
RIGHT: dict[str, object] = {
    "uuid": "8c1b7a52-6a0e-4a3c-9a3e-0a5b4f6d7e81", "log": "cd" * 32, "topic_id": "007",
    "document_id": "文書/1", "pool": 1, "text_hash": "ab" * 32, "topic_version": 2, "guideline_version": 1,
    "kind": "grade", "grade": 1, "replaces": None, "client_at": "2026-03-01T12:00:00.000Z",
    "active_seconds": 3.5, "comment": "", "input": "key", "same_as": "文書/2", "rationales": [],
    "norming": None,
}  # fmt: skip


def test_a_right_submission_is_taken_as_it_is_for_the_log_that_it_names() -> None:
    sent = read_submission(RIGHT | {"rationales": [RATIONALE]})
    said = {name: getattr(sent.judgment, name) for name in RIGHT if name not in ("log", "norming")}
    record = Rationale("text", 0, 1, "x")
    assert said | {"log": sent.log, "norming": sent.norming} == RIGHT | {"rationales": (record,)}


def test_a_page_from_before_rationales_is_understood() -> None:
    older = {name: RIGHT[name] for name in RIGHT if name not in ("input", "same_as", "rationales", "norming")}
    read, _, norming = read_submission(older)
    assert (read.input, read.same_as, read.rationales, norming) == (None, None, (), None)


WRONG: dict[str, list[object]] = {
    "uuid": ["not-a-uuid", 7, "x"],
    "topic_id": [7, None, "x" * 10_001, "\ud800"],
    "document_id": [["d1"], "half a character: \ud800"],
    "pool": ["1", True, 1.0, None, 2**63],
    "log": [None],
    "text_hash": [None],
    "guideline_version": [-(10**400)],
    "replaces": ["3"],
    "kind": ["import", ["grade"], None],
    "input": ["telepathy"],
    "same_as": [7],
    "grade": ["1", True, 1.5],
    "rationales": [
        *(None, {}, [{}], [RATIONALE | {"start": "0"}], [RATIONALE | {"more": 1}], [RATIONALE | {"end": 2}]),
        *([RATIONALE | {"field": "page"}], [RATIONALE | {"text": "\ud83d"}]),
    ],
    "client_at": [
        *(
            None,
            "x" * 3_000,
            "yesterday",
            "now",
            "2026-13-01T12:00:00Z",
            "2026-03-01T12:00:00",
            "٢٠٢٦-03-01T12:00:00Z",
        ),
        *("2026-03-01T12:00:00.000Z" + " " * 3_000, "2026-03-01T12:00:00." + "0" * 3_000 + "Z"),
    ],
    "active_seconds": ["3", float("nan"), float("inf"), -1, 10**400, True],
    "comment": [None, {"text": "x"}],
}


@pytest.mark.parametrize("field", WRONG)
def test_a_wrong_value_is_refused_by_the_name_of_its_field(field: str) -> None:
    for value in WRONG[field]:
        with pytest.raises(WrongField) as raised:
            read_submission({**RIGHT, field: value})
        assert raised.value.field == field
        assert says(str(raised.value), f"{field}: ")


@pytest.mark.parametrize("field", [field.name for field in SUBMITTED if field.given.by != "client, if any"])
def test_a_missing_field_is_named(field: str) -> None:
    with pytest.raises(WrongField, match=f"{field}: this field is missing"):
        read_submission({name: value for name, value in RIGHT.items() if name != field})


def test_a_field_too_many_is_named() -> None:
    with refused(WrongField, "assessor"):
        read_submission({**RIGHT, "assessor": "Anna"})
    with pytest.raises(WrongField) as raised:
        read_submission({**RIGHT, "x" * 101: 1})
    assert raised.value.field == "x" * 100


@pytest.mark.parametrize("sent", [None, [], "text", 7, json.loads("[[]]")])
def test_anything_but_an_object_is_refused(sent: object) -> None:
    with refused(WrongField):
        read_submission(sent)


LONGEST = {"field": "text", "start": 0, "end": 5_000, "text": "x" * 5_000}
TOO_LONG = {"field": "text", "start": 0, "end": 5_001, "text": "x" * 5_001}


@pytest.mark.parametrize(
    ("field", "longest", "beyond"),
    [("document_id", "x" * 10_000, "x" * 10_001), ("comment", "x" * 10_000, "x" * 10_001),
     ("topic_version", 2**63 - 1, 2**63), ("guideline_version", 1 - 2**63, -(2**63)),
     ("active_seconds", 10_000_000, 10_000_000.5), ("active_seconds", 0, -0.5),
     ("rationales", [RATIONALE] * 50, [RATIONALE] * 51), ("rationales", [LONGEST], [TOO_LONG])],
)  # fmt: skip
def test_a_value_is_taken_up_to_its_limit_and_not_beyond(field: str, longest: object, beyond: object) -> None:
    read_submission({**RIGHT, field: longest})
    with pytest.raises(WrongField):
        read_submission({**RIGHT, field: beyond})
