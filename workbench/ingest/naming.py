"""Saying which ids a campaign knows, and what an unknown one was probably meant to be."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

SHOWN_IDS = 5


def listed(ids: Sequence[str], shown: int = SHOWN_IDS) -> str:
    """The first few ids, and how many more there are."""
    text = ", ".join(ids[:shown])
    return text if len(ids) <= shown else f"{text} and {len(ids) - shown:,} more"


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
    """How most of the unknown ids would become known ones, in words with an example, or None."""
    for words, change in MAPPINGS:
        changed = [(text, change(text)) for text in unknown]
        found = [(text, new) for text, new in changed if new in known]
        if found and len(found) >= share * len(unknown):
            return f"{found[0][0]!r} would be {found[0][1]!r} {words}"
    return None
