"""Pages that a parser would blow up, or with crowded tags, are made harmless; all others stay as they are."""

from __future__ import annotations

import re

import nh3
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.at_length import at_length
from tests.sentences import refused
from workbench.campaign.near_duplicates import html_words
from workbench.core.errors import InputError
from workbench.formats.topics.in_xml import read_xml
from workbench.methods.text.html_repair import (
    MOST_ATTRIBUTES,
    without_crowded_tags,
    without_deep_nesting,
    without_repeated_formatting,
)
from workbench.web.judging.document.cleaning import clean_html

BLOWN_UP = "<p>" + "".join(f"<b lang=x{number}>" for number in range(2_000)) + "</p>" + "<p>ice" * 2_000
"""A parser would write 2,000 `b` into each of 2,000 paragraphs."""


def test_ordinary_pages_and_tags_that_are_alike_stay_as_they_are() -> None:
    page = "<p>The <b>R</b>hine <font color=red>freezes</font>.</p>" * 2_000
    assert without_repeated_formatting(page) == page
    assert without_repeated_formatting("") == ""
    same = "<font color='red'>" * 2_000 + "<p>" * 2_000
    assert without_repeated_formatting(same) == same
    other = "".join(f'<b title=">{number}">' for number in range(2_000)) + "<p>" * 2_000
    assert "<b" not in without_repeated_formatting(other)
    odd = "".join(f'<b x=a" y="1>{number}">' for number in range(2_000)) + "<p>" * 2_000
    assert "<b" not in without_repeated_formatting(odd)


def test_tags_that_a_parser_would_repeat_become_spans_around_the_same_words() -> None:
    assert without_repeated_formatting(BLOWN_UP) == "<p>" + "<span>" * 2_000 + "</p>" + "<p>ice" * 2_000
    cleaned = clean_html(BLOWN_UP)
    assert cleaned.count("ice") == 2_000
    assert len(cleaned) < 3 * len(BLOWN_UP)
    assert html_words(BLOWN_UP).split() == ["ice"] * 2_000
    short = "<p>" + "".join(f"<b lang=x{number}>" for number in range(200)) + "</p>" + "<p>ice" * 2_000
    assert without_repeated_formatting(short) == short
    assert clean_html(short).count("ice") == 2_000
    assert len(clean_html(short)) < 3 * len(short)


def test_no_tag_is_hidden_in_a_tag_a_quote_or_capitals() -> None:
    hidden = "<<B lang=1>b lang=2><I title='<i lang=3>'><em/lang=4></EM\n>" * 1_000
    assert "<b" not in without_repeated_formatting(hidden).lower().replace("<br", "")
    assert "<i" not in without_repeated_formatting(hidden).lower()
    assert without_repeated_formatting("<big><br><body><img>" * 200_000).startswith("<span><br><body><img>")


def test_only_blocks_nested_deeper_than_any_page_lose_their_tags_and_keep_their_words() -> None:
    page = "<div>" * 300 + "ice" + "</div>" * 300
    level = without_deep_nesting(page)
    assert level == "<div>" * 256 + "ice" + "</div>" * 256
    assert without_deep_nesting("<div>" * 300 + "ice") == "<div>" * 256 + "ice"
    page = "<ul>" + "<li><p>ice" * 1000 + "</ul>"
    assert without_deep_nesting(page) == page
    cells = "<table>" + "<tr><td>ice" * 1000 + "</table>"
    assert without_deep_nesting(cells) == cells
    assert without_deep_nesting("<div><div><div>a</div></div></div><div>b</div>", deepest=2) == (
        "<div><div>a</div></div><div>b</div>"
    )
    assert without_deep_nesting("</div></div><div>a</div>", deepest=1) == "</div></div><div>a</div>"


PLACES = """
    <p| <b|</p|<svg>|<title>|</title>|<script>|</script>|<style>|</style>|<textarea>|<!--|-->|<!-- >|<![CDATA[|]]>|<?|>
"""
NAMES = """/| x| y=| z=1| w="| v='| u|/t|"|'| =| x="1"|y='2'| z=">"| w='>'|&quot;|<math>|<plaintext>"""
PIECES = [piece for piece in f"{PLACES.strip()}|{NAMES}".split("|") if piece]

ATTRIBUTE = re.compile(r' [a-z]="[^"]*"')
TAG = re.compile(r'<[a-z]+((?: [a-z]="[^"]*")*)>')


def attributes_of_tags(html: str) -> list[int]:
    """How many attributes a parser finds in each tag p and b."""
    cleaned = nh3.clean(
        html, tags={"p", "b"}, attributes={}, generic_attribute_prefixes=set("tuvwxyz"), link_rel=None
    )
    return [len(ATTRIBUTE.findall(attributes)) for attributes in TAG.findall(cleaned)]


def soup(pieces: list[str]) -> str:
    return "".join(pieces)


texts = st.lists(st.one_of(st.sampled_from(PIECES), st.sampled_from([" ", "\n", "ice"])), max_size=30).map(
    soup
)


@settings(max_examples=at_length(2000, 100))
@given(texts)
def test_a_parser_finds_no_tag_with_more_attributes_whatever_stands_around_it(text: str) -> None:
    assert all(number <= 2 for number in attributes_of_tags(without_crowded_tags(text, most=2)))


@pytest.mark.parametrize(
    "html",
    [
        "<p x y z>", '<p x="1"y="2"z="3">', "<p/x/y/z>", "<p x = 1 y = '>' z>",
        "<!-- <i x=' --><p x y z>' -->", "<script><i x=' </script><p x y z>'", "<b x='<p x y z>'><p x y z>",
    ],
)  # fmt: skip
def test_a_tag_with_one_attribute_too_many_becomes_text(html: str) -> None:
    assert 3 in attributes_of_tags(html)
    assert max(attributes_of_tags(without_crowded_tags(html, most=2)), default=0) <= 2


@pytest.mark.parametrize(
    "html", ["", "ice < rivers", "<p x y>ice</p>", "<p>" * 3, "<p x><p y><p z>", "<p x='a b c d'>", "a<b"]
)
def test_other_html_stays_as_it_is(html: str) -> None:
    assert without_crowded_tags(html, most=2) == html


def test_a_crowded_tag_is_shown_as_text_and_refused_in_a_topic() -> None:
    crowded = "<p " + " ".join(f"a{number}" for number in range(MOST_ATTRIBUTES + 1)) + ">"
    cleaned = clean_html(f"<b>ice</b>{crowded}<i>rivers</i>")
    assert cleaned.startswith("<b>ice</b>&lt;p a0 a1 ")
    assert cleaned.endswith(f"a{MOST_ATTRIBUTES}&gt;<i>rivers</i>")
    words = " ".join(f"a{number}" for number in range(MOST_ATTRIBUTES + 1))
    joined = "<div>" * 300 + f"<p <div> {words}>"
    assert len(re.findall(r"a[0-9]+", clean_html(joined))) == MOST_ATTRIBUTES + 1
    attributes = "".join(f' a{number}="1"' for number in range(1_001))
    text = f"<topics>\n<topic id='1'{attributes}><title>ice</title></topic></topics>"
    with refused(InputError, "t.xml:2"):
        list(read_xml(text, "t.xml"))
    quoted = "<topics><topic id='1'><title><![CDATA[" + 'a="1" ' * 1_001 + "]]></title></topic></topics>"
    assert len(list(read_xml(quoted, "t.xml"))) == 1
