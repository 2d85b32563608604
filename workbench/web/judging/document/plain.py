"""Plain text as HTML: a paragraph for each block, whose text is the stored text from `data-start` on."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import itemgetter

from workbench.web.judging.document.blocks import FLOWING, HANGING, Block, text_blocks
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
