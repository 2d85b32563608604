"""The order in which people read ids on screen: topic 2 before topic 10. Files and sums keep the order of bytes."""

from __future__ import annotations

import re
from functools import lru_cache

DIGITS = re.compile(r"([0-9]+)")


@lru_cache(maxsize=1 << 14)  # pages sort the same ids again and again
def natural(text: str) -> tuple[tuple[int, str, int], ...]:
    """A key for sorting: digits within a text count as numbers, everything else letter by letter.

    Numbers are compared by how many digits they have, zeros in front aside, and then digit by digit, so that
    none is too long; `07` follows `7`.
    """
    parts = enumerate(DIGITS.split(text))  # text and digits in turn, text first
    return tuple(_number(part) if place % 2 else (0, part, 0) for place, part in parts)


def _number(part: str) -> tuple[int, str, int]:
    digits = part.lstrip("0")
    return (len(digits), digits, len(part))
