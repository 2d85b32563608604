"""Saying which ids a campaign knows, and what an unknown one was probably meant to be."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from workbench.core.normal_forms import normal_form
from workbench.core.wording import counted

LONGEST_NUMBER = 9
"""Ids of more digits do not count anything; Python refuses to read thousands of them."""


def _numbers(text: str) -> list[str]:
    """The numbers in an id, without zeros in front."""
    return [str(int(found)) for found in re.findall("[0-9]+", text) if len(found) <= LONGEST_NUMBER]


def _last_number(text: str) -> str:
    """The last number in an id, without zeros in front; the id where it has none."""
    return (_numbers(text) or [text])[-1]


MAPPINGS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("without zeros in front", lambda text: text.lstrip("0") or "0"),
    ("composed (NFC)", partial(normal_form, "NFC")),
    ("decomposed (NFD)", partial(normal_form, "NFD")),
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

EQUAL_BY: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("with other zeros in front", lambda text: text.lstrip("0") or "0"),
    ("composed otherwise", partial(normal_form, "NFC")),
    ("in another case", str.casefold),
    ("by its number", _last_number),
)
"""Ways in which two ids are written otherwise and mean the same; what the ways make of both is equal."""


def likely_mapping(unknown: Sequence[str], known: Collection[str], share: float = 0.5) -> str | None:
    """A sentence on how most of the unknown ids would become known ones, with an example, or None."""
    for words, change in MAPPINGS:
        changed = [(text, change(text)) for text in unknown]
        found = [(text, new) for text, new in changed if new in known]
        if found and len(found) >= share * len(unknown):
            return f"{found[0][0]!r} would be {found[0][1]!r} {words}"
    return None


class Renaming(NamedTuple):
    """What a file's unknown ids seem to be in the campaign: a sentence with an example, and the new name of each."""

    words: str
    names: Mapping[str, str]


def likely_topics(ids: Collection[str], known: Collection[str], share: float = 0.5) -> Renaming | None:
    """How most of a file's unknown topics would become known ones that it lacks, each another one; None if none does.

    Ids are compared in both directions: 051 for 51 as 51 for 051. Besides, an id may be the beginning of one known id.
    """
    free, there = sorted(set(known).difference(ids)), set(known)
    unknown, inside = [text for text in ids if text not in there], set(free)
    ways: list[tuple[str, Callable[[str], str]]] = [
        *((words, change) for words, change in MAPPINGS if words.startswith("without zeros")),
        *((words, partial(_equal_by, key, _by_key(free, key))) for words, key in EQUAL_BY),
        *MAPPINGS[1:],
        (BEGINNING, partial(_only_beginning, free)),
    ]
    return next((found for way in ways if (found := _renaming(way, unknown, inside, share))), None)


def likely_documents(unknown: Sequence[str], known: Collection[str], share: float = 0.5) -> Renaming | None:
    """The same of documents, of which there may be millions: by MAPPINGS alone."""
    return next((found for way in MAPPINGS if (found := _renaming(way, unknown, known, share))), None)


def _renaming(
    way: tuple[str, Callable[[str], str]], unknown: Sequence[str], known: Collection[str], share: float
) -> Renaming | None:
    words, change = way
    found = {text: new for text in unknown if (new := change(text)) in known}
    if not found or len(found) < share * len(unknown) or len(set(found.values())) < len(found):
        return None  # the last where two ids of the file would become one
    text, new = next(iter(found.items()))
    return Renaming(f"{text!r} would be {new!r} {words}", found)


def _by_key(known: Collection[str], key: Callable[[str], str]) -> dict[str, str]:
    """The known id of each key, where it is the only one."""
    keys = Counter(map(key, known))
    return {found: text for text in known if keys[found := key(text)] == 1}


def _equal_by(key: Callable[[str], str], known: Mapping[str, str], text: str) -> str:
    return known.get(key(text), text)


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
    found = topics_at(ids, sorted(known))
    if found is None or len(known) not in map(int, ids):
        return None
    return f"topics seem to be counted by position in {what}, from 1 to {len(known)}"


def topics_at(ids: Collection[str], ordered: Sequence[str]) -> dict[str, str] | None:
    """The topic at each position that the ids of a run count, from 1; None if they do not.

    Ids that are topics themselves, or have the numbers of topics, count positions only if they reach the last one, and
    some of them are no number of a topic: else 51 is the topic MB051, wherever that stands.
    """
    if not ids or not all(text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER for text in ids):
        return None
    numbers = {text: int(text) for text in ids}
    named = {number for topic_id in ordered for number in _numbers(topic_id)}
    same = [text for text, number in numbers.items() if str(number) in named]
    is_certain = max(numbers.values()) == len(ordered) and len(same) < len(ids)
    if (same and not is_certain) or len(set(numbers.values())) < len(numbers):
        return None
    if not all(1 <= number <= len(ordered) for number in numbers.values()):
        return None
    return {text: ordered[number - 1] for text, number in numbers.items()}
