"""What marked-up text and the SMART collections write their records in.

Comments and CDATA sections are found in linear time whatever the text is. Of character references (`&amp;`, `&#233;`,
`&hyph;`) only those that end in a semicolon are replaced, once: `AT&T` and `?a=1&copy=2` stay as they are. Their names
are those of HTML 5, and those that the TREC disks define for themselves. Records of SMART (Cranfield, CACM, CISI, MED)
have `.I 1`, then parts such as `.T`, `.A`, `.W`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html.entities import html5
from typing import NamedTuple

TREC_NAMES = {"hyph": "-", "blank": " ", "sect": "§", "amp": "&", "cir": "○", "mu": "μ", "bull": "•"}
REFERENCE = re.compile(r"&(#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,7}|[A-Za-z][A-Za-z0-9]{1,31});")
HIGHEST_CHARACTER = 0x10FFFF
SURROGATES = range(0xD800, 0xE000)
SMART_START = re.compile(r"^\.I\s++(\S.*)")
SMART_PART = re.compile(r"^\.([A-Z])\s*$")


def without_comments(text: str) -> str:
    """The text without its comments, which leave their line breaks; one that is never closed stays."""
    return "".join(
        "\n" * inside.count("\n") if found else inside for found, inside in _split(text, "<!--", "-->")
    )


def with_plain_cdata(text: str) -> str:
    """The text with the content of its CDATA sections escaped, and their brackets gone."""
    return "".join(
        inside.replace("&", "&amp;").replace("<", "&lt;") if found else inside
        for found, inside in _split(text, "<![CDATA[", "]]>")
    )


def _split(text: str, start: str, end: str) -> Iterator[tuple[bool, str]]:
    """The pieces between (False) and inside (True) the brackets."""
    # A regular expression with a lazy star would search to the end of the text from each unclosed bracket.
    at = 0
    while (opened := text.find(start, at)) >= 0 and (closed := text.find(end, opened + len(start))) >= 0:
        yield False, text[at:opened]
        yield True, text[opened + len(start) : closed]
        at = closed + len(end)
    yield False, text[at:]


def decode_references(text: str) -> str:
    """The text with its character references replaced; unknown ones stay as written."""
    return REFERENCE.sub(_character, text) if "&" in text else text


def has_references(text: str) -> bool:
    """Whether `decode_references` would change the text."""
    return "&" in text and decode_references(text) != text


def _character(match: re.Match[str]) -> str:
    name = match[1]
    if not name.startswith("#"):
        return TREC_NAMES.get(name) or html5.get(f"{name};") or match[0]
    code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    if code == 0 or code > HIGHEST_CHARACTER or code in SURROGATES:
        return match[0]
    return chr(code)


class SmartRecord(NamedTuple):
    """One record: the line of its `.I`, the number as written there, its parts as (letter, text) in order."""

    line: int
    number: str
    parts: tuple[tuple[str, str], ...]


def starts_smart(first_line: str) -> bool:
    """Whether a file with this first line holds such records."""
    return SMART_START.match(first_line) is not None


def smart_records(lines: Iterable[str]) -> Iterator[SmartRecord]:
    """The records of a file, one at a time; lines before the first `.I` are passed over."""
    start, number = 0, ""
    parts: list[tuple[str, list[str]]] = []
    for line, text in enumerate(lines, start=1):
        text = text.rstrip("\r\n")
        if found := SMART_START.match(text):
            if start:
                yield _smart_record(start, number, parts)
            start, number, parts = line, found[1].rstrip(), []
        elif found := SMART_PART.match(text):
            parts.append((found[1], []))
        elif parts:
            parts[-1][1].append(text)
    if start:
        yield _smart_record(start, number, parts)


def _smart_record(line: int, number: str, parts: list[tuple[str, list[str]]]) -> SmartRecord:
    return SmartRecord(line, number, tuple((name, "\n".join(lines)) for name, lines in parts))
