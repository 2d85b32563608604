"""Saying which ids a campaign knows, and what an unknown one was probably meant to be."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple

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


class TopicMapping(NamedTuple):
    """What a run's unknown topics seem to be in the campaign: a sentence with an example, and the topic of each id."""

    words: str
    topics: Mapping[str, str]


def likely_topics(unknown: Sequence[str], known: Collection[str], share: float = 0.5) -> TopicMapping | None:
    """How most of the unknown topic ids would become known ones, each another one; None if there is no such way.

    Besides MAPPINGS, an id may be the beginning of one known id alone.
    """
    ordered = sorted(known)
    ways: list[tuple[str, Callable[[str], str]]] = [*MAPPINGS, (BEGINNING, partial(_only_beginning, ordered))]
    for words, change in ways:
        found = {text: new for text in unknown if (new := change(text)) in known}
        if len(found) > len(set(found.values())):  # two topics of the run would become one
            continue
        if found and len(found) >= share * len(unknown):
            text, new = next(iter(found.items()))
            return TopicMapping(f"{text!r} would be {new!r} {words}", found)
    return None


BEGINNING = "as the only topic that begins with it"


def _only_beginning(ordered: Sequence[str], text: str) -> str:
    """The one id of the sorted ones that begins with a text, else the text."""
    place = bisect_left(ordered, text)
    found = [known for known in ordered[place : place + 2] if known.startswith(text)]
    return found[0] if len(found) == 1 else text


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


def topics_at(ids: Collection[str], ordered: Sequence[str]) -> dict[str, str] | None:
    """The topic at each position that the ids of a run count, from 1; None if they do not.

    Ids of which some are topics themselves count positions only if they reach the last one.
    """
    if not all(text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER for text in ids):
        return None
    numbers = {text: int(text) for text in ids}
    inside = all(1 <= number <= len(ordered) for number in numbers.values())
    is_certain = max(numbers.values(), default=0) == len(ordered) or not set(ordered).intersection(ids)
    if not inside or not is_certain or len(set(numbers.values())) < len(numbers):
        return None
    return {text: ordered[number - 1] for text, number in numbers.items()}
