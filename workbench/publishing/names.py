"""Names that leave a campaign: of files that any system can keep, and of people who stay unnamed."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

LONGEST = 80
"""Characters of a name that a file's name keeps; with a number before it, it stays one of its own."""


def file_name(name: str) -> str:
    """A name as a part of a file's name: nothing in it leads out of a folder or means something to a shell.

    Letters and digits of any script stay; everything else but `.`, `-` and `_` is written as in addresses (%2F).
    """
    safe = "".join(
        letter if letter.isalnum() or letter in ".-_" else quote(letter, safe="", errors="replace")
        for letter in name
    )[:LONGEST]
    return safe if safe.strip(".") else safe.replace(".", "%2E")


def numbered_names(names: Iterable[str], ending: str) -> list[str]:
    """A file's name for each name, in order, with a number before it: `001-bm25.run`.

    The numbers tell apart what some systems do not (BM25 and bm25), and keep the order.
    """
    listed = list(names)
    width = max(3, len(str(len(listed))))
    return [f"{number:0{width}}-{file_name(name)}{ending}" for number, name in enumerate(listed, start=1)]


def pseudonyms(people: Iterable[str]) -> dict[str, str]:
    """A name for each of these people that says only their place among them: assessor-1, assessor-2 ..."""
    return {person: f"assessor-{place}" for place, person in enumerate(people, start=1)}
