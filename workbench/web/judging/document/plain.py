"""Plain text and source code as HTML.

A plain text is a paragraph for each block, whose text is the stored text from `data-start` on. Code has all its lines
as they are stored, each with its number, none of them wrapped; comments and strings have colours.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import attrgetter, itemgetter
from typing import NamedTuple

from workbench.web.judging.document.blocks import (
    FLOWING,
    HANGING,
    LINE_END,
    LONGEST_BLOCK,
    Block,
    cuts,
    text_blocks,
)
from workbench.web.judging.document.cleaning import NOTHING
from workbench.web.judging.document.direction import main_direction_of
from workbench.web.judging.document.joints import Joined, hidden_stretches
from workbench.web.judging.document.marking import Marker, Span

LONE_RETURN = re.compile(r"&#13;(?!\n)")


class PlainText:
    """A plain text to be shown. `words` is the text as it is stored; `pieces` are its blocks as places in it; `joined`
    is the text as it reads, with words that a line break has parted in one piece, to be searched for terms.
    """

    not_shown: tuple[str, ...] = ()

    def __init__(self, text: str) -> None:
        self.words = text
        self.blocks = self._blocks(text)
        prose = [(block.start, block.end) for block in self.blocks if block.kind in (FLOWING, HANGING)]
        self.hidden = hidden_stretches(text, prose)
        self.joined = Joined(text, self.hidden)
        self.says = NOTHING
        self.direction = main_direction_of(text)
        self.pieces = [(block.start, block.end) for block in self.blocks]

    @property
    def has_content(self) -> bool:
        """Whether there is something to be read."""
        return bool(self.blocks)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to be read."""
        return not self.blocks

    def is_folded(self, place: int) -> bool:
        """Nothing of a plain text is folded."""
        return False

    def write(self, marker: Marker, passage: Span | None, opens_at: int = -1) -> str:
        """The blocks as HTML; those outside the `passage` (first piece, one past the last) in elements of their own."""
        first, past_last = passage or (0, len(self.blocks))
        return "".join(
            (
                _outside(self._written(marker, self.blocks[:first])),
                self._written(marker, self.blocks[first:past_last]),
                _outside(self._written(marker, self.blocks[past_last:])),
            )
        )

    def _written(self, marker: Marker, blocks: Sequence[Block]) -> str:
        return "".join([self._element(marker, block) for block in blocks])

    def _blocks(self, text: str) -> tuple[Block, ...]:
        return text_blocks(text)

    def _element(self, marker: Marker, block: Block) -> str:
        html = "".join(self._parts(marker, block))
        continued = " continued" if block.continued else ""
        if block.kind not in (FLOWING, HANGING) and "&#13;" in html:
            # A browser ends no line at a carriage return alone.
            html = LONE_RETURN.sub("&#13;<br>", html)
        return f'<p class="block-{block.kind}{continued}" dir="auto" data-start="{block.start}">{html}</p>'

    def _parts(self, marker: Marker, block: Block) -> Iterator[str]:
        """The text of a block as HTML, with what is not shown in elements of its own."""
        done = block.start
        for number in range(bisect_left(self.hidden, block.start, key=itemgetter(0)), len(self.hidden)):
            start, end = self.hidden[number]
            if start >= block.end:
                break
            yield marker.write(self.words[done:start], done)
            yield f'<span class="joint">{marker.write(self.words[start:end], start)}</span>'
            done = end
        yield marker.write(self.words[done : block.end], done)


def _outside(html: str) -> str:
    return f'<div class="outside">{html}</div>' if html else ""


BEGINNING = 50_000
"""This many characters of a text tell the sign of its comments."""

DOUBLE = r'(?<!\\)"(?:[^"\\\n]|\\.)*+"'
SINGLE = r"(?<![\w<&\\])'(?:[^'\\\n]|\\.)*+'"  # no apostrophe, and no lifetime of Rust
TRIPLE = r'"{3}(?s:.*?)"{3}' + r"|'{3}(?s:.*?)'{3}"
PREFIXED = r"(?<![\w\\])[bfruBFRU]{1,2}'(?:[^'\\\n]|\\.)*+'"
TEMPLATE = r"(?<!\\)`(?s:[^`\\]|\\.)*+`"
BLOCK = r"/\*(?s:.*?)(?:\*/|\Z)"
DIRECTIVE = r"(?:include|define|undef|if|ifdef|ifndef|else|elif|endif|pragma|error|region|endregion)\b|\["

