"""A judgment's fields are declared once: few modules name one of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from workbench.core.records import Judgment

MOST = {
    "client_at": 3,
    "active_seconds": 6,
    "same_as": 5,
    "topic_version": 3,
    "guideline_version": 6,
    "received_at": 19,
    "rationales": 25,
}
"""In how many modules a field may be named; other fields have names that are used for other things too."""

SOURCES = [
    path.read_text(encoding="utf-8")
    for path in (Path(__file__).resolve().parent.parent / "workbench").rglob("*.py")
]


@pytest.mark.parametrize("field", MOST)
def test_few_modules_name_a_field_of_a_judgment(field: str) -> None:
    assert field in Judgment._fields
    named = sum(bool(re.search(rf"\b{field}\b", source)) for source in SOURCES)
    assert named <= MOST[field]
