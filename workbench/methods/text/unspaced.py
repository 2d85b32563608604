"""Terms in scripts that write no blanks: Chinese, Japanese, Thai, Lao, Khmer, Burmese and Tibetan.

There are no words to compare, so nothing is cut into words. What a text has in common with a term is marked when it is
long enough to mean something: two characters with a Han character among them, or four characters of a South-East
Asian script in at least three grapheme clusters. A word in katakana is marked as a whole. Terms of the assessor's own
are marked where they stand as written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import regex

from workbench.methods.text.scripts import (
    EAST_ASIAN,
    HAN,
    SOUTH_EAST_ASIAN_CHARACTER,
    UNSPACED_CHARACTER,
    Clusters,
)

SHORTEST_ASIAN = 4  # characters of a South-East Asian script
SHORTEST_CLUSTERS = 3
SEEN = 100  # characters in which SHORTEST_CLUSTERS must begin
ALONE = 3  # a katakana word of fewer characters is marked only where it stands alone

# Written as two characters what is one: voiced kana, characters with a selector of their shape, Thai and Lao AM.
PAIRS = regex.compile(
    r"[\u3040-\u30ff\uff66-\uff9d][\u3099\u309a\uff9e\uff9f]|.[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
    r"|\u0e4d([\u0e48-\u0e4b]?)\u0e32|\u0ecd([\u0ec8-\u0ecb]?)\u0eb2",
    regex.DOTALL,
)
KATAKANA = regex.compile(r"[\p{Katakana}\u30fc]+")
KATAKANA_CHARACTER = regex.compile(r"[\p{Katakana}\u30fc]")
WORD_CHARACTER = regex.compile(rf"[[\p{{L}}\p{{N}}]--[{EAST_ASIAN}]]", regex.V1)
TWO_HAN = regex.compile(r"\p{Han}[^\p{Han}]*+\p{Han}")
BLANK = regex.compile(r"\s+")

# A syllable of Thai or Lao neither ends in a vowel written before its consonant nor begins with one written after it.
LEADING_VOWELS = "เแโใไເແໂໃໄ"
TRAILING_VOWELS = "ะาำๅๆະາຳຽໆ་"
NEVER_LAST = LEADING_VOWELS + "་"
# Thai syllables that make nouns of verbs and adjectives: they are in every sentence.
EMPTY = frozenset("ความ การ เป็น ของ และ ประการ ที่เป็น".split())


class Folded(NamedTuple):
    """A text in one form per character; `places` says where each is in the original (None: at its own place)."""

    text: str
    places: list[int] | None

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The place in the original of a place in the folded text."""
        return (start, end) if self.places is None else (self.places[start], self.places[end])


class _OneForOne(dict[int, int]):
    """Code point to the code point of its usual form, where that is a single one."""

    def __missing__(self, code: int) -> int:
        form = unicodedata.normalize("NFKC", chr(code)).casefold()
        self[code] = ord(form) if len(form) == 1 else code
        return self[code]


ONE_FOR_ONE = _OneForOne()


def fold(text: str) -> Folded:
    """Full width, half width and compatibility forms as usual ones, in small letters, pairs as one character."""
    if not PAIRS.search(text):
        return Folded(text.translate(ONE_FOR_ONE), None)
    parts: list[str] = []
    places: list[int] = []
    done = 0
    for match in PAIRS.finditer(text):
        parts.append(text[done : match.start()].translate(ONE_FOR_ONE))
        places.extend(range(done, match.start()))
        one = _one(match.group())
        parts.append(one)
        places.extend(range(match.start(), match.start() + len(one)))
        done = match.end()
    parts.append(text[done:].translate(ONE_FOR_ONE))
    places.extend(range(done, len(text) + 1))
    return Folded("".join(parts), places)


def _one(pair: str) -> str:
    if pair[0] in "\u0e4d\u0ecd":
        return pair[1:-1] + {"\u0e4d": "\u0e33", "\u0ecd": "\u0eb3"}[pair[0]]
    if pair[1] in "\u3099\u309a\uff9e\uff9f":
        whole = unicodedata.normalize("NFKC", pair)
        return whole if len(whole) == 1 else pair[0].translate(ONE_FOR_ONE)
    return pair[0].translate(ONE_FOR_ONE)


class Runs:
    """Finds terms with characters of these scripts: (index, text, whether it is the assessor's own)."""

    def __init__(self, terms: Sequence[tuple[int, str, bool]]) -> None:
        self._literals: dict[str, int] = {}
        self._phrases: list[tuple[regex.Pattern[str], int]] = []
        pieces: list[tuple[int, str]] = []
        for index, text, own in sorted(terms, key=lambda term: not term[2]):
            plain = fold(text).text.strip().rstrip("*")
            if not plain:
                continue
            if own and BLANK.search(plain):
                words = (regex.escape(word) for word in BLANK.split(plain))
                self._phrases.append((regex.compile(r"[^\p{L}\p{N}]{0,40}".join(words)), index))
            elif own or KATAKANA.fullmatch(plain) or len(plain) == 1:
                self._literals.setdefault(plain, index)
            else:
                pieces.append((index, plain))
        self._shared = _Shared(pieces) if pieces else None

    def found(self, text: str) -> Iterator[tuple[int, int, int]]:
        """(start, end, index of the term) of what to mark, as code points of the text; may overlap."""
        if not (self._literals or self._phrases or self._shared) or not UNSPACED_CHARACTER.search(text):
            return
        plain = fold(text)
        for literal, term in self._literals.items():
            yield from ((*plain.original(*place), term) for place in _places(plain.text, literal))
        for pattern, term in self._phrases:
            yield from ((*plain.original(*match.span()), term) for match in pattern.finditer(plain.text))
        for start, end, term in self._shared.found(plain.text) if self._shared else ():
            yield *plain.original(start, end), term


