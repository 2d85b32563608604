"""Refusals in JSON have one shape."""

from __future__ import annotations

import pytest
from flask import Flask

from workbench.core.errors import JudgmentRefused
from workbench.web.requests.answers import REFUSALS, refusal, status_of


def test_a_refusal_has_a_word_for_code_and_a_sentence_for_people(app: Flask) -> None:
    with app.app_context():
        answer = refusal(409, "text changed", "The text is another one now.", current=None)
    assert answer.status_code == 409
    assert answer.get_json() == {
        "reason": "text changed",
        "message": "The text is another one now.",
        "current": None,
    }


@pytest.mark.parametrize(
    ("status", "reasons"),
    [
        (
            409,
            "replaced elsewhere, text changed, uuid taken, judged by another, topic closed, norming closed",
        ),
        (429, "too many in a minute"),
        (403, "not yours"),
        (422, "unknown pair, bad grade, bad value, no conflict, wrong field"),
    ],
)
def test_what_was_right_once_is_a_conflict_and_what_never_was_is_not(status: int, reasons: str) -> None:
    for reason in reasons.split(", "):
        assert status_of(JudgmentRefused(reason, "Why.")) == status, reason


def test_every_reason_that_pages_know_is_listed() -> None:
    assert sorted(REFUSALS) == [
        *(
            "another campaign",
            "bad grade",
            "bad request",
            "bad value",
            "csrf",
            "judged by another",
            "no conflict",
        ),
        *("norming closed", "not allowed", "not found", "not yours", "other account", "other version"),
        *("replaced elsewhere", "signed out", "text changed", "too large", "topic closed", "unknown pair"),
        *("uuid taken", "wrong field", "wrong type"),
    ]
