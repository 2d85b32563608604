"""Plain text in blocks: each is a slice of the stored text, and knows whether its line breaks mean something."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from workbench.web.judging.document.wrapping import Wrapping, looks_like_code

FLOWING, HANGING, LINES, PREFORMATTED = "flowing", "hanging", "lines", "preformatted"

PROSE_FROM = 30
"""Single indented lines begin paragraphs where lines have at least this many characters on average."""

LONGEST_BLOCK = 2_400
"""Longer blocks are cut, so that passages can be distinguished and a browser has a screenful at a time to lay out."""

LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n|\Z)")
INDENTED = re.compile(r"[ \t]{2,}|\t")
CODE = re.compile(r"\s*(?:>>>|(?:async )?def \w+\(|\.\.\. |\$ |[|+][-=|+ ])")
GAP = re.compile(r"\S.*[^\s.!?](?: {3,}|\t)\S")
"""What parts the columns of a table."""

LOGGED = re.compile(
    r"\W{0,2}(?:\d{4}[-/.]\d\d[-/.]\d\d\W?|[A-Z][a-z]{2} [ \d]\d |\d\d[/.-]\w{2,3}[/.-]\d{4}|\d\d:\d\d:\d\d"
    r"|(?:\d{1,3}\.){3}\d{1,3} |(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b)"
)
"""How a line of a log begins: a date, a time, an address, or how serious it is."""

LOG_LINES = 3
"""So many lines in a row that begin so are a log, if they are most."""

SENTENCE_END = re.compile(r"[.!?؟۔।…][\"'”’»)\]]*\s+|[。！？][”’」』）]*|\n")
LINE_END = re.compile(r"\r\n?|\n")
BLANK = re.compile(r"\s+")
JOINERS = "\u200c\u200d"


class Block(NamedTuple):
    """A piece of plain text between blank lines: `text` is what is in the stored text from `start` on.

    `kind` is "flowing" (its line breaks are a word wrap and carry no meaning), "hanging" (the same, with all
    lines but the first indented), "lines" (its line breaks are kept) or "preformatted" (its blanks and line
    breaks are kept, in a fixed-width font). `continued` says that the block before is the beginning of this one.
    """

    kind: str
    start: int
    text: str
    continued: bool = False

    @property
    def end(self) -> int:
        """Where the block ends in the stored text."""
        return self.start + len(self.text)


class _Line(NamedTuple):
    start: int
    text: str
    """The line without the blanks at its end."""


def text_blocks(text: str) -> tuple[Block, ...]:
    """The paragraphs of a plain text, long ones in several blocks.

    >>> [block.kind for block in text_blocks("A title\\nof two lines\\n\\n    indented = 1")]
    ['lines', 'preformatted']
    """
    lines = [_Line(match.start(), match[1].rstrip()) for match in LINE.finditer(text)]
    common = min((_indent(line.text) for line in lines if line.text), default=0)
    paragraphs = [list(group) for is_text, group in groupby(lines, lambda line: bool(line.text)) if is_text]
    parts = [part for paragraph in paragraphs for part in _split_at_indents(paragraph, common)]
    wrapping = Wrapping(text, ([line.text for line in part] for part in parts))
    return tuple(block for part in parts for block in _in_pieces(_block(text, part, common, wrapping)))


def cuts(text: str, longest: int = LONGEST_BLOCK, ends: re.Pattern[str] = SENTENCE_END) -> Iterator[int]:
    """Where to cut a long text: after a sentence (or what else `ends` finds), else at a blank, else anywhere.

    Yields nothing for a text of at most `longest` characters; pieces have between half of that and that many.
    """
    start = 0
    while len(text) - start > longest:
        start = _last_end(text, start + longest // 2, start + longest, ends)
        yield start


def _last_end(text: str, earliest: int, latest: int, ends: re.Pattern[str]) -> int:
    for pattern in (ends, BLANK):
        last = 0
        for match in pattern.finditer(text, earliest, latest):
            last = match.end()
        if last:
            return last
    while latest > earliest and (unicodedata.combining(text[latest]) or text[latest] in JOINERS):
        latest -= 1
    return latest


def _split_at_indents(lines: list[_Line], common: int) -> Iterator[list[_Line]]:
    """The paragraphs of a text that parts them by an indented first line; all lines together if it does not.

    Such lines stand alone, and lines are long on average: code and lists have short ones, or several.
    """
    starts = [place for place, line in enumerate(lines) if place and _indent(line.text) >= common + 2]
    parts = [lines[start:end] for start, end in pairwise([0, *starts, len(lines)])]
    stand_alone = all(len(part) > 1 for part in parts[1:])
    inner = [line.text for part in parts for line in part[:-1]]
    is_log = _is_log([line.text for line in lines])
    is_split = (
        len(parts) > 1 and stand_alone and not is_log and sum(map(len, inner)) >= PROSE_FROM * len(inner)
    )
    yield from parts if is_split else [lines]


def _indent(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip(" "))


def _block(text: str, lines: Sequence[_Line], common: int, wrapping: Wrapping) -> Block:
    kind = _kind([line.text.expandtabs(4)[common:] for line in lines], wrapping)
    start, end = lines[0].start, lines[-1].start + len(lines[-1].text)
    if kind != PREFORMATTED:
        start += len(lines[0].text) - len(lines[0].text.lstrip())
    return Block(kind, start, text[start:end])


def _kind(lines: Sequence[str], wrapping: Wrapping) -> str:
    if (
        any(CODE.match(line) for line in lines)
        or looks_like_code(lines)
        # A quarter of a table's lines has gaps: a single one in a long paragraph is where a formula was.
        or sum(GAP.match(line) is not None for line in lines) * 4 >= len(lines)
        or _is_log(lines)
    ):
        return PREFORMATTED
    is_wrapped = wrapping.holds(lines)
    if is_wrapped and _hangs(lines):
        return HANGING
    # An indented first line over flush ones is how newspapers begin a paragraph; any other indent has a meaning.
    if any(INDENTED.match(line) for line in (lines if len(lines) == 1 else lines[1:])):
        return PREFORMATTED
    return FLOWING if is_wrapped else LINES


def _is_log(lines: Sequence[str]) -> bool:
    count = sum(LOGGED.match(line) is not None for line in lines)
    return count >= LOG_LINES and 2 * count >= len(lines)


def _hangs(lines: Sequence[str]) -> bool:
    """Whether the lines after the first are indented alike, as in a list of definitions."""
    indents = {len(line) - len(line.lstrip(" ")) for line in lines[1:]}
    return len(indents) == 1 and 0 not in indents and not lines[0].startswith(" ")


def _in_pieces(block: Block) -> Iterator[Block]:
    ends = SENTENCE_END if block.kind in (FLOWING, HANGING) else LINE_END
    borders = [0, *cuts(block.text, ends=ends), len(block.text)]
    for start, end in pairwise(borders):
        yield Block(block.kind, block.start + start, block.text[start:end], continued=bool(start))
