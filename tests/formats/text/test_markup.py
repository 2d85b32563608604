from __future__ import annotations

import pytest

from workbench.formats.text.markup import (
    SmartRecord,
    decode_references,
    has_references,
    smart_records,
    without_comments,
)


def test_comments_go_and_their_line_breaks_stay() -> None:
    assert without_comments("a<!-- b\nc -->d<!---->e<!-- open") == "a\nde<!-- open"


def test_a_million_openings_cost_one_look() -> None:
    text = "<!--" * 1_000_000
    assert without_comments(text) == text


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("R&amp;D", "R&D"),
        ("&amp;amp;", "&amp;"),
        ("&#233;&#xE9;&eacute;", "ééé"),
        ("a&hyph;b&blank;c", "a-b c"),
        ("AT&T ?a=1&copy=2 &nosuch; &", "AT&T ?a=1&copy=2 &nosuch; &"),
        ("&#0; &#xD800; &#1114112; &#99999999;", "&#0; &#xD800; &#1114112; &#99999999;"),
    ],
)
def test_references_are_decoded_once_and_others_stay(written: str, text: str) -> None:
    assert decode_references(written) == text
    assert has_references(written) == (written != text)


def test_records_have_their_lines_their_numbers_and_their_parts_in_order() -> None:
    lines = [
        "before\n", ".I 1 \r\n", "no part yet\n", ".T\n", "Snow\n", "and ice\r\n", ".W \n", "\n", "Cold.\n",
        ".I 2\n", ".I x 3\n", ".T\n", ".TT\n",
    ]  # fmt: skip
    assert list(smart_records(lines)) == [
        SmartRecord(2, "1", (("T", "Snow\nand ice"), ("W", "\nCold."))),
        SmartRecord(10, "2", ()),
        SmartRecord(11, "x 3", (("T", ".TT"),)),
    ]
    assert list(smart_records(["before\n"])) == []