def _places(text: str, literal: str) -> Iterator[tuple[int, int]]:
    """Where a literal stands, not as a part of a Latin word, or of a katakana word if it is a short one."""
    word_first, word_last = (WORD_CHARACTER.match(literal[end]) is not None for end in (0, -1))
    alone = len(literal) < ALONE and KATAKANA.fullmatch(literal) is not None
    start = text.find(literal)
    while start >= 0:
        end = start + len(literal)
        around = (text[start - 1 : start], text[end : end + 1])
        inside = (word_first and WORD_CHARACTER.match(around[0])) or (
            word_last and WORD_CHARACTER.match(around[1])
        )
        if not inside and not (alone and any(map(KATAKANA_CHARACTER.match, around))):
            yield start, end
        start = text.find(literal, end)


class _Shared:
    """The longest stretches that a text shares with pieces of a topic, by a suffix automaton of the pieces.

    Building it takes time in proportion to the pieces, searching in proportion to the text (Blumer et al., 1985).
    """

    def __init__(self, pieces: Iterable[tuple[int, str]]) -> None:
        self._next: list[dict[str, int]] = [{}]
        self._link = [-1]
        self._length = [0]
        self._end = [0]
        self._pieces: list[tuple[int, int]] = []  # where a piece starts in all of them, the index of its term
        self._piece_at: list[int] = []
        last = 0
        for index, piece in pieces:
            self._pieces.append((len(self._piece_at), index))
            for character in piece + "\0":
                self._piece_at.append(len(self._pieces) - 1)
                last = self._extend(last, character)
        characters = sorted({character for _, piece in pieces for character in piece})
        inside = "".join(map(re.escape, characters))
        self._candidates = re.compile(f"[{inside}]{{2,}}")

    def _extend(self, last: int, character: str) -> int:
        new = self._state(self._length[last] + 1, {}, -1, len(self._piece_at))
        state = last
        while state >= 0 and character not in self._next[state]:
            self._next[state][character] = new
            state = self._link[state]
        if state < 0:
            self._link[new] = 0
            return new
        target = self._next[state][character]
        if self._length[target] == self._length[state] + 1:
            self._link[new] = target
            return new
        clone = self._state(
            self._length[state] + 1, dict(self._next[target]), self._link[target], self._end[target]
        )
        while state >= 0 and self._next[state].get(character) == target:
            self._next[state][character] = clone
            state = self._link[state]
        self._link[target] = self._link[new] = clone
        return new

    def _state(self, length: int, following: dict[str, int], link: int, end: int) -> int:
        self._next.append(following)
        self._link.append(link)
        self._length.append(length)
        self._end.append(end)
        return len(self._next) - 1

    def found(self, text: str) -> Iterator[tuple[int, int, int]]:
        """The stretches worth marking."""
        clusters = Clusters(text)
        for match in self._candidates.finditer(text):
            for end, length, state in _not_inside_others(self._longest(match.group())):
                start, stop = match.start() + end - length, match.start() + end
                piece, term = self._pieces[self._piece_at[self._end[state] - 1]]
                if SOUTH_EAST_ASIAN_CHARACTER.match(text, start):
                    if place := _south_east_asian(text, start, stop, clusters):
                        yield *place, term
                elif _says_something(text, start, stop, from_the_start=self._end[state] - length == piece):
                    yield start, stop, term

    def _longest(self, text: str) -> Iterator[tuple[int, int, int]]:
        """(end, length, state) of each shared stretch of two characters or more that cannot be made longer."""
        state = length = 0
        for place, character in enumerate(text):
            if character not in self._next[state] and length > 1:
                yield place, length, state
            while state > 0 and character not in self._next[state]:
                state = self._link[state]
                length = self._length[state]
            if character in self._next[state]:
                state = self._next[state][character]
                length += 1
            else:
                length = 0
        if length > 1:
            yield len(text), length, state


def _not_inside_others(stretches: Iterable[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    """Without those that a stretch before them overlaps and outweighs: in periodic text that leaves a few of many."""
    last_end = last_length = 0
    for end, length, state in stretches:
        if end - length >= last_end or length > last_length:
            yield end, length, state
            last_end, last_length = end, length


def _says_something(text: str, start: int, end: int, *, from_the_start: bool) -> bool:
    """Whether there are two Han characters, or one that begins the piece (a verb and its ending)."""
    if TWO_HAN.search(text, start, end):
        return True
    return from_the_start and HAN.match(text, start) is not None


def _south_east_asian(text: str, start: int, end: int, clusters: Clusters) -> tuple[int, int] | None:
    """The stretch cut to whole clusters and syllables, if enough of it is left."""
    while start < end and (not clusters.begins(start) or text[start] in TRAILING_VOWELS):
        start += 1
    while start < end and (not clusters.begins(end) or text[end - 1] in NEVER_LAST):
        end -= 1
    if end - start < SHORTEST_ASIAN or (end - start < 10 and text[start:end] in EMPTY):
        return None
    seen = range(start, min(end, start + SEEN))
    return (start, end) if sum(map(clusters.begins, seen)) >= SHORTEST_CLUSTERS else None
