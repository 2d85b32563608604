"""Unicode's normal forms, in time that grows in proportion to the text.

`unicodedata.normalize` puts combining characters into their canonical order by moving each one past those before it: of
a row of two kinds in turn it takes the square of their number, with the interpreter's lock held, so that some hundred
thousand of them stop a server for minutes. Putting long rows into that order first changes no normal form (UAX #15).

Also which names of runs and teams can be printed, in every script.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Any, Literal
from unicodedata import bidirectional, category, combining

SHORT = 500
"""Characters that cost less than looking at them does."""

LONG_ROW = 30
"""Combining characters in a row; no language has this many."""

HALFWIDTH: dict[str, str | int | None] = {"\uff9e": "\u3099", "\uff9f": "\u309a"}
"""The only characters that begin with a combining one in compatible forms alone."""

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]


def normal_form(form: Form, text: str) -> str:
    """What `unicodedata.normalize` gives."""
    if len(text) > SHORT and not text.isascii():
        text = _rows(form).sub(lambda row: _in_order(form, row[0]), text)
    return unicodedata.normalize(form, text)


@cache
def _rows(form: Form) -> Any:
    import regex  # which a command that normalizes short names alone does not need

    others = "".join(HALFWIDTH) if "K" in form else ""
    return regex.compile(rf"[\p{{M}}{others}]{{{LONG_ROW},}}+")


def _in_order(form: Form, row: str) -> str:
    if "K" in form:
        row = row.translate(str.maketrans(HALFWIDTH))
    # One by one, since some expand to two.
    apart = "".join(unicodedata.normalize("NFD", character) for character in row)
    ordered, since = [], 0
    for place, character in enumerate(apart):
        if not unicodedata.combining(character):  # nothing moves past it
            ordered += [_sorted(apart[since:place]), character]
            since = place + 1
    return "".join([*ordered, _sorted(apart[since:])])


def _sorted(combining: str) -> str:
    return "".join(sorted(combining, key=unicodedata.combining))


NON_JOINER, JOINER = "\u200c", "\u200d"
VIRAMA = 9
"""The combining class of the sign that joins two letters in the scripts of India."""


def is_printable(name: str) -> bool:
    """Whether all of a name can be seen, or shapes the letters of a word as its script needs.

    The zero-width joiner and non-joiner are let in where RFC 5892 (appendix A) lets them into the names of domains:
    both after a virama, the non-joiner also between two letters of a script like Arabic; here always before a letter.

    >>> is_printable("پژوهش\u200cگران"), is_printable("Os\u200clo")
    (True, False)
    """
    return all(
        each.isprintable()
        or (each in (NON_JOINER, JOINER) and _shapes(name[:place], each, name[place + 1 :]))
        for place, each in enumerate(name)
    )


def _shapes(before: str, joiner: str, after: str) -> bool:
    if not before or not category(after[:1] or " ").startswith("L"):
        return False
    if combining(before[-1]) == VIRAMA:
        return True
    is_letter = category(before[-1]).startswith("L")
    return joiner == NON_JOINER and is_letter and bidirectional(before[-1]) == bidirectional(after[0]) == "AL"
