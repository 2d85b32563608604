"""Whether the lines of a plain text are a word wrap, whose breaks carry no meaning, or lines that the author meant.

Three signs, none of which needs a fixed width. A wrap breaks a line where the next word would not have fitted: if one
width explains most breaks of a text, it was wrapped there. A wrap breaks in the middle of sentences, after words such
as "the", while verse, lists and addresses break where a phrase ends. And lines of headers, lists, quoted mail and code
begin or end in ways of their own. All costs are linear in the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate, pairwise, starmap

from workbench.methods.text.compared_words import WITHOUT_SPACES
from workbench.methods.text.languages import language_of_text, stop_words

WRAPPED_FROM = 45
"""Lines shorter than this many characters need more signs to be taken for a word wrap."""

WRAPPED_SHARE = 3 / 4
"""The smallest share of long lines (the last one aside) in a paragraph that is wrapped by its looks alone."""

NARROWEST, WIDEST = 30, 160
"""Columns of a width that is looked for. A longer line is a paragraph of its own."""

EXPLAINED, BREAKS = 0.85, 5
"""One width explains a text when at least this share and this number of its breaks are where it has them."""

OPEN, PROSE_MEAN, PROSE_LONGEST = 0.6, 24, 30
"""Lines of unequal length are prose when at least this share of breaks is inside of sentences, the lines have at least
this many columns on average, and the longest at least this many.
"""

WIDE, SMALL = 40, 1 / 5
"""Where no line has this many columns, at least this share of breaks stands after a small word such as "the"; else one
does unless there is only one.
"""

SEVERAL, CLOSED = 4, 0.6
CAPITALS, CAPITALS_FROM = 0.9, 3
"""Verse ends at least the first share of its lines with a sign, or begins the second with a capital letter."""

BEGINNING = 4_000

SIGN_AT_END = re.compile(r"[.,;:!?…。、，；：！？؟،؛۔।—–-][\"'”’»)\]」』]*$")
HYPHEN_AT_END = re.compile(r"\w[-‐\u00ad]$")
MARKED = re.compile(r"\s*(?:[-*•‣◦·–—]|\(?\d{1,3}[.)]|\(?[A-Za-z][.)]|\[\d{1,3}\])\s")
QUOTED = re.compile(r"\s*(?:[A-Z]{0,3}>|\|)")
HEADER = re.compile(r"[A-Z][\w-]*(?: [\w-]+)?:(?:\s|$)")
OF_CODE = re.compile(r"\s*(?:[{}<@]|#\w|//|/\*|\*/|--\s)|.*(?:[{};]|\\|=>|\)\s*:)$|\w+ ?= ?\S")
LAST_WORD, FIRST_WORD = re.compile(r"[^\W\d_]+$"), re.compile(r"\S+")
UNSPACED = re.compile(f"[{WITHOUT_SPACES}]")


def looks_like_code(lines: Sequence[str]) -> bool:
    """Whether two lines, and half of all, end in a brace or semicolon, assign something, or begin as code does."""
    of_code = sum(OF_CODE.match(line) is not None for line in lines)
    return of_code > 1 and of_code * 2 >= len(lines)


class Wrapping:
    """What one text's lines say about its word wrap. `paragraphs` are its lines, by paragraph."""

    def __init__(self, text: str, paragraphs: Iterable[Sequence[str]]) -> None:
        self._text = text
        self._small: Collection[str] | None = None
        self.width = _width_of(paragraphs)
        """The width in columns that the text was wrapped at, None if no width explains its lines."""

    def holds(self, lines: Sequence[str]) -> bool:
        """Whether the line breaks of a paragraph are those of a word wrap."""
        if len(lines) < 2:
            return True
        if max(map(columns_of, lines[:-1])) > WIDEST or _begin_by_themselves(lines):
            return False
        widths = starmap(_widths, pairwise(lines))
        if self.width and _share(low <= self.width <= high for low, high in widths) >= WRAPPED_SHARE:
            return True
        if _is_verse(lines):
            return False
        is_long = _share(len(line) >= WRAPPED_FROM for line in lines[:-1]) >= WRAPPED_SHARE
        return is_long or self._breaks_sentences(lines)

    def _breaks_sentences(self, lines: Sequence[str]) -> bool:
        """Whether lines of any length break where a sentence goes on."""
        columns = [columns_of(line) for line in lines[:-1]]
        if max(columns) < PROSE_LONGEST or sum(columns) < PROSE_MEAN * len(columns):
            return False
        if _share(_is_open(*pair) for pair in pairwise(lines)) < OPEN:
            return False
        small = _share(self._ends_small(line) for line in lines[:-1])
        is_cased = any(character.islower() for line in lines for character in line)
        if max(columns) < WIDE or not is_cased:
            return small >= SMALL
        return small > 0 or len(columns) == 1

    def _ends_small(self, line: str) -> bool:
        if self._small is None:
            self._small = stop_words(language_of_text(self._text[:BEGINNING]))
        word = LAST_WORD.search(line)
        return word is not None and word[0].casefold() in self._small


