"""Refusals in JSON have one shape."""

from __future__ import annotations

from flask import Flask

from workbench.web.requests.answers import refusal


def test_a_refusal_has_a_word_for_code_and_a_sentence_for_people(app: Flask) -> None:
    with app.app_context():
        answer = refusal(409, "text changed", "The text is another one now.", current=None)
    assert answer.status_code == 409
    assert answer.get_json() == {
        "reason": "text changed",
        "message": "The text is another one now.",
        "current": None,
    }
