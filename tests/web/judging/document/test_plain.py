"""Plain text is shown as it is stored: every paragraph says where in the text it begins."""

from __future__ import annotations

from tests.sentences import says
from workbench.methods.text.matching import Hit
from workbench.web.judging.document.marking import Marker, marks_of
from workbench.web.judging.document.plain import PlainText

PLAIN = Marker([])


def test_each_paragraph_is_the_stored_text_from_its_start_on() -> None:
    assert says(PlainText(" one\r\n\r\ntwo <b>\n").write(PLAIN, None))


def test_carriage_returns_stay_in_the_text_and_alone_they_end_a_line() -> None:
    assert says(PlainText("a\r\nb\rc").write(PLAIN, None))


def test_marks_are_placed_by_the_stored_text() -> None:
    marker = Marker(marks_of([Hit(5, 8, 0)], []))
    assert (
        PlainText("one\n\ntwo")
        .write(marker, None)
        .endswith('data-start="5"><mark class="hit" data-term="0">two</mark></p>')
    )


def test_what_is_outside_the_passage_stands_in_elements_of_its_own() -> None:
    assert says(PlainText("a\n\nb\n\nc\n\nd").write(PLAIN, (1, 2)))


def test_a_long_paragraph_is_written_in_parts_that_continue_it() -> None:
    html = PlainText("The Thames froze. " * 200).write(PLAIN, None)
    assert html.count('class="block-flowing continued"') == 1


def test_text_without_words_is_empty() -> None:
    assert PlainText(" \r\n\t").is_empty
