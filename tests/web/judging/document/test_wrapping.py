"""Lines that a word wrap made are told from lines that were meant, whatever the width and the script."""

from __future__ import annotations

from textwrap import fill
from time import process_time

import pytest

from tests.web.judging.document.labelled_texts import MEANT, PROSE, STORY
from workbench.web.judging.document import wrapping
from workbench.web.judging.document.blocks import text_blocks
from workbench.web.judging.document.plain import PlainText
from workbench.web.judging.document.wrapping import Wrapping, columns_of


@pytest.mark.parametrize("name", PROSE)
def test_prose_that_was_wrapped_is_joined(name: str) -> None:
    assert {block.kind for block in text_blocks(PROSE[name])} == {"flowing"}


@pytest.mark.parametrize("name", MEANT)
def test_lines_that_were_meant_keep_their_breaks(name: str) -> None:
    assert {block.kind for block in text_blocks(MEANT[name])} <= {"lines", "preformatted"}


@pytest.mark.parametrize("name", MEANT)
def test_lines_that_were_meant_keep_their_breaks_amid_prose_of_one_width(name: str) -> None:
    prose = fill(STORY, 64)
    kinds = [block.kind for block in text_blocks(f"{prose}\n\n{MEANT[name]}\n\n{prose}")]
    assert (kinds[0], kinds[-1]) == ("flowing", "flowing")
    assert set(kinds[1:-1]) <= {"lines", "preformatted"}


@pytest.mark.parametrize("width", range(34, 120, 6))
def test_the_width_of_a_wrap_is_found(width: int) -> None:
    lines = fill(STORY * 3, width).split("\n")
    found = Wrapping("", [lines]).width
    assert found is not None
    assert max(map(len, lines)) <= found <= width


def test_verse_has_no_width() -> None:
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
    seconds(piece, 10_000)  # what is remembered of languages is there then
    small, large = (min(seconds(piece, length) for _ in range(2)) for length in (20_000, 80_000))
    assert large < 10 * small + 0.02  # it would be 16 times as much if it grew with the square


@pytest.mark.parametrize(
    ("lines", "is_code"),
    [
        (["x = 1"], False),
        (["x = 1", "y = 2"], True),
        (["x = 1", "ice", "y = 2", "snow"], True),
        (["x = 1", "ice", "y = 2", "snow", "rain"], False),
    ],
)
def test_two_lines_of_code_are_code_if_they_are_half_of_all(lines: list[str], is_code: bool) -> None:
    assert wrapping.looks_like_code(lines) is is_code


@pytest.mark.parametrize(
    ("lines", "by_themselves"),
    [
        (["> ice", "snow"], True),
        (["> ice", "snow", "rain"], False),
        (["From: Ben", "snow"], True),
        (["From: Ben", "snow", "rain"], False),
        (["1 ice", "2 snow"], False),
        (["1 ice", "2 snow", "3 rain"], True),
        (["1 ice"] * 9 + ["snow"], True),
        (["1 ice"] * 8 + ["snow"] * 2, False),
        (["- ice", "snow"], False),
        (["- ice", "snow", "rain", "fog", "hail", "dew", "- frost"], True),
        (["ice", "- snow", "- rain", "fog", "hail", "dew"], True),
        (["ice", "- snow", "- rain", "fog", "hail", "dew", "frost"], False),
    ],
)
def test_lines_of_mail_headers_logs_and_lists_begin_by_themselves(
    lines: list[str], by_themselves: bool
) -> None:
    assert wrapping._begin_by_themselves(lines) is by_themselves


@pytest.mark.parametrize(
    ("lines", "is_verse"),
    [
        (["Ice lies", "Snow falls"], False),
        (["Ice lies", "Snow falls", "Rain goes"], True),
        (["ICE lies", "SNOW he", "RAIN go"], False),
        (["Ice"] * 9 + ["snow"], True),
        (["Ice"] * 8 + ["snow"] * 2, False),
        (["ice,", "snow,", "rain"], False),
        (["ice,", "snow,", "rain", "fog"], True),
        (["ice,", "snow,", "rain,", "fog", "dew", "hail"], True),
        (["ice,", "snow,", "rain", "fog", "dew", "hail"], False),
        (["ice-", "snow-", "rain-", "fog"], False),
    ],
)
def test_verse_ends_its_lines_with_signs_or_begins_them_with_capitals(
    lines: list[str], is_verse: bool
) -> None:
    assert wrapping._is_verse(lines) is is_verse


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
    [
        ([line(29, "the"), "snow"], False),
        ([line(30, "the"), "snow"], True),
        ([line(30, "the"), "Snow"], False),
        ([line(30, "the."), "snow"], False),
        ([line(30), "snow"], False),
        ([line(30, "the"), line(18, "the"), "snow"], True),
        ([line(30, "the"), line(17, "the"), "snow"], False),
        ([line(39), "snow"], False),
        ([line(40), "snow"], True),
        ([line(40), line(40), "snow"], False),
        ([line(40), line(40, "the"), "snow"], True),
        ([line(40).upper(), "12"], False),
        ([line(30, "the"), *[line(30)] * 4, "snow"], True),
        ([line(30, "the"), *[line(30)] * 5, "snow"], False),
        ([*[line(40, "the")] * 3, *[line(40, "the.")] * 2, "snow"], True),
        ([*[line(40, "the")] * 2, *[line(40, "the.")] * 3, "snow"], False),
    ],
)
def test_short_lines_are_prose_where_sentences_go_on_over_their_breaks(
    lines: list[str], goes_on: bool
) -> None:
    text = "The ice of the river and the snow of the winter lie on the land, and the people walk on it."
    assert Wrapping(text, [])._breaks_sentences(lines) is goes_on
