"""Columns of numbers in the tables of a page, which are shown at the right of their columns."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from workbench.web.judging.document.tokens import CLOSE, OPEN, TEXT, Token

NUMBER = re.compile(r"[~≈<>≤≥(+\-−–$€£¥]{0,3}\s?\d[\d.,'’\s]*+[%‰)]{0,2}[*†]{0,3}")
NOTHING = frozenset({"", "-", "–", "—", "n/a", "N/A", "…"})
"""What a cell without a number holds in a column of numbers."""

FEWEST = 2
"""Numbers that a column has at least."""

LONGEST = 30
"""Characters of a number, and tokens of its cell."""

SPAN = re.compile(r' (col|row)span="([0-9]{1,3})"')


def number_cells(tokens: Sequence[Token], close: Mapping[int, int]) -> frozenset[int]:
    """The opening tags of the cells of all columns that have numbers alone, below their heads or first rows.

    Tables with cells that span rows are left as they are, and so are cells that span columns.
    """
    tables: list[_Table] = []
    found: set[int] = set()
    for place, token in enumerate(tokens):
        if token.source == "table" and token.kind == OPEN:
            tables.append(_Table())
        elif tables and token.source == "table" and token.kind == CLOSE:
            found.update(tables.pop().numbers())
        elif tables and token.kind == OPEN and token.source == "tr":
            tables[-1].begin_row()
        elif tables and token.kind == OPEN and token.source in ("td", "th"):
            tables[-1].put(place, token, _text_of(tokens, place, close.get(place, place)))
    return frozenset(found)


class _Table:
    """The cells of a table by their columns, and whether each is a number: None where it says nothing of that."""

    def __init__(self) -> None:
        self.row, self.column, self.spans_rows = 0, 0, False
        self.cells: defaultdict[int, list[tuple[int, bool | None]]] = defaultdict(list)

    def begin_row(self) -> None:
        self.row, self.column = self.row + 1, 0

    def put(self, place: int, token: Token, text: str) -> None:
        spans = {name: int(number) for name, number in SPAN.findall(token.html)}
        self.spans_rows |= spans.get("row", 1) != 1
        is_number = bool(NUMBER.fullmatch(text))
        is_silent = text in NOTHING or token.source == "th" or (self.row == 1 and not is_number)
        if (wide := spans.get("col", 1)) == 1:
            self.cells[self.column].append((place, None if is_silent else is_number))
        self.column += wide

    def numbers(self) -> list[int]:
        columns = [] if self.spans_rows else self.cells.values()
        return [place for cells in columns if _has_numbers([each for _, each in cells]) for place, _ in cells]


def _has_numbers(cells: Sequence[bool | None]) -> bool:
    return cells.count(True) >= FEWEST and False not in cells


def _text_of(tokens: Sequence[Token], first: int, last: int) -> str:
    """The text of a cell; a longer one than a number is no more than a sign of it."""
    if last - first > LONGEST:
        return "long"
    text = "".join(token.text for token in tokens[first:last] if token.kind == TEXT).strip()
    return text if len(text) <= LONGEST else "long"
