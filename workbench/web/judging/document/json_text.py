"""Text that is JSON: each member and item on a line of its own, indented by its depth, with its name in bold.

The text stays as it is stored, so that places in it do; only where it stands on the screen changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from json import JSONDecodeError
from typing import NamedTuple

from workbench.formats.text.json_values import loads
from workbench.web.judging.document.blocks import Block, cuts
from workbench.web.judging.document.marking import Marker
from workbench.web.judging.document.plain import PlainText

JSON = "json"
LONGEST = 1_000_000
"""Longer texts are shown as they are written."""

DEEPEST = 12
"""Lines that are nested deeper stand as far in as these."""

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\],]', re.DOTALL)
NAME = re.compile(r'\s*"(?:[^"\\]|\\.)*+"(?=\s*:)', re.DOTALL)
SCALARS = re.compile(r'\[(?:[^"{}\[\]]|"(?:[^"\\]|\\.)*+")*+\]', re.DOTALL)
"""A list of texts and numbers stays in one piece: it may be long."""
EMPTY = re.compile(r"\{\s*\}")


class Line(NamedTuple):
    """A line as it is shown: its place in the text, and how deep it is nested."""

    start: int
    end: int
    depth: int


def is_json(text: str) -> bool:
    """Whether a text is an object or a list in JSON."""
    if text.lstrip()[:1] not in ("{", "[") or len(text) > LONGEST:
        return False
    try:
        loads(text)
    except JSONDecodeError:
        return False
    return True


def json_lines(text: str) -> Iterator[Line]:
    """The lines of a text that is JSON.

    >>> [(text[line.start:line.end], line.depth) for text in ['{"a": [1, 2], "b": {}}'] for line in json_lines(text)]
    [('{', 0), ('"a": [1, 2],', 1), ('"b": {}', 1), ('}', 0)]
    """
    start = at = depth = 0
    while found := TOKEN.search(text, at):
        sign, at = found[0], found.end()
        if sign in "{[":
            if whole := SCALARS.match(text, found.start()) or EMPTY.match(text, found.start()):
                at = whole.end()
                continue
            yield Line(start, at, depth)
            start, depth = at, depth + 1
        elif sign in "}]":
            yield Line(start, found.start(), depth)
            start, depth = found.start(), depth - 1
        elif sign == ",":
            yield Line(start, at, depth)
            start = at
    yield Line(start, len(text), depth)


class JsonText(PlainText):
    """A text in JSON to be shown; it is plain text whose blocks are the lines of `json_lines`."""

    def __init__(self, text: str) -> None:
        self.depths: dict[int, int] = {}
        super().__init__(text)

    def _blocks(self, text: str) -> tuple[Block, ...]:
        found = []
        for line in json_lines(text):
            whole = text[line.start : line.end]
            start = line.start + len(whole) - len(whole.lstrip())
            whole = whole.strip()
            for begin, end in pairwise([0, *cuts(whole), len(whole)] if whole else ()):
                self.depths[start + begin] = min(line.depth, DEEPEST)
                found.append(Block(JSON, start + begin, whole[begin:end], continued=bool(begin)))
        return tuple(found)

    def _element(self, marker: Marker, block: Block) -> str:
        name = None if block.continued else NAME.match(block.text)
        middle = block.start + (name.end() if name else 0)
        bold = f"<b>{marker.write(self.words[block.start : middle], block.start)}</b>" if name else ""
        rest = marker.write(self.words[middle : block.end], middle)
        classes = f"block-json depth-{self.depths[block.start]}"
        return f'<p class="{classes}" dir="auto" data-start="{block.start}">{bold}{rest}</p>'
