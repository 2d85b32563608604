"""JSON for people and programs."""

from __future__ import annotations

import math

import pytest

from workbench.formats.tables.json_text import json_line, json_text


def test_text_is_indented_and_a_line_is_short() -> None:
    assert json_text({"run": "雪", "AP": 0.5}) == '{\n  "run": "雪",\n  "AP": 0.5\n}\n'
    assert json_line({"run": "雪", "AP": 0.5}) == '{"run":"雪","AP":0.5}\n'


def test_a_number_that_json_does_not_have_is_an_error_where_none_can_be() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text([math.nan])
    assert json_text([math.inf], allow_nan=True) == "[\n  Infinity\n]\n"
