"""Text of other people inside Markdown and HTML: it stays text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

MEANS_SOMETHING = re.compile(r"([\\`*_{}\[\]<>#|~&$])")


def plain(text: str) -> str:
    """A text on one line in which no sign means anything to Markdown."""
    return MEANS_SOMETHING.sub(r"\\\1", " ".join(text.split()))


def html_page(template: Path, **content: object) -> str:
    """One page with its style inside, to be sent and opened anywhere; the template escapes what it shows."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(template.read_text(encoding="utf-8")).render(content)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table; cells are Markdown already."""
    yield "| " + " | ".join(heads) + " |\n"
    yield "|" + " --- |" * len(heads) + "\n"
    for row in rows:
        yield "| " + " | ".join(row) + " |\n"
