"""Names of runs and teams that can be printed, in every script."""

from __future__ import annotations

from unicodedata import bidirectional, category, combining

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
