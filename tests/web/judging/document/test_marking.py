"""Marks stand around the words they are meant for, and add no character to a text but what is missing from it."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.methods.text.matching import Hit
from workbench.web.judging.document.marking import Marker, Missing, as_html, marks_of

Span = tuple[int, int]


def marked(text: str, hits: list[Hit], changed: list[Span] | None = None) -> str:
    return Marker(marks_of(hits, changed or [])).write(text, 0)


def test_a_hit_is_marked_with_the_number_of_its_term() -> None:
    assert marked("frozen rivers", [Hit(7, 13, 1)]) == (
        'frozen <mark class="hit" data-term="1">rivers</mark>'
    )


def test_terms_after_the_fifth_begin_with_the_colours_again() -> None:
    assert marked("ice", [Hit(0, 3, 4)]) == '<mark class="hit" data-term="4">ice</mark>'
    assert marked("ice", [Hit(0, 3, 5)]) == '<mark class="hit" data-term="0">ice</mark>'


def test_an_own_term_is_marked_as_such_in_its_own_colour() -> None:
    assert (
        Marker(marks_of([Hit(0, 3, 0)], []), own={0: 3}).write("ice", 0)
        == '<mark class="hit own" data-term="3">ice</mark>'
    )


def test_what_has_changed_is_marked_and_may_hold_a_hit() -> None:
    assert marked("the old ice here", [Hit(8, 11, 0)], [(4, 11)]) == (
        'the <mark class="changed begins">old </mark><mark class="hit changed" data-term="0">ice</mark> here'
    )


def test_each_of_several_changes_is_marked() -> None:
    assert re.sub(r"<mark[^>]*>", "<mark>", marked("a b c d e", [], [(0, 1), (4, 5), (8, 9)])) == (
        "<mark>a</mark> b <mark>c</mark> d <mark>e</mark>"
    )


def test_a_hit_that_changes_half_way_is_one_hit_in_two_marks() -> None:
    assert marked("iceberg", [Hit(0, 7, 0)], [(3, 7)]) == (
        '<mark class="hit" data-term="0">ice</mark><mark class="hit continued changed begins" data-term="0">berg</mark>'
    )


def test_a_text_written_in_parts_continues_its_marks() -> None:
    marker = Marker(marks_of([Hit(2, 6, 0)], []))
    assert marker.write("abcd", 0) == 'ab<mark class="hit" data-term="0">cd</mark>'
    assert marker.write("efgh", 4) == '<mark class="hit continued" data-term="0">ef</mark>gh'


def test_what_is_missing_stands_before_the_word_that_follows_it_and_parts_a_mark() -> None:
    missing = [Missing(4, "very"), Missing(10, "white"), Missing(13, "<b>", is_after=True)]
    marker = Marker(marks_of([Hit(4, 14, 0)], [(4, 9)], missing), missing=missing)
    assert marker.write("the frozen ice", 0) == (
        'the <del class="missing">very</del><mark class="hit changed begins replaces" data-term="0">froze</mark>'
        '<mark class="hit continued" data-term="0">n</mark><del class="missing">white</del>'
        '<mark class="hit continued" data-term="0"> ice</mark><del class="missing"><b></del>'
    )


def test_what_is_missing_is_written_once_with_the_part_that_has_its_place() -> None:
    missing = [Missing(3, "x")]
    marker = Marker([], missing=missing)
    assert not marker.touches(0, 3)
    assert marker.write("abc", 0) == "abc"
    assert marker.touches(3, 6)
    assert marker.write("def", 3) == '<del class="missing">x</del>def'
    assert not marker.touches(6, 9)


@pytest.mark.parametrize(
    ("text", "html"),
    [('<b> & "x"', "&lt;b&gt; &amp; &quot;x&quot;"), ("a\rb", "a&#13;b"), ("a\0b", "a\ufffdb")],
)
def test_text_is_escaped_and_keeps_its_length(text: str, html: str) -> None:
    assert as_html(text) == html
    assert len(unescape(html)) == len(text)


@given(
    st.text(alphabet="ab<&\n", max_size=20),
    st.sets(st.integers(0, 20), max_size=6),
    st.sets(st.integers(0, 20), max_size=6),
)
def test_marks_change_no_character(text: str, hit_borders: set[int], changed_borders: set[int]) -> None:
    hits = [Hit(start, end, 0) for start, end in disjoint(hit_borders)]
    html = marked(text, hits, disjoint(changed_borders))
    assert unescape(re.sub("<[^>]*>", "", html)) == text


def disjoint(borders: set[int]) -> list[Span]:
    return list(zip(sorted(borders)[::2], sorted(borders)[1::2], strict=False))
