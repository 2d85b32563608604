"""Where the lines of wrapped prose meet: what of a line break, and of a hyphen before it, is not to be seen.

Nothing is taken out of a text. A browser shows a line break in prose as a blank; the stretches found here are in the
page without being shown, so that a word that a break has parted is whole, and a script without blanks gets none.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from workbench.methods.text.compared_words import WITHOUT_SPACES
from workbench.methods.text.languages import language_of_text, stop_words
from workbench.methods.text.matching import Hit

Span = tuple[int, int]

BREAK = re.compile(r"(?:\r\n|\r|\n)[ \t]*+")
UNSPACED = re.compile(f"[{WITHOUT_SPACES}\u3001-\u3003\u3008-\u301b\uff01-\uff0f\uff1a-\uff20]")
WORD = re.compile(r"[^\W\d_]++(?:[-‐][^\W\d_]++)*+")
PART = re.compile(r"[^\W\d_]++")
LAST_PART = re.compile(r"[^\W\d_]+$")
IN_ADDRESSES = tuple("/.@_=&?#%\\~")
"""Signs before a part of an address or a path, whose hyphens always stay."""

HYPHENS, SOFT_HYPHEN = "-‐", "\u00ad"

LONGEST_PART = 40
"""Letters of a part of a word; what is longer is no word that a wrap has parted."""

BEGINNING = 4_000

SUSPENDING = frozenset("and or to nor und oder bis et ou ni e o y u og och eller en of i lub albo".split())
"""Words after a hyphen that waits for the second part of a compound, as in "pre- and post-war"."""


class _Broken(NamedTuple):
    """A word with a hyphen and a line break in it: its parts, and the stretch from the hyphen to the second part."""

    first: str
    second: str
    start: int
    end: int


def hidden_stretches(text: str, prose: Iterable[Span]) -> list[Span]:
    """The stretches of a text that are not shown: ascending, within the blocks of `prose`. Linear in the text.

    A hyphen before a break goes if the word is known without it, or if its parts are not both known as words: to the
    text, where no break parts them, or as small words of its language. "well-/known" keeps it, "boun-/dary" does not.
    """
    broken: list[_Broken] = []
    hidden: list[Span] = []
    for start, end in prose:
        for match in BREAK.finditer(text, start, end):
            _look_at(text, match.span(), hidden, broken)
    if broken:
        known = _Known(text, broken)
        hidden += [(word.start + (not known.is_one_word(word)), word.end) for word in broken]
        hidden.sort()
    return hidden


class Joined:
    """A text without its hidden stretches, for the search of terms, and the way back to places in the text."""

    def __init__(self, text: str, hidden: Sequence[Span]) -> None:
        borders = [0, *(border for span in hidden for border in span), len(text)]
        self.text = "".join(text[start:end] for start, end in zip(borders[::2], borders[1::2], strict=True))
        lengths = [0, *accumulate(end - start for start, end in hidden)]
        self._lengths = lengths
        self._places = [start - before for (start, _), before in zip(hidden, lengths, strict=False)]

    def original(self, hits: Sequence[Hit]) -> list[Hit]:
        """The hits at their places in the whole text."""
        return [
            Hit(
                hit.start + self._lengths[bisect_right(self._places, hit.start)],
                hit.end + self._lengths[bisect_left(self._places, hit.end)],
                hit.term,
            )
            for hit in hits
        ]


def _look_at(text: str, at: Span, hidden: list[Span], broken: list[_Broken]) -> None:
    """Sort one line break: hidden where no blank belongs, or perhaps with the hyphen before it, or neither."""
    start, end = at
    before, after = text[start - 1 : start], text[end : end + 1]
    is_inside_a_word = before == SOFT_HYPHEN and after.isalpha()
    if is_inside_a_word or (UNSPACED.match(before) and UNSPACED.match(after)):
        hidden.append(at)
    elif before and before in HYPHENS and after.isalnum() and text[start - 2 : start - 1].isalnum():
        first = LAST_PART.search(text[max(0, start - 1 - LONGEST_PART) : start - 1])
        second = PART.match(text, end, end + LONGEST_PART)
        if second and second[0].casefold() in SUSPENDING:
            return
        is_of_an_address = (
            first is not None and text[start - 2 - len(first[0]) : start - 1 - len(first[0])] in IN_ADDRESSES
        )
        if first and second and not is_of_an_address and _may_be_one(first[0], second[0]):
            broken.append(_Broken(first[0], second[0], start - 1, end))
        else:
            hidden.append(at)


def _may_be_one(first: str, second: str) -> bool:
    """Whether two parts can be those of one word by their letters: "Navier-/Stokes" and "e-/mail" cannot."""
    return len(first) > 1 and (second[0].islower() or (first.isupper() and second.isupper()))


class _Known:
    """The words that a text, where no break parts them, and its language know."""

    def __init__(self, text: str, broken: Sequence[_Broken]) -> None:
        parted = {word.start for word in broken} | {word.end for word in broken}
        self.words, self.compounds = Counter[str](), Counter[str]()
        self.small = stop_words(language_of_text(text[:BEGINNING]))
        for match in WORD.finditer(text):
            if match.start() not in parted and match.end() not in parted:
                parts = match[0].casefold().replace("‐", "-").split("-")
                self.words.update(parts)
                self.compounds.update(map("-".join, pairwise(parts)))

    def is_one_word(self, word: _Broken) -> bool:
        first, second = word.first.casefold(), word.second.casefold()
        whole, compound = self.words[first + second], self.compounds[f"{first}-{second}"]
        if whole != compound:
            return whole > compound
        if first + second in self.small:
            return True
        return not all(part in self.words or part in self.small for part in (first, second))
