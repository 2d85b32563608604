"""Where words are in a text of any script: with blanks between them, or runs without.

Every class of characters here is one string for `regex` (version 1 of its syntax), so that sets can be subtracted.
"""

from __future__ import annotations

import regex

EAST_ASIAN = r"\p{Han}\p{Hiragana}\p{Katakana}\u30fc\uff70\u3099\u309a\uff9e\uff9f"
SOUTH_EAST_ASIAN = r"\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}"
UNSPACED = EAST_ASIAN + SOUTH_EAST_ASIAN

# What belongs to the character before it (marks, joiners, selectors): a word goes on through these.
FOLLOWS = r"\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}"
INSIDE = rf"\p{{L}}\p{{M}}\p{{N}}\u00ad\u200c{FOLLOWS}"

# Hangul is a word apart from the Latin letters and digits it is attached to: "AI가" is AI and its particle.
WORD = regex.compile(
    r"[A-Za-z0-9]++(?![^\x00-\x7f])"  # most words of most texts, told fast
    rf"|[[\p{{L}}\p{{N}}]--[{UNSPACED}\p{{Hangul}}{FOLLOWS}]][[{INSIDE}]--[{UNSPACED}\p{{Hangul}}]]*+"
    rf"|[\p{{Hangul}}--{FOLLOWS}][\p{{Hangul}}{FOLLOWS}]*+",
    regex.V1,
)
RUN = regex.compile(rf"[[{UNSPACED}]&&[\p{{L}}\p{{M}}\p{{N}}\u0f0b]][{UNSPACED}{FOLLOWS}]*+", regex.V1)
# What may stand between two words of a phrase; a blank line ends the paragraph and with it the phrase.
BETWEEN = regex.compile(r"(?:(?!\n\s*\n)[^\p{L}\p{N}])*+", regex.V1)
WORD_OR_RUN = regex.compile(rf"(?P<word>{WORD.pattern})|(?P<run>{RUN.pattern})", regex.V1)

HAN = regex.compile(r"\p{Han}", regex.V1)
KANA = regex.compile(r"[\p{Hiragana}\p{Katakana}]", regex.V1)
HANGUL = regex.compile(r"\p{Hangul}", regex.V1)
UNSPACED_CHARACTER = regex.compile(rf"[{UNSPACED}]", regex.V1)
SOUTH_EAST_ASIAN_CHARACTER = regex.compile(rf"[{SOUTH_EAST_ASIAN}]", regex.V1)

_FOLLOWING = regex.compile(rf"[{FOLLOWS}]*+", regex.V1)
_PREPENDED = regex.compile(r"\p{GCB=Prepend}", regex.V1)
_CLUSTER = regex.compile(r"\X")


def whole_clusters(text: str, start: int, end: int) -> tuple[int, int]:
    """The place widened to whole grapheme clusters, so that no mark is torn from its letter."""
    while start and text[start - 1] > "\u02ff" and _PREPENDED.match(text, start - 1):
        start -= 1
    if text[end - 1] > "\u02ff" and _PREPENDED.match(text, end - 1):
        end = _CLUSTER.match(text, end - 1).end()
    if end < len(text) and text[end] > "\u02ff":
        end = _FOLLOWING.match(text, end).end()
    return start, end
