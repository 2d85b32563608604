"""What is shown with every passage: of a table the row of its column heads, and the row that is begun in; of a
conversation who says it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.web.judging.document.marking import Span
    from workbench.web.judging.document.tokens import Token


LONGEST = 600
"""Rows of more characters than this hold a part of a page, not a line of a table."""


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
            return (
                (row, close[row])
                if row is not None and is_head and _is_short(tokens, row, close[row])
                else None
            )
    return None


def _is_short(tokens: Sequence[Token], first: int, last: int) -> bool:
    length = 0
    for at in range(first, last):
        length += len(tokens[at].text)
        if length > LONGEST:
            return False
    return True
