"""Spellings and plurals of English words, parts of German compounds, and stems."""

from __future__ import annotations

import sys

import pytest

from workbench.methods.text import relatives
from workbench.methods.text.folding import bare
from workbench.methods.text.languages import stop_words
from workbench.methods.text.relatives import holds, lemma, parts, plurals, spellings
from workbench.methods.text.scripts import WORD
from workbench.methods.text.stems import LONGEST, ONLY_ENDINGS, SNOWBALL, Stems


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("man", "men"), ("woman", "women"), ("policeman", "policemen"), ("child", "children"), ("mouse", "mice"),
        ("foot", "feet"), ("tooth", "teeth"), ("goose", "geese"), ("louse", "lice"), ("ox", "oxen"),
        ("person", "people"), ("leaf", "leaves"), ("wolf", "wolves"), ("knife", "knives"), ("life", "lives"),
        ("housewife", "housewives"), ("bookshelf", "bookshelves"), ("criterion", "criteria"),
        ("phenomenon", "phenomena"), ("bacterium", "bacteria"), ("medium", "media"), ("datum", "data"),
        ("fungus", "fungi"), ("stimulus", "stimuli"), ("nucleus", "nuclei"), ("analysis", "analyses"),
        ("crisis", "crises"), ("hypothesis", "hypotheses"), ("index", "indices"), ("matrix", "matrices"),
        ("vertex", "vertices"), ("larva", "larvae"), ("formula", "formulae"), ("genus", "genera"),
        ("corpus", "corpora"), ("plateau", "plateaux"),
    ],
)  # fmt: skip
def test_an_irregular_plural_and_its_singular_lead_to_each_other(one: str, many: str) -> None:
    assert many in plurals(one)
    assert one in plurals(many)


@pytest.mark.parametrize(
    ("word", "another"),
    [
        ("iron", "ira"), ("women", "weman"), ("omen", "oman"), ("bus", "bi"), ("safe", "saves"), ("prices", "prix"),
        ("us", "i"), ("yemen", "yeman"),
    ],
)  # fmt: skip
def test_words_that_only_end_like_such_a_plural_have_no_other_form(word: str, another: str) -> None:
    assert another not in plurals(word)


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("colour", "color"), ("behaviours", "behaviors"), ("organisation", "organization"), ("analysed", "analyzed"),
        ("centre", "center"), ("anaemia", "anemia"), ("oestrogen", "estrogen"), ("travelling", "traveling"),
        ("defence", "defense"), ("catalogue", "catalog"), ("aluminium", "aluminum"), ("grey", "gray"),
    ],
)  # fmt: skip
def test_british_and_american_spellings_lead_to_each_other(british: str, american: str) -> None:
    assert american in spellings(british)
    assert british in spellings(american)


def test_a_word_that_all_spell_alike_has_no_other_spelling() -> None:
    assert spellings("tour") == spellings("prize") == spellings("letter") == frozenset()


@pytest.mark.parametrize(
    ("compound", "expected"),
    [
        ("klimawandel", {"klima", "wandel"}),
        ("krankenversicherung", {"kranken", "versicherung"}),
        ("bundestagswahl", {"bundestags", "wahl"}),
        ("autobahnbrücke", {"autobahn", "brücke"}),
    ],
)
def test_a_compound_has_the_words_it_is_made_of(compound: str, expected: set[str]) -> None:
    assert set(parts(compound)) == expected


@pytest.mark.parametrize("word", ["klima", "musik", "autor", "wissenschaft", "xyzzy", "", "versicherung"])
def test_a_word_of_one_part_has_none(word: str) -> None:
    assert parts(word) == ()


@pytest.mark.parametrize(
    ("compound", "word"),
    [
        ("klimapolitik", "klima"), ("klimawandels", "wandel"), ("krankenversicherungen", "versicherung"),
        ("krankenversicherungsbeitrag", "versicherung"), ("krankenhäuser", "haus"), ("autobahn", "bahn"),
        ("haustür", "haus"),
    ],
)  # fmt: skip
def test_a_word_is_found_inside_a_compound(compound: str, word: str) -> None:
    assert holds(compound, word)


@pytest.mark.parametrize(
    ("compound", "word"),
    [("hausse", "haus"), ("autor", "auto"), ("autonomie", "auto"), ("umwelt", "welt"), ("haus", "haus")],
)
def test_letters_that_only_look_like_a_word_are_none(compound: str, word: str) -> None:
    assert not holds(compound, word)


def test_without_the_dictionary_no_word_is_a_compound_and_each_is_its_own_lemma(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert lemma("häuser") == "haus"
    monkeypatch.setitem(sys.modules, "simplemma", None)
    relatives._known.cache_clear()
    assert parts("klimawandel") == ()
    assert not holds("klimapolitik", "klima")
    assert (lemma("häuser"), lemma("")) == ("häuser", "")
    relatives._known.cache_clear()


def test_a_word_of_three_letters_is_looked_for_in_no_compound() -> None:
    assert holds("rathaus", "haus")
    assert not holds("rathaus", "rat")


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
