"""Preferences between documents make grades."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.core.battles import BOTH_BAD, FIRST, SECOND, TIE
from workbench.methods.battles.grades import graded
from workbench.methods.pairing import Answered

SAYS = {">": FIRST, "<": SECOND, "=": TIE, "0": BOTH_BAD}


def answers(text: str) -> list[Answered]:
    """`a>b` is one answer: a is preferred; `=` is a tie, `0` says that both are bad."""
    return [Answered(word[0], word[2], SAYS[word[1]], f"n{n}") for n, word in enumerate(text.split())]


@pytest.mark.parametrize(
    ("said", "grades", "unlike"),
    [
        ("", {}, 0),
        ("a>b b>c a>c", {"a": 3, "b": 2, "c": 1}, 0),
        ("a>b b>c a=d", {"a": 3, "b": 2, "c": 1, "d": 3}, 0),
        ("a>b a>b a<b", {"a": 2, "b": 1}, 0),  # most say so
        ("a>b a<b b>c", {"a": 1, "b": 2, "c": 1}, 0),  # undecided
        ("a>b a<b a=b a=b", {"a": 1, "b": 1}, 0),
        ("a>b b>c a<c c>d", {"a": 2, "b": 2, "c": 2, "d": 1}, 3),  # a cycle
        ("a=b b=c a>c", {"a": 2, "b": 1, "c": 1}, 1),  # ties that a preference contradicts do not count
        ("a0b c>a c>d", {"a": 0, "b": 0, "c": 2, "d": 1}, 0),
        ("a0b b>c c>d e>f", {"a": 0, "b": 2, "c": 1, "d": 0, "e": 2, "f": 1}, 1),  # worse than bad is bad
        ("a0b a=c", {"a": 0, "b": 0, "c": 0}, 0),
    ],
)
def test_grades_are_chains_of_preferences_and_bad_documents_have_0(
    said: str, grades: dict[str, int], unlike: int
) -> None:
    assert graded(answers(said)) == (grades, unlike)


def test_the_lowest_levels_are_merged_and_stay_above_0() -> None:
    assert graded(answers("a>b b>c c>d d>e e0f"), 2) == ({"a": 2, "b": 1, "c": 1, "d": 1, "e": 0, "f": 0}, 2)


def drawn(seed: int) -> list[Answered]:
    """Some pairs of eight documents, each answered once; seed by seed more of them."""
    rng = np.random.default_rng(seed)
    pairs = [(a, b) for a in "abcdefgh" for b in "abcdefgh" if a < b and rng.random() < 0.2 + seed % 5 / 8]
    said = rng.choice([FIRST, SECOND, TIE, BOTH_BAD], len(pairs), p=[0.6, 0.15, 0.15, 0.1])
    return [Answered(*pair, str(each), "n") for pair, each in zip(pairs, said, strict=True)]


@pytest.mark.parametrize("seed", range(60))
def test_each_preference_is_kept_unless_preferences_lead_back(seed: int) -> None:
    given = drawn(seed)
    grades = graded(given)[0]
    over = {(each.first, each.second) for each in given if each.preference == FIRST}
    over |= {(each.second, each.first) for each in given if each.preference == SECOND}
    reached = set(over)
    for middle in "abcdefgh":
        reached |= {(a, c) for a, b in reached if b == middle for d, c in reached if d == middle}
    for a, b in over:
        assert (grades[a] > grades[b]) == ((b, a) not in reached)
        assert grades[a] >= grades[b]


@pytest.mark.parametrize("seed", range(20))
def test_other_names_and_another_order_of_answers_change_nothing(seed: int) -> None:
    given, rng = drawn(seed), np.random.default_rng(seed)
    names = dict(zip("abcdefgh", map(str, rng.permutation(8)), strict=True))
    turned = {FIRST: SECOND, SECOND: FIRST}
    renamed = []
    for each in given:
        first, second = names[each.first], names[each.second]
        if first < second:
            renamed.append(Answered(first, second, each.preference, "n"))
        else:
            renamed.append(Answered(second, first, turned.get(each.preference, each.preference), "n"))
    grades, unlike = graded(given)
    found, other = graded([renamed[n] for n in rng.permutation(len(renamed))])
    assert (found, other) == ({names[each]: grade for each, grade in grades.items()}, unlike)
