"""What the forms of decisions send is read to the last character, and refused by the name of its field."""

from __future__ import annotations

import pytest
from flask import Flask
from werkzeug.exceptions import HTTPException

from workbench.analysis.adjudication.deciding import Decision
from workbench.core.records import Judgment
from workbench.web.agreement import decision_form

LONGEST = "1" * decision_form.LONGEST_NUMBER
SENT = {
    "uuid": "8C1B7A52-6a0e-4a3c-9a3e-0a5b4f6d7e81", "topic": "1", "document": "d1", "pool": "2",
    "text_hash": "ab", "topic_version": "3", "guideline_version": "4", "newest": "5", "grade": "-1",
    "seconds": "12", "comment": "one\r\ntwo",
}  # fmt: skip


def test_a_decision_has_each_field_of_the_form_in_its_place(app: Flask) -> None:
    with app.test_request_context(method="POST", data=SENT):
        found = decision_form.decision(overrules=True)
    given = Judgment(
        uuid=SENT["uuid"].lower(),
        topic_id="1",
        document_id="d1",
        pool=2,
        text_hash="ab",
        topic_version=3,
        guideline_version=4,
        grade=-1,
        active_seconds=12.0,
        comment="one\ntwo",
        input="button",
    )
    assert found == Decision(given, 5, overrules=True)


@pytest.mark.parametrize(
    ("field", "value", "name", "read"),
    [("seconds", "", "active_seconds", None), ("seconds", "soon", "active_seconds", None),
     ("seconds", "٣", "active_seconds", None), ("seconds", "9" * 7, "active_seconds", 9_999_999.0),
     ("seconds", "9" * 8, "active_seconds", None), ("replaces", "7", "replaces", 7),
     ("input", "key", "input", "key"), ("input", "voice", "input", "button"), ("comment", "", "comment", ""),
     ("grade", f"-{LONGEST}", "grade", -int(LONGEST)),
     ("document", "d" * 4_000, "document_id", "d" * 4_000)],
)  # fmt: skip
def test_a_field_is_read_as_it_is_meant(app: Flask, field: str, value: str, name: str, read: object) -> None:
    with app.test_request_context(method="POST", data={**SENT, field: value}):
        assert getattr(decision_form.decision().given, name) == read


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [*(("grade", value, "an integer") for value in ("", "--1", LONGEST + "1")), ("pool", "٣", "an integer"),
     ("replaces", "x", "an integer"), ("uuid", "8c1b7a52", "a UUID"),
     ("topic", "t" * 4_001, "at most 4,000 characters")],
)  # fmt: skip
def test_what_is_not_ours_is_refused_by_its_name(app: Flask, field: str, value: str, said: str) -> None:
    with (
        app.test_request_context(method="POST", data={**SENT, field: value}),
        pytest.raises(HTTPException) as refused,
    ):
        decision_form.decision()
    assert refused.value.code == 422
    assert str(refused.value.description).startswith(f"{field}: {said}")
