"""Words are compared without case, punctuation, blanks and forms of letters, and known by their places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.methods.text.compared_words import placed_words, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []), ("The frozen, RIVER!", ["the", "frozen", "river"]), ("Straße", ["strasse"]),
        ("snake_case don't 1,480", ["snake", "case", "don", "t", "1", "480"]), ("$5 €5", ["$5", "€5"]),
        ("co\u00adoperate", ["cooperate"]), ("ﬁne ½", ["fine", "1", "2"]), ("東京tower", ["東", "京", "tower"]),
        ("กิน", ["ก", "\u0e34", "น"]), ("हिन्दी में", ["हिन्दी", "में"]),
        ("cafe\u0301 café", ["café", "café"]),
    ],
)  # fmt: skip
def test_words_are_folded(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_words_have_the_places_of_the_text_as_it_is() -> None:
    assert list(placed_words("«Co\u00adop» 東京, ﬁn\u200b")) == [
        ("coop", 1, 6), ("東", 8, 9), ("京", 9, 10), ("fin", 12, 15),
    ]  # fmt: skip
    assert list(placed_words("\ufeff \u00ad a")) == [("a", 4, 5)]


@given(st.text())
def test_places_are_ascending_and_inside_the_text(text: str) -> None:
    places = [place for word in placed_words(text) for place in word[1:]]
    assert places == sorted(places)
    assert all(0 <= place <= len(text) for place in places)
    assert all(word.word and word.start < word.end for word in placed_words(text))
