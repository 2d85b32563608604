"""Text of other people inside Markdown: it stays text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

MEANS_SOMETHING = re.compile(r"([\\`*_{}\[\]<>#|~&$])")


def plain(text: str) -> str:
    """A text on one line in which no sign means anything to Markdown."""
    return MEANS_SOMETHING.sub(r"\\\1", " ".join(text.split()))


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table; cells are Markdown already."""
    yield "| " + " | ".join(heads) + " |\n"
    yield "|" + " --- |" * len(heads) + "\n"
    for row in rows:
        yield "| " + " | ".join(row) + " |\n"
