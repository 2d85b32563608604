"""Where words are in a text of any script: with blanks between them, or runs without.

Every class of characters here is one string for `regex` (version 1 of its syntax), so that sets can be subtracted.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import regex

EAST_ASIAN = r"\p{Han}\p{Hiragana}\p{Katakana}\u30fc\uff70\u3099\u309a\uff9e\uff9f"
SOUTH_EAST_ASIAN = r"\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}"
UNSPACED = EAST_ASIAN + SOUTH_EAST_ASIAN

# What belongs to the character before it (marks, joiners, selectors): a word goes on through these.
FOLLOWS = r"\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}"
INSIDE = rf"\p{{L}}\p{{M}}\p{{N}}\u00ad\u200c{FOLLOWS}"

# Hangul is a word apart from the Latin letters and digits it is attached to: "AI가" is AI and its particle.
WORD = regex.compile(
    r"[A-Za-z0-9]++(?![^\x00-\x7f])"  # most words of most texts, found fast
    rf"|[[\p{{L}}\p{{N}}]--[{UNSPACED}\p{{Hangul}}{FOLLOWS}]][[{INSIDE}]--[{UNSPACED}\p{{Hangul}}]]*+"
    rf"|[\p{{Hangul}}--{FOLLOWS}][\p{{Hangul}}{FOLLOWS}]*+",
    regex.V1,
)
RUN = regex.compile(rf"[[{UNSPACED}]&&[\p{{L}}\p{{M}}\p{{N}}\u0f0b]][{UNSPACED}{FOLLOWS}]*+", regex.V1)
# What may be between two words of a phrase; a blank line ends the paragraph and with it the phrase.
BETWEEN = regex.compile(r"(?:(?!\n\s*\n)[^\p{L}\p{N}])*+", regex.V1)
WORD_OR_RUN = regex.compile(rf"(?P<word>{WORD.pattern})|(?P<run>{RUN.pattern})", regex.V1)

HAN = regex.compile(r"\p{Han}", regex.V1)
KANA = regex.compile(r"[\p{Hiragana}\p{Katakana}]", regex.V1)
HANGUL = regex.compile(r"\p{Hangul}", regex.V1)
UNSPACED_CHARACTER = regex.compile(rf"[{UNSPACED}]", regex.V1)
SOUTH_EAST_ASIAN_CHARACTER = regex.compile(rf"[{SOUTH_EAST_ASIAN}]", regex.V1)

_LAST_SIMPLE = "\u02ff"  # up to here every character but a line break is a cluster by itself
_MAY_BE_ONE = regex.compile(
    rf"\p{{GCB=Prepend}}.|\p{{GCB=L}}\p{{Hangul}}|[{FOLLOWS}][\p{{L}}\p{{Extended_Pictographic}}]"
    rf"|.[{FOLLOWS}\p{{GCB=L}}\p{{GCB=V}}\p{{GCB=T}}\p{{GCB=RI}}]",
    regex.V1 | regex.DOTALL,
)


class Clusters:
    """Where the grapheme clusters of a text begin; found when they are needed, which is seldom."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._bounds: list[int] | None = None

    def begins(self, place: int) -> bool:
        """Whether a cluster begins here, or the text ends."""
        bounds = self._all()
        return bounds[bisect_left(bounds, place)] == place

    def widened(self, start: int, end: int) -> tuple[int, int]:
        """The place widened to whole clusters, so that no mark is torn from its letter."""
        if self._doubtful(start):
            start = self._all()[bisect_right(self._all(), start) - 1]
        if self._doubtful(end):
            end = self._all()[bisect_left(self._all(), end)]
        return start, end

    def _doubtful(self, place: int) -> bool:
        """Whether the characters before and after the place may be one cluster."""
        text = self._text
        if not 0 < place < len(text) or (text[place] <= _LAST_SIMPLE and text[place - 1] <= _LAST_SIMPLE):
            return False
        return _MAY_BE_ONE.match(text, place - 1) is not None

    def _all(self) -> list[int]:
        if self._bounds is None:
            self._bounds = [match.start() for match in regex.finditer(r"\X", self._text)]
            self._bounds.append(len(self._text))
        return self._bounds
