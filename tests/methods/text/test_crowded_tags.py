"""No tag that a parser can find has too many attributes, whatever stands around it; nothing else changes."""

from __future__ import annotations

import re

import nh3
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sentences import refused
from workbench.core.errors import InputError
from workbench.formats.topics.in_xml import read_xml
from workbench.methods.text.html_repair import MOST_ATTRIBUTES, without_crowded_tags
from workbench.web.judging.document.cleaning import clean_html

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


@settings(max_examples=300)
@given(texts)
def test_a_parser_finds_no_tag_with_more_attributes_whatever_stands_around_it(text: str) -> None:
    assert all(number <= 2 for number in attributes_of_tags(without_crowded_tags(text, most=2)))


@pytest.mark.parametrize(
    "html",
    [
        "<p x y z>",
        '<p x="1"y="2"z="3">',
        "<p/x/y/z>",
        "<p x = 1 y = '>' z>",
        "<!-- <i x=' --><p x y z>' -->",
        "<script><i x=' </script><p x y z>'",
        "<b x='<p x y z>'><p x y z>",
    ],
)
def test_a_tag_with_one_attribute_too_many_becomes_text(html: str) -> None:
    assert 3 in attributes_of_tags(html)
    assert max(attributes_of_tags(without_crowded_tags(html, most=2)), default=0) <= 2


@pytest.mark.parametrize(
    "html", ["", "ice < rivers", "<p x y>ice</p>", "<p>" * 3, "<p x><p y><p z>", "<p x='a b c d'>", "a<b"]
)
def test_other_html_stays_as_it_is(html: str) -> None:
    assert without_crowded_tags(html, most=2) == html


def test_a_page_with_such_a_tag_shows_it_as_text_and_the_rest_as_it_is() -> None:
    crowded = "<p " + " ".join(f"a{number}" for number in range(MOST_ATTRIBUTES + 1)) + ">"
    cleaned = clean_html(f"<b>ice</b>{crowded}<i>rivers</i>")
    assert cleaned.startswith("<b>ice</b>&lt;p a0 a1 ")
    assert cleaned.endswith(f"a{MOST_ATTRIBUTES}&gt;<i>rivers</i>")


def test_blocks_that_are_left_out_join_no_tags_to_a_crowded_one() -> None:
    words = " ".join(f"a{number}" for number in range(MOST_ATTRIBUTES + 1))
    joined = "<div>" * 300 + f"<p <div> {words}>"
    assert len(re.findall(r"a[0-9]+", clean_html(joined))) == MOST_ATTRIBUTES + 1


def test_topics_in_xml_with_such_a_tag_are_refused_with_its_line() -> None:
    attributes = "".join(f' a{number}="1"' for number in range(1_001))
    text = f"<topics>\n<topic id='1'{attributes}><title>ice</title></topic></topics>"
    with refused(InputError, "t.xml:2"):
        list(read_xml(text, "t.xml"))
    quoted = "<topics><topic id='1'><title><![CDATA[" + 'a="1" ' * 1_001 + "]]></title></topic></topics>"
    assert len(list(read_xml(quoted, "t.xml"))) == 1
