"""Comments and strings of source code, found by their signs: no text says in which language it is.

A text is taken to have the comments whose sign is most often where one begins. Each pattern is linear: a quotation mark
after a backslash begins nothing, so that of those in a line one at most is looked at in vain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

BEGINNING = 50_000
"""This many characters of a text tell the sign of its comments."""

DOUBLE = r'(?<!\\)"(?:[^"\\\n]|\\.)*+"'
SINGLE = r"(?<![\w<&\\])'(?:[^'\\\n]|\\.)*+'"  # no apostrophe, and no lifetime of Rust
TRIPLE = r'"{3}(?s:.*?)"{3}' + r"|'{3}(?s:.*?)'{3}"
PREFIXED = r"(?<![\w\\])[bfruBFRU]{1,2}'(?:[^'\\\n]|\\.)*+'"
TEMPLATE = r"(?<!\\)`(?s:[^`\\]|\\.)*+`"
BLOCK = r"/\*(?s:.*?)(?:\*/|\Z)"
DIRECTIVE = r"(?:include|define|undef|if|ifdef|ifndef|else|elif|endif|pragma|error|region|endregion)\b|\["

LANGUAGES = {
    r"(?m)(?:^|(?<=[\s;)}\]]))#[ !#]": (
        rf"(?<![\w$&\\{{(])#(?!{DIRECTIVE}).*",
        f"{TRIPLE}|{DOUBLE}|{SINGLE}|{PREFIXED}",
    ),
    r"(?<!:)//|/\*": (rf"(?<!:)//.*|{BLOCK}", f"{DOUBLE}|{SINGLE}|{TEMPLATE}"),
    r"(?m)(?:^|(?<=\s))--(?:\s|\w)": (rf"(?<!\S)--.*|{BLOCK}", f"{DOUBLE}|{SINGLE}"),
}
"""By the pattern for how comments begin: what is a comment, and what is a string."""

READERS = {
    re.compile(begins): re.compile(f"(?P<comment>{comment})|(?P<string>{string})")
    for begins, (comment, string) in LANGUAGES.items()
}


class Coloured(NamedTuple):
    """A stretch of code that has a colour: where it is, and whether it is a comment or a string."""

    start: int
    end: int
    kind: str


def coloured(text: str) -> Iterator[Coloured]:
    """The comments and strings of a text, ascending."""
    beginning = text[:BEGINNING]
    reader = READERS[max(READERS, key=lambda begins: len(begins.findall(beginning)))]
    for found in reader.finditer(text):
        yield Coloured(found.start(), found.end(), found.lastgroup or "")
