"""Names that leave a campaign: of files that any system can keep, and of people who stay unnamed."""

from __future__ import annotations

import re
from collections.abc import Iterable

LONGEST = 150
"""Bytes of a name that a file's name keeps; systems allow 255 with what goes before and after it."""

NOT_PLAIN = re.compile(r"[^\w.-]+")
"""Everything but letters and digits of any script, `_`, `.` and `-`."""


RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)
"""What names a device on Windows, with any suffix."""


def file_name(name: str) -> str:
    """A name as a part of a file's name: nothing in it leads out of a folder or means something to a shell.

    Two names may become one: a caller that writes several files numbers them.
    """
    plain = NOT_PLAIN.sub("-", name).strip("-._")
    plain = f"x-{plain}" if RESERVED.match(plain) else plain
    return plain.encode()[:LONGEST].decode(errors="ignore") or "unnamed"


def numbered_names(names: Iterable[str], ending: str) -> list[str]:
    """A file's name for each name, in order, with a number before it: `001-bm25.run`.

    The numbers tell apart what some systems do not (BM25 and bm25), and keep the order.
    """
    listed = list(names)
    width = max(3, len(str(len(listed))))
    return [f"{number:0{width}}-{file_name(name)}{ending}" for number, name in enumerate(listed, start=1)]


def qrels_name(campaign: str, first: str, last: str) -> str:
    """The name of the qrels of some rounds of a campaign: `qrels-covid_d3_j1-3.txt`, of one `qrels-covid_d3_j3.txt`.

    This is TREC-COVID's scheme (by C. Buckley, ir.nist.gov/trec-covid/qrels5.html): d is the round whose documents they
    are of, j the rounds in which they were judged.
    """
    judged = last if first == last else f"{first}-{last}"
    return f"qrels-{file_name(campaign)}_d{last}_j{judged}.txt"


def pseudonyms(people: Iterable[str]) -> dict[str, str]:
    """A name for each of these people that says only their place among them: assessor-1, assessor-2 ..."""
    return {person: f"assessor-{place}" for place, person in enumerate(people, start=1)}
