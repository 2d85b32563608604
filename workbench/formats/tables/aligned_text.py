"""Tables as plain text, for pipes and files: the first column to the left, the others to the right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

GAP = "  "


def aligned(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    """The lines of a table with its columns below one another; every line has as many cells."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for first, *others in lines:
        cells = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        yield GAP.join([first.ljust(widths[0]), *cells]).rstrip() + "\n"
