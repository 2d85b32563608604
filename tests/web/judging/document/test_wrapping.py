"""Lines that a word wrap made are told from lines that were meant, whatever the width and the script."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import fill
from time import process_time

import pytest

from tests.web.judging.document.labelled_texts import MEANT, PROSE, STORY
from workbench.web.judging.document import wrapping
from workbench.web.judging.document.blocks import text_blocks
from workbench.web.judging.document.plain import PlainText
from workbench.web.judging.document.wrapping import Wrapping, columns_of


def kinds_of(text: str) -> set[str]:
    return {block.kind for block in text_blocks(text)}


def test_prose_that_was_wrapped_is_joined() -> None:
    assert {name: kinds_of(text) for name, text in PROSE.items()} == {name: {"flowing"} for name in PROSE}


@pytest.mark.parametrize("name", MEANT)
def test_lines_that_were_meant_keep_their_breaks(name: str) -> None:
    """Alone, and amid prose of one width."""
    assert kinds_of(MEANT[name]) <= {"lines", "preformatted"}
    prose = fill(STORY, 64)
    kinds = [block.kind for block in text_blocks(f"{prose}\n\n{MEANT[name]}\n\n{prose}")]
    assert (kinds[0], kinds[-1]) == ("flowing", "flowing")
    assert set(kinds[1:-1]) <= {"lines", "preformatted"}


def test_the_width_of_a_wrap_is_found_and_verse_has_none() -> None:
    for width in range(34, 120, 6):
        lines = fill(STORY * 3, width).split("\n")
        found = Wrapping("", [lines]).width
        assert found is not None
        assert max(map(len, lines)) <= found <= width
    assert Wrapping("", [MEANT["short verse"].split("\n") * 3]).width is None


def test_columns_count_wide_characters_twice_and_combining_ones_not() -> None:
    assert [columns_of(line) for line in ("abc", "河水", "e\u0301")] == [3, 4, 1]


def seconds(piece: str, length: int) -> float:
    """The time of the processor that the layout of so long a text takes."""
    text = piece * (length // len(piece))
    start = process_time()
    PlainText(text)
    return process_time() - start


@pytest.mark.parametrize(
    "piece",
    [fill(STORY, 40) + "\n\n", "boun-\ndary ", "- \n", "x" * 99 + "\n", "\n\t\t", "河水\n", "a. b; {\n"],
)
def test_four_times_the_text_costs_about_four_times_as_much(piece: str) -> None:
    seconds(piece, 5_000)  # what is remembered of languages is there then
    small, large = (min(seconds(piece, length) for _ in range(2)) for length in (10_000, 40_000))
    assert large < 10 * small + 0.02  # it would be 16 times as much if it grew with the square


def told(is_so: Callable[[list[str]], bool], *texts: str) -> list[bool]:
    """What is found of texts, whose lines stand between bars; 9*x are nine lines of x."""
    found = []
    for text in texts:
        lines: list[str] = []
        for part in text.split("|"):
            times, star, line = part.rpartition("*")
            lines += [line] * (int(times) if star else 1)
        found.append(is_so(lines))
    return found


def test_two_lines_of_code_are_code_if_they_are_half_of_all() -> None:
    assert all(told(wrapping.looks_like_code, "x = 1|y = 2", "x = 1|ice|y = 2|snow"))
    assert not any(told(wrapping.looks_like_code, "x = 1", "x = 1|ice|y = 2|snow|rain"))


def test_lines_of_mail_headers_logs_and_lists_begin_by_themselves() -> None:
    are = ("> ice|snow", "From: Ben|snow", "1 ice|2 snow|3 rain", "9*1 ice|snow")
    lists = ("- ice|snow|rain|fog|hail|dew|- frost", "ice|- snow|- rain|fog|hail|dew")
    assert all(told(wrapping._begin_by_themselves, *are, *lists))
    are_not = ("> ice|snow|rain", "From: Ben|snow|rain", "1 ice|2 snow", "8*1 ice|2*snow", "- ice|snow")
    assert not any(told(wrapping._begin_by_themselves, *are_not, "ice|- snow|- rain|fog|hail|dew|frost"))


def test_verse_ends_its_lines_with_signs_or_begins_them_with_capitals() -> None:
    is_verse = wrapping._is_verse
    assert all(
        told(is_verse, "Ice lies|Snow falls|Rain goes", "9*Ice|snow", "ice,|snow,|rain|fog", "3*ice,|3*fog")
    )
    assert not any(told(is_verse, "Ice lies|Snow falls", "ICE lies|SNOW he|RAIN go", "8*Ice|2*snow"))
    assert not any(told(is_verse, "ice,|snow,|rain", "2*ice,|4*fog", "ice-|snow-|rain-|fog"))


def test_a_width_is_known_from_so_many_breaks_on_if_it_explains_nearly_all() -> None:
    full, short = "i" * 40, "i " * 10 + "n"
    breaks = wrapping.BREAKS
    assert wrapping._width_of([[full] * breaks]) is None
    assert wrapping._width_of([[full] * (breaks + 1)]) == 40
    odd = int((1 - wrapping.EXPLAINED) * 100)
    assert wrapping._width_of([[full] * (100 - odd + 1), *([[short, "it"]] * odd)]) == 40
    assert wrapping._width_of([[full] * (100 - odd), *([[short, "it"]] * (odd + 1))]) is None


def line(columns: int, last: str = "river") -> str:
    """A line of so many columns that ends with a word."""
    return f"{'i' * (columns - len(last) - 1)} {last}"


@pytest.mark.parametrize(
    ("lines", "goes_on"),
    [([line(29, "the"), "snow"], False), ([line(30, "the"), "snow"], True),
     ([line(30, "the"), "Snow"], False), ([line(30, "the."), "snow"], False), ([line(30), "snow"], False),
     ([line(30, "the"), line(18, "the"), "snow"], True), ([line(30, "the"), line(17, "the"), "snow"], False),
     ([line(39), "snow"], False), ([line(40), "snow"], True), ([line(40), line(40), "snow"], False),
     ([line(40), line(40, "the"), "snow"], True), ([line(40).upper(), "12"], False),
     ([line(30, "the"), *[line(30)] * 4, "snow"], True), ([line(30, "the"), *[line(30)] * 5, "snow"], False),
     ([*[line(40, "the")] * 3, *[line(40, "the.")] * 2, "snow"], True),
     ([*[line(40, "the")] * 2, *[line(40, "the.")] * 3, "snow"], False)],
)  # fmt: skip
def test_short_lines_are_prose_where_sentences_go_on_over_their_breaks(
    lines: list[str], goes_on: bool
) -> None:
    text = "The ice of the river and the snow of the winter lie on the land, and the people walk on it."
    assert Wrapping(text, [])._breaks_sentences(lines) is goes_on
