"""What docs/use/formats.md says that files are refused with is in the words of the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain, pairwise

import pytest

from tests.conftest import ROOT

PAGE = ROOT / "docs" / "use" / "formats.md"
VALUE = re.compile(r"…|\d[\d,]*")
"""What stands for a value on the page, and for one that is put in where the code makes a sentence."""

Pairs = set[tuple[str, str]]


def shown_messages() -> list[str]:
    """All messages in the first cells of the tables of messages."""
    tables = re.findall(r"^\| message \|.*\n((?:\|.*\n)+)", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    cells = [row.split(" | ")[0] for table in tables for row in table.splitlines()[1:]]
    return [message for cell in cells for message in re.findall(r"`([^`]+)`", cell)]


def pairs(text: str) -> Pairs:
    """Each two words that follow each other with no value between them."""
    pieces = [[word.strip(",;:.()") for word in piece.split()] for piece in VALUE.split(text)]
    return {pair for piece in pieces for pair in pairwise(piece) if all(pair)}


def texts(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "…" for part in node.values]
            yield "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@cache
def in_the_code() -> Pairs:
    rooms = (ROOT / "workbench" / room for room in ("core", "formats", "campaign", "cli"))
    files = chain.from_iterable(room.rglob("*.py") for room in rooms)
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in files)
    return {pair for tree in trees for text in texts(tree) for pair in pairs(text)}


@pytest.mark.parametrize("message", shown_messages())
def test_a_message_on_the_page_of_formats_is_in_the_words_of_the_code(message: str) -> None:
    assert len(pairs(message) - in_the_code()) <= 1, (
        "of two texts that are put together, the place is no pair"
    )


def test_another_word_is_noticed() -> None:
    assert (
        len(pairs("this is not UTF-8 (byte … is …); read as …: turn it into UTF-8 if wrong") - in_the_code())
        > 1
    )
