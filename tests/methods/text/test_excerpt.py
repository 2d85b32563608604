"""Excerpts show the words that were searched for, and nothing that a terminal obeys."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workbench.methods.text.compared_words import words_of
from workbench.methods.text.passage import LENGTH, excerpt_of


def shown(text: str, query: str, length: int = LENGTH) -> str:
    return "".join(
        f"[{part.text}]" if part.found else part.text for part in excerpt_of(text, words_of(query), length)
    )


def test_the_part_with_most_of_the_words_is_shown() -> None:
    text = (
        "A river. "
        + "Nothing here at all. " * 20
        + "The bank of the river Rhine froze. "
        + "More of it. " * 20
    )
    assert shown(text, "rhine river bank", 40) == "… The [bank] of the [river] [Rhine] froze. More of …"


def test_a_short_text_is_shown_whole() -> None:
    assert shown("Rivers\n\n  and a Rhine.", "rhine") == "Rivers and a [Rhine]."


def test_a_text_without_the_words_begins_at_its_start() -> None:
    assert shown("one two three", "four") == "one two three"


def test_words_are_told_apart_whatever_their_case_and_diacritics_in_any_script() -> None:
    assert shown("Le CAFÉ noir", "cafe") == "Le [CAFÉ] noir"
    assert shown("في كِتَاب النهر", "كتاب") == "في [كِتَاب] النهر"
    assert shown("我在东京住", "东京") == "我在[东][京]住"


def test_what_a_terminal_obeys_is_a_blank() -> None:
    assert shown("a\x1b[31m river", "river") == "a [31m [river]"
    assert all(part.text.isprintable() for part in excerpt_of("a\x1b[31m \u2028river\u202e x", ["river"]))


@given(st.text(max_size=400), st.lists(st.text(max_size=10), max_size=3), st.integers(1, 200))
def test_any_text_has_an_excerpt_of_what_is_in_it(text: str, words: list[str], length: int) -> None:
    parts = excerpt_of(text, [word for each in words for word in words_of(each)], length)
    said = "".join(part.text for part in parts).removeprefix("… ").removesuffix(" …")
    plain = "".join(each if each.isprintable() else " " for each in text)
    assert "".join(said.split()) in "".join(plain.split())
    assert all(part.text.isprintable() for part in parts)