LANGUAGES = {
    r"(?m)(?:^|(?<=[\s;)}\]]))#[ !#]": (
        rf"(?<![\w$&\\{{(])#(?!{DIRECTIVE}).*",
        f"{TRIPLE}|{DOUBLE}|{SINGLE}|{PREFIXED}",
    ),
    r"(?<!:)//|/\*": (rf"(?<!:)//.*|{BLOCK}", f"{DOUBLE}|{SINGLE}|{TEMPLATE}"),
    r"(?m)(?:^|(?<=\s))--(?:\s|\w)": (rf"(?<!\S)--.*|{BLOCK}", f"{DOUBLE}|{SINGLE}"),
}
"""By the pattern for how comments begin: what is a comment, and what is a string."""

READERS = {
    re.compile(begins): re.compile(f"(?P<comment>{comment})|(?P<string>{string})")
    for begins, (comment, string) in LANGUAGES.items()
}


class Coloured(NamedTuple):
    """A stretch of code that has a colour: where it is, and whether it is a comment or a string."""

    start: int
    end: int
    kind: str


def coloured(text: str) -> Iterator[Coloured]:
    """The comments and strings of a text, ascending."""
    beginning = text[:BEGINNING]
    reader = READERS[max(READERS, key=lambda begins: len(begins.findall(beginning)))]
    for found in reader.finditer(text):
        yield Coloured(found.start(), found.end(), found.lastgroup or "")


CODE = "code"


class Code(PlainText):
    """Source code to be shown; it is plain text whose blocks are lists of lines, whatever is in them."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.direction = "ltr"
        self.coloured = tuple(coloured(text))
        lines = accumulate((len(LINE_END.findall(block.text)) for block in self.blocks), initial=1)
        self.numbers = {block.start: number for block, number in zip(self.blocks, lines, strict=False)}
        """The number of the line that each block begins in, from 1, by the place where it begins."""

    def _blocks(self, text: str) -> tuple[Block, ...]:
        return tuple(_blocks(text)) if text.strip() else ()

    def _element(self, marker: Marker, block: Block) -> str:
        lines = "".join(
            f"<li>{''.join(self._line(marker, line, start))}</li>"
            for start, line in _lines(block.text, block.start)
        )
        continued = " continued" if block.continued else ""
        number = self.numbers[block.start]
        return f'<ol class="block-code{continued}" dir="ltr" data-start="{block.start}" start="{number}">{lines}</ol>'

    def _line(self, marker: Marker, line: str, start: int) -> Iterator[str]:
        done, end = start, start + len(line)
        for place in range(bisect_right(self.coloured, start, key=attrgetter("end")), len(self.coloured)):
            begin, stop, kind = self.coloured[place]
            if begin >= end:
                break
            begin, stop = max(begin, start), min(stop, end)
            yield marker.write(self.words[done:begin], done)
            yield f'<span class="code-{kind}">{marker.write(self.words[begin:stop], begin)}</span>'
            done = stop
        yield marker.write(self.words[done:end], done)


def _blocks(text: str) -> Iterator[Block]:
    """Pieces of whole lines; `continued` is one that begins within a line, which is longer than a piece."""
    start = 0
    for end in (*cuts(text, LONGEST_BLOCK, LINE_END), len(text)):
        yield Block(CODE, start, text[start:end], continued=bool(start) and text[start - 1] not in "\r\n")
        start = end


def _lines(text: str, start: int) -> Iterator[tuple[int, str]]:
    """The lines of a piece, each with the sign that ends it, and where it begins."""
    done = 0
    for end in LINE_END.finditer(text):
        yield start + done, text[done : end.end()]
        done = end.end()
    if done < len(text):
        yield start + done, text[done:]
