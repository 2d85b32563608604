"""The direction of a text, from right to left or from left to right, by its letters."""

from __future__ import annotations

import re

LTR, RTL = "ltr", "rtl"

LETTER = re.compile(r"[^\W\d_]")
RTL_LETTER = re.compile(
    "[\u0590-\u05ff\u0600-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Hebrew, Arabic, Syriac, Thaana, N'Ko and the other scripts from right to left, by their blocks in Unicode."""

BEGINNING = 2_000


def direction_of(text: str) -> str | None:
    """The direction of a text by its first letter, as browsers find it for `dir=auto`; None without letters."""
    first = LETTER.search(text)
    if first is None:
        return None
    return RTL if RTL_LETTER.match(first[0]) else LTR


def main_direction_of(text: str) -> str:
    """The direction that most letters at the beginning of a text have."""
    letters = LETTER.findall(text[:BEGINNING])
    return RTL if 2 * sum(map(bool, map(RTL_LETTER.match, letters))) > len(letters) else LTR
