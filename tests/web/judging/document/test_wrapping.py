"""Lines that a word wrap made are told from lines that were meant, whatever the width and the script."""

from __future__ import annotations

from textwrap import fill
from time import process_time

import pytest

from tests.web.judging.document.labelled_texts import MEANT, PROSE, STORY
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
