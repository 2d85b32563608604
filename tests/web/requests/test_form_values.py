"""Numbers that people type into forms."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.sentences import refused
from workbench.core.errors import CampaignError
from workbench.web.requests.form_values import LONGEST, natural_number, whole_number


def test_a_natural_number_is_digits_alone() -> None:
    longest = "9" * LONGEST
    assert [natural_number(text) for text in ("0", "007", longest)] == [0, 7, int(longest)]
    for text in ("9" + longest, "", "-1", "1.5", "²", "٣"):
        assert natural_number(text) is None, text


@pytest.mark.parametrize(("text", "number"), [("", 5), ("  ", 5), (" 7 ", 7), ("-3", -3), ("0", 0)])
def test_a_whole_number_is_as_typed_or_as_usual(app: Flask, text: str, number: int) -> None:
    with app.test_request_context(method="POST", data={"gap": text}):
        assert whole_number("gap", "a number", 5) == number
    with app.test_request_context(method="POST"):
        assert whole_number("gap", "a number", 5) == 5


@pytest.mark.parametrize("text", ["--3", "x", "1.5", "9" * (LONGEST + 1)])
def test_anything_else_is_refused_in_the_words_of_the_form(app: Flask, text: str) -> None:
    with app.test_request_context(method="POST", data={"gap": text}), refused(CampaignError):
        whole_number("gap", "a whole number, such as 30", 5)
