from __future__ import annotations

import pytest

from workbench.methods.text.folding import bare, folded


@pytest.mark.parametrize(
    ("word", "language", "form"),
    [
        ("STRASSE", "de", "strasse"),
        ("Straße", "de", "strasse"),
        ("ﬁnance", "en", "finance"),
        ("ＡＩ", "ja", "ai"),
        ("İstanbul", "tr", "istanbul"),
        ("ISPARTA", "tr", "ısparta"),
        ("İstanbul", "en", "istanbul"),
        ("e\u0301te\u0301", "fr", "été"),
        ("مجـــلس", "ar", "مجلس"),
        ("co\u00adop", "en", "coop"),
        ("كتابي", "fa", "کتابی"),
    ],
)
def test_folded_words_keep_their_accents(word: str, language: str, form: str) -> None:
    assert folded(word, language) == form


@pytest.mark.parametrize(
    ("word", "language", "form"),
    [
        ("été", "fr", "ete"),
        ("hår", "sv", "hår"),
        ("idé", "sv", "ide"),
        ("hår", "en", "har"),
        ("ma", "vi", "ma"),
        ("má", "vi", "má"),
        ("łódź", "pl", "lodz"),
        ("κλίμα", "el", "κλιμα"),
        ("كُرْدِسْتَان", "ar", "كردستان"),
        ("أحمد", "ar", "احمد"),
        ("שָׁלוֹם", "he", "שלומ"),
        ("हिन्दी", "hi", "हिन्दी"),
        ("क़लम", "hi", "कलम"),
        ("가격", "ko", "가격"),
    ],
)
def test_bare_words_lose_accents_and_points_but_no_letters_of_their_own(
    word: str, language: str, form: str
) -> None:
    assert bare(folded(word, language), language) == form
