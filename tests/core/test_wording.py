"""Numbers with their nouns, and lists that are cut."""

from __future__ import annotations

from datetime import date

import pytest

from tests.sentences import says
from workbench.core.errors import UnknownName
from workbench.core.wording import as_sentence, counted, day, listed, moment, none_such, sized, weekday


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


def test_days_times_and_bytes_have_one_form() -> None:
    assert [day("2027-03-31"), day("2026-12-01T23:59:59.000+00:00")] == ["31 Mar 2027", "1 Dec 2026"]
    assert [day("soon"), day("")] == ["soon", ""]
    assert weekday(date(2026, 3, 6)) == "Friday, 6 Mar 2026"
    assert moment("2026-01-01T00:30:00.000+01:00") == "31 Dec 2025, 23:30 UTC"
    sizes = (0, 1, 999, 1_000, 999_499, 999_500, 1_250_000_000)
    assert [*map(sized, sizes)] == "0 bytes|1 byte|999 bytes|1 kB|999 kB|1.0 MB|1,250.0 MB".split("|")


def test_a_long_list_is_cut_and_says_how_many_are_left() -> None:
    assert listed(["1", "2", "3"]) == "1, 2, 3"
    assert listed([str(number) for number in range(1, 1008)]) == "1, 2, 3, 4, 5 and 1,002 more"
    assert listed(["a", "b", "c"], shown=1) == "a and 2 more"
    assert [listed(list(names)) for names in ("abcde", "abcdef")] == [
        "a, b, c, d, e",
        "a, b, c, d, e and 1 more",
    ]


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


@pytest.mark.parametrize(
    ("unknown", "known"),
    [
        ("x", []),
        ("x", ["a"]),
        ("x", ["a", "b", "c"]),
        ("bm26", ["bm25"]),
        ("bm26", ["bm25", "bm24"]),
        ("bm26", ["bm25", "bm24", "bm2", "bm"]),
        (["bm26", "y"], ["bm25"]),
        ("", ["a"]),
        ("", []),
    ],
)
def test_names_that_are_not_known_are_answered_with_those_that_are(
    unknown: str | list[str], known: list[str]
) -> None:
    assert says(none_such("run", unknown, known, of="small", shown=2))
