"""The tokens of cleaned HTML, tags and stretches of text, and what they are parts of.

Of a table the row of its column heads is shown with every passage, and columns of numbers at the right; of a
conversation who says it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

TEXT, OPEN, CLOSE, ALONE = "text", "open", "close", "alone"

NUMBER = re.compile(r"[~≈<>≤≥(+\-−–$€£¥]{0,3}\s?\d[\d.,'’\s]*+[%‰)]{0,2}[*†]{0,3}")
NOTHING = frozenset({"", "-", "–", "—", "n/a", "N/A", "…"})
"""What a cell without a number holds in a column of numbers."""

FEWEST_NUMBERS = 2
"""Numbers that a column has at least."""

LONGEST_NUMBER = 30
"""Characters of a number, and tokens of its cell."""

SPAN = re.compile(r' (col|row)span="([0-9]{1,3})"')

LONGEST_LINE = 600
"""Rows of more characters than this hold a part of a page, not a line of a table."""

Span = tuple[int, int]


class Token(NamedTuple):
    """A tag, or a stretch of text that is at `start` of the words."""

    kind: str
    name: str
    html: str
    text: str = ""
    start: int = 0
    source: str = ""
    """The tag's name in the page itself."""
    role: str = ""
    """What the page says of the element: its role, or "hidden"."""


def heads_around(tokens: Sequence[Token], close: Mapping[int, int], place: int) -> list[Span]:
    """First and last token of the heads of all tables and messages around a token, and of the row around it."""
    within = [at for at in range(place) if at in close and close[at] > place]
    headers = [at + 1 for at in within if is_message(tokens, at)]
    said = [at for at in headers if _is_short(tokens, at, close[at])]
    around = [at for at in within if tokens[at].source in ("table", "tr")]
    rows = [at for at in around[-1:] if tokens[at].source == "tr" and _is_short(tokens, at, close[at])]
    heads = [_head_of(tokens, close, at) for at in around if tokens[at].source == "table"]
    return [*((at, close[at]) for at in (*said, *rows)), *(span for span in heads if span is not None)]


def is_message(tokens: Sequence[Token], place: int) -> bool:
    """Whether a section begins with a header that begins in bold, as those of conversations do."""
    return [token.source for token in tokens[place : place + 3]] == ["section", "header", "b"]


def speaker_of(tokens: Sequence[Token], place: int) -> str:
    """Who says a message: the words in bold that it begins with."""
    return tokens[place + 3].text.strip() if place + 3 < len(tokens) else ""


def _head_of(tokens: Sequence[Token], close: Mapping[int, int], table: int) -> Span | None:
    """The `thead` of a table, else its first row if that has only cells of heads; None without either."""
    row = None
    for at in range(table + 1, close[table]):
        source = tokens[at].source
        if source in ("thead", "tr") and tokens[at].kind == "open" and row is None:
            row = at
        if source == "td" or (source in ("thead", "tr") and tokens[at].kind == "close"):
            is_head = row is not None and (tokens[row].source == "thead" or source != "td")
            if row is not None and is_head and _is_short(tokens, row, close[row]):
                return (row, close[row])
            return None
    return None


def _is_short(tokens: Sequence[Token], first: int, last: int) -> bool:
    length = 0
    for at in range(first, last):
        length += len(tokens[at].text)
        if length > LONGEST_LINE:
            return False
    return True


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
        found = []
        for cells in columns:
            numbers = [is_number for _, is_number in cells]
            if numbers.count(True) >= FEWEST_NUMBERS and False not in numbers:
                found += [place for place, _ in cells]
        return found


def _text_of(tokens: Sequence[Token], first: int, last: int) -> str:
    """The text of a cell; a longer one than a number is no more than a sign of it."""
    if last - first > LONGEST_NUMBER:
        return "long"
    text = "".join(token.text for token in tokens[first:last] if token.kind == TEXT).strip()
    return text if len(text) <= LONGEST_NUMBER else "long"
