"""Numbers with their nouns, and lists that are cut."""

from __future__ import annotations

import pytest

from workbench.core.errors import UnknownName
from workbench.core.wording import as_sentence, counted, listed


@pytest.mark.parametrize(
    ("number", "nouns", "text"),
    [
        (0, ("topic",), "0 topics"),
        (1, ("topic",), "1 topic"),
        (1480, ("judged pair",), "1,480 judged pairs"),
        (1, ("person", "people"), "1 person"),
        (2, ("person", "people"), "2 people"),
    ],
)
def test_a_number_has_its_noun(number: int, nouns: tuple[str, ...], text: str) -> None:
    assert counted(number, *nouns) == text


def test_a_long_list_is_cut_and_says_how_many_are_left() -> None:
    assert listed(["1", "2", "3"]) == "1, 2, 3"
    assert listed([str(number) for number in range(1, 1008)]) == "1, 2, 3, 4, 5 and 1,002 more"
    assert listed(["a", "b", "c"], shown=1) == "a and 2 more"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("topic '7' is closed already", "Topic '7' is closed already."),
        (UnknownName("there is no run 'bm'; did you mean bm25?"), "There is no run 'bm'; did you mean bm25?"),
        ("a run is there. Choose another.", "A run is there. Choose another."),
        ("élan", "Élan."),
        ("AP is no strategy", "AP is no strategy."),
    ],
)
def test_words_become_a_sentence_with_one_mark_at_its_end(words: object, sentence: str) -> None:
    assert as_sentence(words) == sentence
