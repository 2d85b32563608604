from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.methods.text.scripts import Clusters
from workbench.methods.text.unspaced import Runs, _Shared, _south_east_asian, fold


def test_folding_keeps_every_place() -> None:
    folded = fold("ｶﾞ＋葛\U000e0100城A")
    assert folded.text == "ガ+葛城a"
    assert [folded.original(place, place + 1) for place in range(5)] == [
        (0, 2), (2, 3), (3, 5), (5, 6), (6, 7),
    ]  # fmt: skip
    assert fold("気候 Wandel").places is None


def test_terms_are_found_over_blanks_and_in_part_and_short_katakana_words_alone() -> None:
    assert list(Runs([(3, "气候变化", False), (7, "社会变化", False)]).found("变化")) == [(0, 2, 3)]
    runs = Runs([(0, "气候 变化", True)])
    assert list(runs.found("气候变化,气候 (变化),气变")) == [(0, 4, 0), (5, 11, 0)]
    assert list(Runs([(0, "パリ", False)]).found("パリとサンパリ")) == [(0, 2, 0)]


@pytest.mark.parametrize("nothing", ["", " ", "*", " ** "])
def test_a_term_without_a_character_is_found_nowhere(nothing: str) -> None:
    assert list(Runs([(0, nothing, True), (1, nothing, False)]).found("气候 变化*")) == []
    assert list(Runs([(0, nothing, True), (1, "变化", True)]).found("气候 变化*")) == [(3, 5, 1)]


def longest_shared(text: str, piece: str) -> set[tuple[int, int]]:
    """The stretches of two characters or more that the text shares with a piece, not inside one another."""
    shared = {
        (start, end)
        for start in range(len(text))
        for end in range(start + 2, len(text) + 1)
        if text[start:end] in piece
    }
    return {(a, b) for a, b in shared if not any(c <= a and b <= d and (a, b) != (c, d) for c, d in shared)}


@given(text=st.text("国人口水", max_size=20), piece=st.text("国人口水", min_size=2, max_size=12))
def test_what_is_found_is_shared_and_nothing_longer_is(text: str, piece: str) -> None:
    found = {(start, end) for start, end, _ in Runs([(0, piece, False)]).found(text)}
    shared = longest_shared(text, piece)
    assert found <= shared
    for start, end in shared - found:
        assert any(a < end and start < b and b - a >= end - start for a, b in found)


def words(longest: int) -> list[str]:
    """All words of the letters a and b of up to so many letters."""
    return ["".join(letters) for size in range(longest + 1) for letters in product("ab", repeat=size)]


def test_the_automaton_knows_what_stands_in_its_pieces_and_nothing_else() -> None:
    for pieces in [*((piece,) for piece in words(6)[3:]), *product(words(2)[3:], words(3)[3:])]:
        shared = _Shared(list(enumerate(pieces)))
        known = {word for word in words(5) if _state_of(shared, word) is not None}
        assert known == {word for word in words(5) if any(word in piece for piece in pieces)}, pieces


def _state_of(shared: _Shared, word: str) -> int | None:
    state: int | None = 0
    for letter in word:
        state = None if state is None else shared._next[state].get(letter)
    return state


def test_shared_stretches_end_where_they_cannot_go_on() -> None:
    for piece, text in product(words(4)[7:], words(5)):
        expected = []
        for end in range(1, len(text) + 1):
            length = max(size for size in range(end + 1) if text[end - size : end] in piece)
            if length > 1 and (end == len(text) or text[end - length : end + 1] not in piece):
                expected.append((end, length))
        found = _Shared([(0, piece)])._longest(text)
        assert [(end, length) for end, length, _ in found] == expected, (piece, text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ประเทศ", "ประเทศ"),
        ("ะประเทศ", "ประเทศ"),  # a vowel that is written after its consonant begins nothing
        ("ประเทศเ", "ประเทศ"),  # and one that is written before it ends nothing
        ("ะาประเทศเแ", "ประเทศ"),
        ("ความ", None),  # in every sentence
        ("ประการ", None),
        ("กา", None),
        ("ะะะ", None),
        ("", None),
    ],
)
def test_a_thai_stretch_is_cut_to_whole_syllables(text: str, found: str | None) -> None:
    place = _south_east_asian(text, 0, len(text), Clusters(text))
    assert (place and text[slice(*place)]) == found
