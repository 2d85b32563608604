"""Lines that are made while they are read."""

from __future__ import annotations

from collections.abc import Generator

from workbench.formats.text.generated import LINES_AT_ONCE, GeneratedFile


def numbered(count: int, made: list[int]) -> Generator[bytes]:
    try:
        for number in range(count):
            made.append(number)
            yield b"%d\n" % number
    finally:
        made.append(-1)


def test_the_bytes_are_those_of_the_lines_in_pieces_of_at_most_the_size_asked_for() -> None:
    lines = GeneratedFile(numbered(2 * LINES_AT_ONCE + 1, []))
    pieces = []
    while piece := bytes(lines.read(7)):
        pieces.append(piece)
    assert b"".join(pieces) == b"".join(numbered(2 * LINES_AT_ONCE + 1, []))
    assert max(len(piece) for piece in pieces) == 7
    assert bytes(lines.read(7)) == b""


def test_no_more_lines_are_made_than_are_soon_read() -> None:
    made: list[int] = []
    lines = GeneratedFile(numbered(10 * LINES_AT_ONCE, made))
    assert made == []
    assert bytes(lines.read(4)) == b"0\n1\n"
    assert made == list(range(LINES_AT_ONCE))


def test_what_makes_the_lines_ends_as_the_file_is_closed() -> None:
    made: list[int] = []
    lines = GeneratedFile(numbered(10 * LINES_AT_ONCE, made))
    lines.read(4)
    lines.close()
    assert made[-1] == -1
