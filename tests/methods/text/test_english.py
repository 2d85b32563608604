"""The other spellings and the irregular plurals of English words."""

from __future__ import annotations

import pytest

from workbench.methods.text.relatives import plurals, spellings


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
