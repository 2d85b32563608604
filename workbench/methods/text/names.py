"""Names in the title of a topic that are written with words which otherwise say nothing: US, The Who, New York, May."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

LONGEST_ACRONYM = 5

# Small words of English that begin names wherever they stand; others do only inside a sentence.
BEGINNINGS = frozenset("new old great high long big little first second third last good".split())

# Small words of English that are common in texts: in small letters they are not the name. The others ("uk", "ai") are.
COMMON = frozenset(
    "act all am an and any are as at be but by can did do for get go had has he her him his how if in is it its let "
    "may me my no not now of off on one or our out own per she so the to too two up us was way we who why will".split()
)


class Piece(NamedTuple):
    """A word of a title, or several that are one name, and whether it is a name that capitals tell."""

    text: str
    is_name: bool


def is_acronym(word: str) -> bool:
    """Whether a word is an acronym, in a text that is not all in capitals."""
    return word.isupper() and word.isalpha() and 2 <= len(word) <= LONGEST_ACRONYM


def pieces(words: Sequence[str], small: Collection[str]) -> list[Piece]:
    """The words of an English title with names joined; `small` are the words that say nothing, in small letters.

    A capitalised small word is taken for a name, with the capitalised words behind it, where it begins names ("New
    York") or stands inside a title that is written like a sentence ("albums by The Who", "elections in May").
    """
    sentence = any(word[:1].islower() and word not in small for word in words)
    found: list[Piece] = []
    place = 0
    while place < len(words):
        end = _end_of_name(words, place, small)
        begins = words[place].lower() in BEGINNINGS and end - place > 1
        if end > place and (begins or (sentence and place > 0)):
            found.append(Piece(" ".join(words[place:end]), is_name=True))
            place = end
        else:
            found.append(Piece(words[place], is_name=False))
            place += 1
    return found


def _end_of_name(words: Sequence[str], place: int, small: Collection[str]) -> int:
    """Where capitalised small words end that start here, with the first other capitalised word behind them."""
    end = place
    while end < len(words) and _is_capitalised(words[end]) and words[end].lower() in small:
        end += 1
    if end > place and end < len(words) and _is_capitalised(words[end]):
        end += 1
    return end


def _is_capitalised(word: str) -> bool:
    return word[:1].isupper() and word[1:].islower()
