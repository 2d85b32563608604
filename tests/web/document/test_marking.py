"""Marks stand around the words they are meant for, and add no character to a text."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.web.document.marking import Marker, TermHit, as_html, marks_of

Span = tuple[int, int]


def marked(text: str, hits: list[TermHit], changed: list[Span] | None = None) -> str:
    return Marker(marks_of(hits, changed or [])).write(text, 0)


def test_a_hit_is_marked_with_the_number_of_its_term() -> None:
    assert marked("frozen rivers", [TermHit(7, 13, 1, False)]) == (
        'frozen <mark class="hit" data-term="1">rivers</mark>'
    )


def test_an_own_term_is_marked_as_such() -> None:
    assert marked("ice", [TermHit(0, 3, 0, True)]) == '<mark class="hit own" data-term="0">ice</mark>'


def test_what_has_changed_is_marked_and_may_hold_a_hit() -> None:
    assert marked("the old ice here", [TermHit(8, 11, 0, False)], [(4, 11)]) == (
        'the <mark class="changed">old </mark><mark class="hit changed" data-term="0">ice</mark> here'
    )


def test_a_hit_that_changes_half_way_is_one_hit_in_two_marks() -> None:
    assert marked("iceberg", [TermHit(0, 7, 0, False)], [(3, 7)]) == (
        '<mark class="hit" data-term="0">ice</mark><mark class="hit changed continued" data-term="0">berg</mark>'
    )


def test_of_hits_that_overlap_the_first_and_longest_is_marked() -> None:
    hits = [TermHit(4, 8, 2, False), TermHit(0, 3, 1, False), TermHit(0, 6, 0, False)]
    assert marked("icebergs", hits) == '<mark class="hit" data-term="0">iceber</mark>gs'


def test_a_text_written_in_parts_continues_its_marks() -> None:
    marker = Marker(marks_of([TermHit(2, 6, 0, False)], []))
    assert marker.write("abcd", 0) == 'ab<mark class="hit" data-term="0">cd</mark>'
    assert marker.write("efgh", 4) == '<mark class="hit continued" data-term="0">ef</mark>gh'


@pytest.mark.parametrize(
    ("text", "html"),
    [('<b> & "x"', "&lt;b&gt; &amp; &#34;x&#34;"), ("a\rb", "a&#13;b"), ("a\0b", "a\ufffdb")],
)
def test_text_is_escaped_and_keeps_its_length(text: str, html: str) -> None:
    assert as_html(text) == html
    assert len(unescape(html)) == len(text)


@given(
    st.text(alphabet="ab<&\n", max_size=20),
    st.lists(st.tuples(st.integers(0, 20), st.integers(1, 5)), max_size=4),
    st.sets(st.integers(0, 20), max_size=6),
)
def test_marks_change_no_character(text: str, places: list[tuple[int, int]], borders: set[int]) -> None:
    hits = [TermHit(start, start + length, 0, False) for start, length in places]
    changed = list(zip(sorted(borders)[::2], sorted(borders)[1::2], strict=False))
    html = marked(text, hits, changed)
    assert unescape(re.sub("<[^>]*>", "", html)) == text
