"""A word that a line break has parted is read, marked and found whole; no character and no offset changes."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.records import Document
from workbench.methods.text.matching import Hit
from workbench.methods.text.terms import Term
from workbench.web.judging.document.body import Look, body_of
from workbench.web.judging.document.joints import Joined, hidden_stretches
from workbench.web.judging.document.marking import Marker
from workbench.web.judging.document.plain import PlainText


def read(text: str) -> str:
    """The text as one reads it when it is prose; a line break is a blank."""
    return " ".join(Joined(text, hidden_stretches(text, [(0, len(text))])).text.split())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("the boun-\ndary of the ice", "the boundary of the ice"),
        ("the boun-\r\n    dary of the ice", "the boundary of the ice"),
        ("THE BOUN-\nDARY", "THE BOUNDARY"),
        ("to re-\ncord it", "to record it"),
        ("it is well-\nknown", "it is well-known"),  # both are words of English
        ("he went with-\nout it", "he went without it"),  # so are these, but so is the whole
        (
            "a two-\nlayer model, and a two-layer one",
            "a two-layer model, and a two-layer one",
        ),  # the text has it so
        ("a data-\nbase, the data base, the database", "a database, the data base, the database"),
        ("ice-\nfields where ice lay on fields", "ice-fields where ice lay on fields"),
        ("pre-\nand post-war", "pre- and post-war"),
        ("vor-\nund nachher", "vor- und nachher"),
        ("Navier-\nStokes", "Navier-Stokes"),
        ("an e-\nmail", "an e-mail"),
        ("1950-\n1960 and F-\n16", "1950-1960 and F-16"),
        ("http://ice.example/thick-\nness", "http://ice.example/thick-ness"),
        ("the ic\u00ad\ny, cold", "the ic\u00ady, cold"),
        ("the soft\u00ad\nness", "the soft\u00adness"),
        ("ice -\nand snow --\nor none", "ice - and snow -- or none"),
        ("die Schiff-\nfahrt ruht", "die Schifffahrt ruht"),
        ("河水结冰了，\n孩子们走\n路", "河水结冰了，孩子们走路"),
        ("ナイル\n川", "ナイル川"),
        ("한국어\n문장", "한국어 문장"),
        ("النهر\nمتجمد", "النهر متجمد"),
    ],
)
def test_parted_words_are_joined_as_the_text_or_its_language_tells(text: str, shown: str) -> None:
    assert read(text) == shown


PROSE = (
    "The fair was held upon the ice of the river in the winter of the year, and the boun-\n"
    "dary was drawn by the mayor."
)


def test_a_parted_word_is_marked_in_its_parts_and_counted_once() -> None:
    body = body_of(Document("d", "", PROSE), Look((Term("boundary"),), "en"))
    assert (
        '<mark class="hit" data-term="0">boun</mark>'
        '<span class="joint"><mark class="hit continued" data-term="0">-\n</mark></span>'
        '<mark class="hit continued" data-term="0">dary</mark>'
    ) in body.html
    assert body.counts == (1,)
    assert body.places == (round(PROSE.index("boun") / len(PROSE), 5),)


def test_a_parted_word_is_hidden_in_its_own_paragraph_alone() -> None:
    first = "The ice of the river bore the whole town in that winter, and the mayor was there.\n\n"
    text = f"{first}{PROSE}\n\n{PROSE}"
    whole = PlainText(text).write(Marker([]), None)
    shown = [unescape(re.sub("<[^>]*>", "", each)) for each in re.findall(r'">(.*?)</p>', whole, re.DOTALL)]
    assert [each.strip() for each in shown] == [first.strip(), PROSE, PROSE]
    assert [each.count('class="joint"') for each in whole.split("</p>")] == [0, 1, 1, 0]


def test_code_and_verse_keep_hyphens_and_breaks() -> None:
    for text in ("x = a-\ny = b-\nz = c", "slow, slow-\nly, slow"):
        assert "joint" not in PlainText(text).write(Marker([]), None)


PIECES = st.sampled_from(
    ["boun-", "dary", "\n", "\r\n", " ", "ice", "-", "河", "。", "\u00ad", "1", "A", "\n\n", "well-\nknown "]
)


@given(st.lists(PIECES, max_size=40))
def test_each_block_is_the_stored_text_from_its_start_on_whatever_is_hidden(pieces: list[str]) -> None:
    text = PROSE + "".join(pieces)
    body = body_of(Document("d", "", text), Look((Term("boundary"), Term("ice"), Term("河")), "en"))
    found = re.findall(r'data-start="(\d+)">(.*?)</p>', body.html, re.DOTALL)
    assert found
    for start, html in found:
        shown = unescape(re.sub("<[^>]*>", "", html))
        assert text[int(start) : int(start) + len(shown)] == shown


@given(st.lists(PIECES, max_size=30), st.integers(0, 100), st.integers(1, 30))
def test_places_in_the_joined_text_lead_back_to_the_same_characters(
    pieces: list[str], start: int, size: int
) -> None:
    text = "".join(pieces)
    hidden = hidden_stretches(text, [(0, len(text))])
    joined = Joined(text, hidden)
    here = joined.text[start : start + size]
    if not here:
        return
    (hit,) = joined.original([Hit(start, start + len(here), 0)])
    shown = [
        place for place in range(hit.start, hit.end) if not any(one <= place < end for one, end in hidden)
    ]
    assert "".join(text[place] for place in shown) == here
    assert {hit.start, hit.end - 1} <= set(shown)
