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


def short(html: str) -> str:
    """Marks as [classes and number|text], what is missing as (text)."""
    html = re.sub('<mark class="([^"]*)"(?: data-term="([0-9])")?>', r"[\1 \2|", html).replace("</mark>", "]")
    return html.replace(" |", "|").replace('<del class="missing">', "(").replace("</del>", ")")


@pytest.mark.parametrize(
    ("text", "hits", "changed", "written"),
    [
        ("frozen rivers", [Hit(7, 13, 1)], [], "frozen [hit 1|rivers]"),
        ("ice, ice", [Hit(0, 3, 4), Hit(5, 8, 5)], [], "[hit 4|ice], [hit 0|ice]"),
        ("the old ice here", [Hit(8, 11, 0)], [(4, 11)], "the [changed begins|old ][hit changed 0|ice] here"),
        ("a b c", [], [(0, 1), (4, 5)], "[changed begins|a] b [changed begins|c]"),
        ("iceberg", [Hit(0, 7, 0)], [(3, 7)], "[hit 0|ice][hit continued changed begins 0|berg]"),
    ],
    ids=["a hit", "more terms than colours", "a change with a hit", "changes", "a hit that changes half way"],
)
def test_hits_and_changes_are_marked(text: str, hits: list[Hit], changed: list[Span], written: str) -> None:
    assert short(marked(text, hits, changed)) == written


def test_a_text_written_in_parts_continues_its_marks_each_in_its_own_colour() -> None:
    marker = Marker(marks_of([Hit(2, 6, 0)], []), own={0: 3})
    assert short(marker.write("abcd", 0)) == "ab[hit own 3|cd]"
    assert short(marker.write("efgh", 4)) == "[hit own continued 3|ef]gh"


def test_what_is_missing_stands_before_the_word_that_follows_it_and_parts_a_mark() -> None:
    missing = [Missing(4, "very"), Missing(10, "white"), Missing(13, "<b>", is_after=True)]
    marker = Marker(marks_of([Hit(4, 14, 0)], [(4, 9)], missing), missing=missing)
    froze = "(very)[hit changed begins replaces 0|froze][hit continued 0|n]"
    assert short(marker.write("the frozen ice", 0)) == f"the {froze}(white)[hit continued 0| ice](<b>)"


def test_what_is_missing_is_written_once_with_the_part_that_has_its_place() -> None:
    marker = Marker([], missing=[Missing(3, "x")])
    assert (marker.touches(0, 3), marker.write("abc", 0)) == (False, "abc")
    assert (marker.touches(3, 6), short(marker.write("def", 3))) == (True, "(x)def")
    assert not marker.touches(6, 9)


@pytest.mark.parametrize(
    ("text", "html"),
    [('<b> & "x"', "&lt;b&gt; &amp; &quot;x&quot;"), ("a\rb", "a&#13;b"), ("a\0b", "a\ufffdb")],
)
def test_text_is_escaped_and_keeps_its_length(text: str, html: str) -> None:
    assert as_html(text) == html
    assert len(unescape(html)) == len(text)


BORDERS = st.sets(st.integers(0, 20), max_size=6)


@given(st.text(alphabet="ab<&\n", max_size=20), BORDERS, BORDERS)
def test_marks_change_no_character(text: str, hit_borders: set[int], changed_borders: set[int]) -> None:
    hits = [Hit(start, end, 0) for start, end in disjoint(hit_borders)]
    html = marked(text, hits, disjoint(changed_borders))
    assert unescape(re.sub("<[^>]*>", "", html)) == text


def disjoint(borders: set[int]) -> list[Span]:
    return list(zip(sorted(borders)[::2], sorted(borders)[1::2], strict=False))
