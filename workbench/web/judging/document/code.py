"""Source code as HTML: all its lines as they are stored, each with its number, none of them wrapped; comments and
strings have colours.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from operator import attrgetter
from typing import NamedTuple

from workbench.web.judging.document.blocks import LINE_END, LONGEST_BLOCK, Block, cuts
from workbench.web.judging.document.marking import Marker
from workbench.web.judging.document.plain import PlainText

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
