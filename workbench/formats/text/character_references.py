"""Character references in marked-up text: `&amp;`, `&#233;`, `&hyph;` become their characters, once.

Only references that end in a semicolon are replaced: `AT&T` and `?a=1&copy=2` stay as they are. Names are those
of HTML 5, and those that the TREC disks define for themselves.
"""

from __future__ import annotations

import re
from html.entities import html5

TREC_NAMES = {"hyph": "-", "blank": " ", "sect": "§", "amp": "&", "cir": "○", "mu": "μ", "bull": "•"}
REFERENCE = re.compile(r"&(#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,7}|[A-Za-z][A-Za-z0-9]{1,31});")
HIGHEST_CHARACTER = 0x10FFFF
SURROGATES = range(0xD800, 0xE000)


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
