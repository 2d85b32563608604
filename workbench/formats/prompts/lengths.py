"""How long texts are for a model, how they are cut, and which look as if they spoke to it.

Tokens are estimated as the bytes of UTF-8 divided by 3, rounded up, and 8 more for each message: about a third too many
for English, close for Chinese. So a limit on money is kept rather than passed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

TOKEN_BYTES, MESSAGE_TOKENS = 3, 8

WORD = re.compile(r"\S+")

SUSPICIOUS = re.compile(
    r"""\b(?:ignore|disregard|forget)\b.{0,40}\b(?:instruction|prompt|guideline|above|previous)
    | \b(?:rate|grade|score|judge|mark|label)\b.{0,30}\b(?:document|passage|text|page|answer|this|it)\b.{0,30}
      \b(?:as|with|at)\b.{0,20}\b(?:\d|relevant|highest|perfect|top|maximum)
    | ["']?\b(?:grade|score|relevance)\b["']?\s*[:=]\s*["']?\d
    | \bas\ an?\ (?:ai|language\ model|llm|assessor|judge)\b | \byou\ are\ an?\ (?:ai|language\ model|assessor|judge)\b
    | \bsystem\ prompt\b | \[/?(?:system|user|assistant|inst)\] | <\|\w+\|> | </?data-""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
"""English phrases and signs by which texts address a model: a hint for people, no proof, and no defence."""

LONGEST_SEARCHED = 1_000_000


def tokens_of(messages: Iterable[Mapping[str, str]]) -> int:
    """About how many tokens messages have: see the module."""
    sizes = [len(each["content"].encode("utf-8", "surrogatepass")) for each in messages]
    return sum(-(-size // TOKEN_BYTES) + MESSAGE_TOKENS for size in sizes)


def first_words(text: str, most: int) -> str:
    """The text up to its last word that is within so many, words being what stands between blanks.

    >>> first_words("one  two three", 2)
    'one  two'
    """
    for place, found in enumerate(WORD.finditer(text), start=1):
        if place == most:
            return text[: found.end()]
    return text


def speaks_to_model(text: str) -> str:
    """The first phrase by which a text seems to tell a model what to answer; "" for none."""
    found = SUSPICIOUS.search(text[:LONGEST_SEARCHED])
    return " ".join(found[0].split())[:100] if found else ""
