"""Saying which ids a campaign knows, and what an unknown one was probably meant to be."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from workbench.core.wording import counted

LONGEST_NUMBER = 9
"""Ids of more digits do not count anything; Python refuses to read thousands of them."""


MAPPINGS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("without zeros in front", lambda text: text.lstrip("0") or "0"),
    ("without what follows the last '-'", lambda text: text.rpartition("-")[0]),
    ("without what follows the last '#'", lambda text: text.rpartition("#")[0]),
    ("without what follows the last '_'", lambda text: text.rpartition("_")[0]),
    ("without what follows the last '.'", lambda text: text.rpartition(".")[0]),
    ("without what comes before the last '/'", lambda text: text.rpartition("/")[2]),
    ("without what comes before the last ':'", lambda text: text.rpartition(":")[2]),
    ("in lower case", str.lower),
    ("in upper case", str.upper),
    ("as digits alone", lambda text: re.sub(r"\D", "", text)),
)
"""Ways in which ids of a run differ from those of the collection, from what is seen in submissions."""


def likely_mapping(unknown: Sequence[str], known: Collection[str], share: float = 0.5) -> str | None:
    """A sentence on how most of the unknown ids would become known ones, with an example, or None."""
    for words, change in MAPPINGS:
        changed = [(text, change(text)) for text in unknown]
        found = [(text, new) for text, new in changed if new in known]
        if found and len(found) >= share * len(unknown):
            return f"{found[0][0]!r} would be {found[0][1]!r} {words}"
    return None


def so_many_are(number: int, one: str) -> str:
    """A number with its noun and verb: `1 topic is`, `1,480 topics are`."""
    return counted(number, f"{one} is", f"{one}s are")


def by_position(ids: Collection[str], known: Collection[str], *, what: str = "the run") -> str | None:
    """Words for ids that count 1, 2, 3, ... up to the number of known ones which are named otherwise, or None.

    Old collections exist twice: with their topics' own numbers, and counted by position.
    """
    numbers = {int(text) for text in ids if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER}
    if len(numbers) < len(ids) or not numbers or max(numbers) != len(known) or min(numbers) < 1:
        return None
    return f"topics seem to be counted by position in {what}, from 1 to {len(known)}"
