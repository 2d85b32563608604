"""Numbers as C's `atol` and `atof` read them: what a text begins with, and 0 if that is no number.

So the reference program reads grades (get_qrels.c) and scores (get_trec_results.c): '0.5' is the grade 0,
'1,5' the score 1. `atol` and `atof` here say it for one text, `grades` and `scores` for a column.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

INTEGER = r"^[+-]?[0-9]+"
DECIMAL = r"^[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|(?i:inf(?:inity)?|nan))"
HEXADECIMAL = r"^[+-]?0[xX](?:[0-9a-fA-F]+(?:\.[0-9a-fA-F]*)?|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?"
LARGEST = 2**63 - 1
MOST_DIGITS = 19
"""No 64-bit integer has more."""


def atol(text: str) -> int:
    """The integer that a text begins with, at most 2**63 - 1 and at least -2**63; 0 if there is none."""
    found = re.match(INTEGER, text)
    if found is None:
        return 0
    sign = -1 if text.startswith("-") else 1
    digits = found.group().lstrip("+-0")
    size = int(digits or "0") if len(digits) <= MOST_DIGITS else LARGEST + 1
    return max(-LARGEST - 1, min(LARGEST, sign * size))


def atof(text: str) -> float:
    """The decimal or hexadecimal number, infinity or nan that a text begins with; 0.0 if there is none."""
    if (found := re.match(HEXADECIMAL, text)) is not None:
        try:
            return float.fromhex(found.group())
        except OverflowError:
            return -math.inf if text.startswith("-") else math.inf
    found = re.match(DECIMAL, text)
    return 0.0 if found is None else float(found.group())


def grades(texts: pl.Series) -> pl.Series:
    """`atol` of each text, as Int64; null where the number does not fit."""
    import polars as pl

    found = texts.str.extract(f"({INTEGER})")
    return pl.select(
        pl.when(found.is_null()).then(0).otherwise(found.cast(pl.Int64, strict=False))
    ).to_series()


def scores(texts: pl.Series) -> pl.Series:
    """`atof` of each text, as Float64."""
    import polars as pl

    numbers = texts.str.extract(f"({DECIMAL})").cast(pl.Float64, strict=False).fill_null(0.0)
    hexadecimal = texts.str.contains(HEXADECIMAL)
    if not hexadecimal.any():
        return numbers
    rows = hexadecimal.arg_true()
    return numbers.scatter(rows, [atof(text) for text in texts.gather(rows)])
