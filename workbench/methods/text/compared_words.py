"""The words of a text as two texts are compared: without case, punctuation, blanks, and compatibility forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from unicodedata import category

import numpy as np
from numpy.typing import NDArray

from workbench.core.normal_forms import normal_form

REMEMBERED_WORDS = 2**16

WITHOUT_SPACES = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1950-\u19ff\u1a20-\u1aaf\u3005-\u3007\u3031-\u3035\u3040-\u30ff"
    "\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua9e0-\ua9ff\uaa60-\uaadf"
    "\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
"""Thai, Lao, Myanmar, Khmer, Tai Le, New Tai Lue, Tai Tham, kana, Bopomofo, Han and Yi: scripts without blanks
between words. Each of their characters counts as a word.
"""

WORD = re.compile(f"[{WITHOUT_SPACES}]|[^\\s{WITHOUT_SPACES}]+")


MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
"""An odd number without pattern (2**64 divided by the golden ratio)."""


class PlacedWord(NamedTuple):
    """A word as it is compared, and the code points of the text where it stands."""

    word: str
    start: int
    end: int


class _Letters(dict[int, int | str | None]):
    """A table for `str.translate`, filled as characters are met: letters, marks, digits and signs of currencies
    stay, all else becomes a blank, and invisible characters of format (soft hyphens, joiners, marks of
    direction) stay or vanish.
    """

    def __init__(self, *, invisible: bool) -> None:
        self.invisible = invisible

    def __missing__(self, code: int) -> int | str | None:
        kind = category(chr(code))
        if kind == "Cf":
            self[code] = code if self.invisible else None
        else:
            self[code] = code if kind[0] in "LMN" or kind == "Sc" else " "
        return self[code]


_SEEN = _Letters(invisible=False)
_PLACED = _Letters(invisible=True)


def words_of(text: str) -> list[str]:
    """The words of a text, folded.

    >>> words_of("The “Ｈouse”,\\n of cards… 東京")
    ['the', 'house', 'of', 'cards', '東', '京']
    """
    folded = normal_form("NFKC", normal_form("NFKC", text).casefold())
    return WORD.findall(folded.translate(_SEEN))


def placed_words(text: str) -> Iterator[PlacedWord]:
    """The words of a text with their places in it.

    >>> list(placed_words("Of *cards*"))
    [PlacedWord(word='of', start=0, end=2), PlacedWord(word='cards', start=4, end=9)]
    """
    for found in WORD.finditer(text.translate(_PLACED)):
        word = _folded_word(found[0])
        if word:
            yield PlacedWord(word, found.start(), found.end())


def runs_of(words: NDArray[np.uint64], length: int) -> NDArray[np.uint64]:
    """A hash of each run of `length` words that stand together, from the words' numbers; shape (runs,)."""
    count = max(0, len(words) - length + 1)
    hashes = np.zeros(count, np.uint64)
    for place in range(length):
        hashes *= MULTIPLIER  # wraps around, as is meant
        hashes += words[place : place + count]
    return hashes


@lru_cache(REMEMBERED_WORDS)
def _folded_word(word: str) -> str:
    return "".join(words_of(word))
