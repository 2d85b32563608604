"""Records of the SMART collections (Cranfield, CACM, CISI, MED): `.I 1`, then parts such as `.T`, `.A`, `.W`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

START = re.compile(r"^\.I\s++(\S.*)")
PART = re.compile(r"^\.([A-Z])\s*$")


class SmartRecord(NamedTuple):
    """One record: the line of its `.I`, the number as written there, its parts as (letter, text) in order."""

    line: int
    number: str
    parts: tuple[tuple[str, str], ...]


def starts_smart(first_line: str) -> bool:
    """Whether a file with this first line holds such records."""
    return START.match(first_line) is not None


def smart_records(lines: Iterable[str]) -> Iterator[SmartRecord]:
    """The records of a file, one at a time; lines before the first `.I` are passed over."""
    start, number = 0, ""
    parts: list[tuple[str, list[str]]] = []
    for line, text in enumerate(lines, start=1):
        text = text.rstrip("\r\n")
        if found := START.match(text):
            if start:
                yield _record(start, number, parts)
            start, number, parts = line, found[1].rstrip(), []
        elif found := PART.match(text):
            parts.append((found[1], []))
        elif parts:
            parts[-1][1].append(text)
    if start:
        yield _record(start, number, parts)


def _record(line: int, number: str, parts: list[tuple[str, list[str]]]) -> SmartRecord:
    return SmartRecord(line, number, tuple((name, "\n".join(lines)) for name, lines in parts))
