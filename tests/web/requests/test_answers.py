"""Refusals in JSON have one shape."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.conftest import ROOT
from workbench.core.errors import JudgmentRefused
from workbench.web.requests.answers import REFUSALS, refusal, status_of


def test_a_refusal_has_a_word_for_code_and_a_sentence_for_people(app: Flask) -> None:
    with app.app_context():
        answer = refusal(409, "text changed", "It is another now.", current=None)
    told = {"reason": "text changed", "message": "It is another now.", "current": None}
    assert (answer.status_code, answer.get_json()) == (409, told)


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
    assert {status_of(JudgmentRefused(reason, "Why.")) for reason in reasons.split(", ")} == {status}


def test_pages_know_every_reason_of_the_program() -> None:
    raised = {
        reason.partition('"')[0]
        for path in (ROOT / "workbench").rglob("*.py")
        for reason in path.read_text().split('JudgmentRefused("')[1:]
    }
    assert raised
    assert raised - REFUSALS == set()
