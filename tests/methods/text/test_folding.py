"""Words are folded, separated and compared without case, punctuation and forms of letters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.methods.text.compared_words import placed_words, words_of
from workbench.methods.text.folding import bare, folded
from workbench.methods.text.scripts import WORD_OR_RUN, Clusters


@pytest.mark.parametrize(
    ("word", "language", "form"),
    [
        ("STRASSE", "de", "strasse"), ("Straße", "de", "strasse"), ("ﬁnance", "en", "finance"),
        ("ＡＩ", "ja", "ai"), ("İstanbul", "tr", "istanbul"), ("ISPARTA", "tr", "ısparta"),
        ("İstanbul", "en", "istanbul"), ("e\u0301te\u0301", "fr", "été"), ("مجـــلس", "ar", "مجلس"),
        ("co\u00adop", "en", "coop"), ("كتابي", "fa", "کتابی"),
    ],
)  # fmt: skip
def test_folded_words_keep_their_accents(word: str, language: str, form: str) -> None:
    assert folded(word, language) == form


@pytest.mark.parametrize(
    ("word", "language", "form"),
    [
        ("été", "fr", "ete"), ("hår", "sv", "hår"), ("idé", "sv", "ide"), ("hår", "en", "har"),
        ("ma", "vi", "ma"), ("má", "vi", "má"), ("łódź", "pl", "lodz"), ("κλίμα", "el", "κλιμα"),
        ("كُرْدِسْتَان", "ar", "كردستان"), ("أحمد", "ar", "احمد"), ("שָׁלוֹם", "he", "שלומ"),
        ("हिन्दी", "hi", "हिन्दी"), ("क़लम", "hi", "कलम"), ("가격", "ko", "가격"),
    ],
)  # fmt: skip
def test_bare_words_lose_accents_and_points_but_no_letters_of_their_own(
    word: str, language: str, form: str
) -> None:
    assert bare(folded(word, language), language) == form


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("state-of-the-art", "state of the art"), ("l'eau d’Évian", "l eau d Évian"),
        ("snake_case 3.5", "snake case 3 5"), ("हिन्दी में", "हिन्दी में"), ("العَرَبِيَّة", "العَرَبِيَّة"),
        ("שָׁלוֹם צה״ל", "שָׁלוֹם צה ל"), ("AI가 2010년", "AI 가 2010 년"), ("AIと気候、K팝", "AI と気候 K 팝"),
        ("e\u0301te\u0301", "e\u0301te\u0301"), ("naïve1", "naïve1"),
    ],
)  # fmt: skip
def test_words_and_runs_are_distinguished(text: str, words: str) -> None:
    assert [match.group() for match in WORD_OR_RUN.finditer(text)] == words.split()


@pytest.mark.parametrize(
    ("text", "place", "wide"),
    [
        ("abc", (1, 2), (1, 2)), ("ae\u0301b", (0, 2), (0, 3)), ("ae\u0301b", (2, 4), (1, 4)),
        ("\u06001 ", (1, 2), (0, 2)), ("\u1100\uac00", (0, 1), (0, 2)), ("क्ष", (0, 1), (0, 3)),
    ],
)  # fmt: skip
def test_places_are_widened_to_whole_clusters(
    text: str, place: tuple[int, int], wide: tuple[int, int]
) -> None:
    assert Clusters(text).widened(*place) == wide


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
