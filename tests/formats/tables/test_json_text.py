"""JSON for people and programs."""

from __future__ import annotations

from workbench.formats.tables.json_text import json_line, json_text


def test_text_is_indented_and_a_line_is_short() -> None:
    assert json_text({"run": "雪", "AP": 0.5}) == '{\n  "run": "雪",\n  "AP": 0.5\n}\n'
    assert json_line({"run": "雪", "AP": 0.5}) == '{"run":"雪","AP":0.5}\n'
