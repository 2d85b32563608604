"""Source code keeps every sign and every line, and each line has its number."""

from __future__ import annotations

import re
from html import unescape

import pytest

from tests.sentences import says
from workbench.core.records import Document
from workbench.formats.documents.fields import MEDIA_TYPES
from workbench.methods.text.terms import Term
from workbench.web.judging.document.body import Body, Look, body_of
from workbench.web.judging.document.kinds import KINDS


def shown(text: str, term: str = "none", *, latex: bool = False) -> Body:
    return body_of(Document("d", "", text, "text/x-code"), Look((Term(term),), "en", latex))


def test_each_line_is_an_item_of_a_list_that_counts_from_the_first() -> None:
    assert says(shown("def f():\n    return 1 < 2\n\nx = f()", "return").html)


def test_in_long_code_each_piece_goes_on_counting_where_the_one_before_it_ended() -> None:
    text = "".join(f"line {number}\n" for number in range(1, 1_001))
    html = str(shown(text).html)
    pieces = re.findall(r'start="(\d+)"><li>line (\d+)', html)
    assert len(pieces) > 2
    assert all(start == line for start, line in pieces)
    assert html.count('<ol class="block-code" dir') == len(pieces)


def test_a_line_longer_than_a_piece_is_one_line() -> None:
    html = str(shown("x" * 6_000 + "\nlast").html)
    assert re.findall(r'class="block-code( continued)?" dir="ltr" data-start="\d+" start="(\d)"', html) == [
        ("", "1"),
        (" continued", "1"),
        (" continued", "1"),
    ]
    assert "<li>last</li>" in html
    assert shown(" \n\t\n").is_empty


@pytest.mark.parametrize("text", ["a\r\nb\rc\n\n\td <b>&amp;", "$x$ \\(y\\)", "\n\n  x", "é\u2028y\x0cz"])
def test_the_text_of_a_page_of_code_is_the_stored_text(text: str) -> None:
    html = str(shown(text, latex=True).html)
    assert unescape(re.sub(r"<[^>]*>", "", html)) == text


def test_every_kind_of_document_that_a_collection_may_name_can_be_shown() -> None:
    assert set(KINDS) == set(MEDIA_TYPES)
