"""Plain text is shown as it is stored: every paragraph says where in the text it begins."""

from __future__ import annotations

import pytest

from tests.sentences import says
from workbench.methods.text.matching import Hit
from workbench.web.judging.document.marking import Marker, marks_of
from workbench.web.judging.document.plain import PlainText

PLAIN = Marker([])


@pytest.mark.parametrize(
    ("text", "passage"),
    [(" one\r\n\r\ntwo <b>\n", None), ("a\r\nb\rc", None), ("a\n\nb\n\nc\n\nd", (1, 2))],
    ids=["paragraphs", "carriage returns", "a passage"],
)
def test_each_paragraph_is_the_stored_text_from_its_start_on(
    text: str, passage: tuple[int, int] | None
) -> None:
    assert says(PlainText(text).write(PLAIN, passage))


def test_marks_are_placed_by_the_stored_text() -> None:
    html = PlainText("one\n\ntwo").write(Marker(marks_of([Hit(5, 8, 0)], [])), None)
    assert html.endswith('data-start="5"><mark class="hit" data-term="0">two</mark></p>')


def test_a_long_paragraph_is_written_in_parts_that_continue_it() -> None:
    html = PlainText("The Thames froze. " * 200).write(PLAIN, None)
    assert html.count('class="block-flowing continued"') == 1
