"""Texts as vectors of TF-IDF weights, and a checksum of the words that they are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.core.ranking import IntArray
from workbench.methods.text.compared_words import words_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array

LOOKED_AT = 50_000
"""Characters of a text that count, from its beginning: so a long text takes bounded time and memory."""


class WordVectors(NamedTuple):
    """The vectors of n texts, float64 (n, words), each of length 1 or all 0 where a text has no words.

    `checksum` is the SHA-256 of the words and their counts: the same wherever the texts have the same words.
    """

    matrix: csr_array
    checksum: str


def word_vectors(texts: Iterable[str]) -> WordVectors:
    """The vectors of texts, whose words are those of `compared_words`: of Chinese and Thai, the characters.

    Formula: (1 + ln tf) · (1 + ln((1 + n)/(1 + df))), scaled to length 1; df is the number of texts that have the word

    Source: Manning, Raghavan and Schütze, "Introduction to Information Retrieval", 2008, 6.4; ltc with smoothed idf.
    """
    from scipy.sparse import csr_array

    counted = _counted(texts)
    n, words = len(counted.start) - 1, len(counted.words)
    df = np.bincount(counted.word, minlength=words)
    weight = (1 + np.log(counted.number)) * (1 + np.log((1 + n) / (1 + df)))[counted.word]
    row = np.repeat(np.arange(n), np.diff(counted.start))
    length = np.sqrt(np.bincount(row, weight**2, minlength=n))
    cells = weight / length[row], counted.word, counted.start
    return WordVectors(csr_array(cells, shape=(n, words)), counted.checksum)


class _Counted(NamedTuple):
    """The words of all texts in order, and of each text which it has, ascending, and how often; int32 (entries)."""

    words: list[str]
    start: IntArray
    word: IntArray
    number: IntArray

    @property
    def checksum(self) -> str:
        of = sha256("\0".join(self.words).encode("utf-8", "surrogatepass"))
        for array in self[1:]:
            of.update(b"\0" + array.astype("<i8").tobytes())
        return of.hexdigest()


def _counted(texts: Iterable[str]) -> _Counted:
    place: dict[str, int] = {}
    of_texts, numbers, sizes = [], [], [0]
    for text in texts:
        count = Counter(words_of(text[:LOOKED_AT]))
        own = (place.setdefault(word, len(place)) for word in count)
        of_texts.append(np.fromiter(own, np.int32, len(count)))
        numbers.append(np.fromiter(count.values(), np.int32, len(count)))
        sizes.append(len(count))
    words = sorted(place)
    in_order = np.empty(len(words), np.int32)
    in_order[[place[word] for word in words]] = np.arange(len(words))
    for at, number in enumerate(numbers):
        ascending = in_order[of_texts[at]]
        by_word = np.argsort(ascending)
        of_texts[at], numbers[at] = ascending[by_word], number[by_word]
    nothing = np.empty(0, np.int32)
    return _Counted(
        words, np.cumsum(sizes), np.concatenate([nothing, *of_texts]), np.concatenate([nothing, *numbers])
    )