def columns_of(line: str) -> int:
    """The columns of a line in a fixed-width font: two for each wide character, none for a combining one."""
    if line.isascii():
        return len(line)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in line)
    return len(line) + wide - sum(map(bool, map(unicodedata.combining, line)))


def _width_of(paragraphs: Iterable[Sequence[str]]) -> int | None:
    """The width that explains most breaks, if it explains them nearly all: a sum over the widths each break allows."""
    begins, ends, breaks = Counter[int](), Counter[int](), 0
    for lines in paragraphs:
        for line, following in pairwise(lines):
            shortest, longest = _widths(line, following)
            begins[max(shortest, NARROWEST)] += 1
            ends[max(longest, NARROWEST - 1) + 1] += 1
            breaks += 1
    if breaks < BREAKS:
        return None
    allowed = list(accumulate(begins[width] - ends[width] for width in range(NARROWEST, WIDEST + 1)))
    most = max(allowed)
    return NARROWEST + allowed.index(most) if most >= EXPLAINED * breaks else None


def _widths(line: str, following: str) -> tuple[int, int]:
    """The narrowest and the widest wrap with a break between these lines: the next word would have gone beyond it."""
    length = columns_of(line)
    first = FIRST_WORD.search(following)
    word = first[0] if first else ""
    is_unspaced = UNSPACED.match(word) is not None
    # Without blanks a line is full but for a sign or two that may not begin the next one.
    return length, length + (3 if is_unspaced else columns_of(word))


def _share(found: Iterable[bool]) -> float:
    values = list(found)
    return sum(values) / len(values)


def _begin_by_themselves(lines: Sequence[str]) -> bool:
    if _share(QUOTED.match(line) is not None for line in lines) >= 1 / 2:
        return True
    if _share(HEADER.match(line) is not None for line in lines) >= 1 / 2:
        return True
    if len(lines) >= CAPITALS_FROM and _share(line.lstrip()[:1].isdigit() for line in lines) >= CAPITALS:
        return True
    marked = [MARKED.match(line) is not None for line in lines]
    return sum(marked) >= 2 and (marked[0] or _share(marked) >= 1 / 3)


def _is_verse(lines: Sequence[str]) -> bool:
    """Whether nearly all lines end with a sign, or begin with a capital letter in a text that has small ones too."""
    if len(lines) <= CAPITALS_FROM - 1:
        return False
    ends = [SIGN_AT_END.search(line) is not None and not HYPHEN_AT_END.search(line) for line in lines[:-1]]
    if len(ends) >= SEVERAL - 1 and _share(ends) >= CLOSED:
        return True
    letters = Counter(
        "upper" if letter.isupper() else "lower" for line in lines for letter in line if letter.isalpha()
    )
    is_shouted = letters["upper"] > letters["lower"]
    return not is_shouted and _share(_first_letter(line).isupper() for line in lines) >= CAPITALS


def _is_open(line: str, following: str) -> bool:
    """Whether a sentence goes on over the break: no sign before it, and no capital letter after it."""
    is_closed = SIGN_AT_END.search(line) is not None and not HYPHEN_AT_END.search(line)
    return not is_closed and not _first_letter(following).isupper()


def _first_letter(line: str) -> str:
    return next((character for character in line if character.isalnum()), "")
