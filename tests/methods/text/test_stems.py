from __future__ import annotations

import pytest

from workbench.methods.text.folding import bare
from workbench.methods.text.languages import stop_words
from workbench.methods.text.scripts import WORD
from workbench.methods.text.stems import LONGEST, ONLY_ENDINGS, SNOWBALL, Stems


def test_a_stem_has_no_ending_where_there_is_a_stemmer() -> None:
    assert Stems("en").stem("Universities") == Stems("en").stem("university")
    assert Stems("en").of_text("a" * (LONGEST + 1)) == set()
    assert Stems("xx").of_text("words") == {"words"}
    assert [language for language in ("he", "xx", *SNOWBALL) if not Stems(language).known] == ["xx"]


@pytest.mark.parametrize(
    ("language", "term", "words"),
    [
        ("ar", "مناخ", "المناخ والمناخ بالمناخ للمناخ ومناخ"),
        ("he", "האקלים", "אקלים האקלים באקלים ובאקלים"),
        ("he", "ספר", "והספרים"),
    ],
)
def test_words_of_a_text_are_known_without_their_prefixes(language: str, term: str, words: str) -> None:
    stems = Stems(language)
    assert [word for word in words.split() if not stems.of_text(word) & stems.of_term(term)] == []


@pytest.mark.parametrize(
    ("word", "in_term", "in_text"),
    [
        ("הים", {"הים"}, {"הים", "ים"}),  # of a term three letters have to be left, of a text two
        ("הספר", {"הספר", "ספר"}, {"הספר", "ספר"}),
        ("ובספר", {"ובספר", "בספר"}, {"ובספר", "בספר", "ספר"}),
        ("ובים", {"ובים", "בים"}, {"ובים", "בים"}),  # of two prefixes more than two letters have to be left
        ("ספרים", {"ספרים", "ספר"}, {"ספרים", "ספר"}),
        ("גמים", {"גמים"}, {"גמים"}),  # four letters have no ending of the plural
        ("ספריי", {"ספריי", "ספרי"}, {"ספריי", "ספרי"}),
        ("אביי", {"אביי"}, {"אביי"}),
    ],
)
def test_a_hebrew_word_has_these_forms(word: str, in_term: set[str], in_text: set[str]) -> None:
    assert Stems("he").of_term(word) == {bare(form, "he") for form in in_term}
    assert Stems("he").of_text(word) == {bare(form, "he") for form in in_text}


@pytest.mark.parametrize("language", sorted(ONLY_ENDINGS))
def test_stems_begin_as_their_words_do(language: str) -> None:
    stems = Stems(language)
    words = [word for word in stop_words(language) if WORD.fullmatch(word)]
    otherwise = {
        word for word in words for stem in stems.of_text(word) if bare(word, language)[:2] != stem[:2]
    }
    assert otherwise <= {
        "اخبار",
        "اخبارها",
        "lla",
        "ssa",
    }  # an irregular plural, and endings that are listed as words
