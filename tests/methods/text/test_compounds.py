"""German compounds: their parts, and whether a word stands in one."""

from __future__ import annotations

import pytest

from workbench.methods.text.relatives import holds, parts


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
        ("klimapolitik", "klima"),
        ("klimawandels", "wandel"),
        ("krankenversicherungen", "versicherung"),
        ("krankenversicherungsbeitrag", "versicherung"),
        ("krankenhäuser", "haus"),
        ("autobahn", "bahn"),
        ("haustür", "haus"),
    ],
)
def test_a_word_is_found_inside_a_compound(compound: str, word: str) -> None:
    assert holds(compound, word)


@pytest.mark.parametrize(
    ("compound", "word"),
    [("hausse", "haus"), ("autor", "auto"), ("autonomie", "auto"), ("umwelt", "welt"), ("haus", "haus")],
)
def test_letters_that_only_look_like_a_word_are_none(compound: str, word: str) -> None:
    assert not holds(compound, word)


def test_a_word_of_three_letters_is_looked_for_in_no_compound() -> None:
    assert holds("rathaus", "haus")
    assert not holds("rathaus", "rat")
