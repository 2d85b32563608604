"""Numbers and names as they stand in sentences: 1 topic, 1,480 pairs; d1, d2, d3, d4, d5 and 12 more."""

from __future__ import annotations

from collections.abc import Sequence

SHOWN_NAMES = 5


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: 1 topic, 1,480 pairs; `many` is the plural of nouns that take no s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(names: Sequence[str], shown: int = SHOWN_NAMES) -> str:
    """The first few names, and how many more there are."""
    text = ", ".join(names[:shown])
    return text if len(names) <= shown else f"{text} and {len(names) - shown:,} more"


def sized(count: int) -> str:
    """A number of bytes in the unit that shows it: 412 bytes, 13 kB, 1.2 MB, 1,250.0 MB.

    >>> [sized(count) for count in (1, 412, 12_600, 999_600, 1_200_000)]
    ['1 byte', '412 bytes', '13 kB', '1.0 MB', '1.2 MB']
    """
    if count < 1_000:
        return counted(count, "byte")
    return f"{count / 1e3:,.0f} kB" if count < 999_500 else f"{count / 1e6:,.1f} MB"
