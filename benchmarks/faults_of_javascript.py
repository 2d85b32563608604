"""Faults for a JavaScript file, found among its tokens, for planted_faults.py.

Comments, strings and regular expressions are left alone. A fault may leave the file invalid: `node --check` says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from faults_of_python import Fault


class Token(NamedTuple):
    """A token that may be changed: its kind (the name of a group of TOKEN), its text and its offset in characters."""

    kind: str
    text: str
    start: int


TOKEN = re.compile(
    r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)
    |(?P<regex>(?<=[(,=:\[!&|?{;\n\s])/(?![/*\s])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*)
    |(?P<number>(?<![\w.])\d[\d_]*(?:\.\d+)?(?!\w))
    |(?P<word>[A-Za-z_$][\w$]*)
    |(?P<sign>===|!==|=>|<=|>=|&&|\|\||\?\?=?|\?\.|\+\+|--|\+=|-=|\.\.\.|[<>+\-*/%!?:;,.(){}\[\]=&|^~])
    """,
    re.VERBOSE | re.DOTALL,
)
SIGNS = {
    "===": "!==",
    "!==": "===",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "&&": "||",
    "||": "&&",
    "??": "&&",
    "+=": "-=",
    "+": "-",
    "-": "+",
}
PAIRS = {"(": ")", "[": "]", "{": "}"}
SIMPLE_CALL = re.compile(r"^[ \t]+((?:await |void )?[A-Za-z_$][\w$.?]*\([^\n]*\));$", re.MULTILINE)
RETURN = re.compile(r"^[ \t]+return ([^\n]+);$", re.MULTILINE)
TWO_NAMES = re.compile(r"(?<=[\w$])\(([A-Za-z_$][\w$.]*), ([A-Za-z_$][\w$.]*)\)(?! \{)")
ASSIGNED = re.compile(r"^[ \t]+(this\.[\w$.]+ [-+]?= [^\n]*);$", re.MULTILINE)


def faults_of_javascript(source: str) -> list[Fault]:
    """All faults for this file, in the order of their places."""
    tokens = list(tokens_of(source))
    quiet = [
        (token.start, token.start + len(token.text))
        for token in tokens
        if token.kind in ("comment", "string")
    ]
    found = [*_signs(tokens), *_conditions(source, tokens), *_arrays(tokens), *_of_lines(source)]
    told = [fault for fault in found if not any(start <= fault.start < end for start, end in quiet)]
    return sorted(told, key=lambda fault: fault.start)


def tokens_of(source: str) -> Iterator[Token]:
    """What a script consists of, without blanks."""
    for match in TOKEN.finditer(source):
        yield Token(str(match.lastgroup), match[0], match.start())


def _signs(tokens: list[Token]) -> Iterator[Fault]:
    for token in tokens:
        other = None
        if token.kind == "sign":
            other = SIGNS.get(token.text)
        elif token.kind == "number" and token.text.replace("_", "").isdigit():
            other = str(int(token.text.replace("_", "")) + 1)
        elif token.text in ("true", "false"):
            other = "false" if token.text == "true" else "true"
        if other:
            kind = "operator" if token.kind == "sign" else "constant"
            yield Fault(kind, token.start, token.start + len(token.text), other)


def closing(tokens: list[Token], at: int) -> int | None:
    """The place of the token that closes what the token `at` opens."""
    depth = 0
    opens, closes = tokens[at].text, PAIRS[tokens[at].text]
    for place in range(at, len(tokens)):
        depth += (tokens[place].text == opens) - (tokens[place].text == closes)
        if depth == 0:
            return place
    return None


def _conditions(source: str, tokens: list[Token]) -> Iterator[Fault]:
    for at, token in enumerate(tokens[:-1]):
        if token.text in ("if", "while") and tokens[at + 1].text == "(":
            end = closing(tokens, at + 1)
            if end:
                start, stop = tokens[at + 1].start, tokens[end].start + 1
                yield Fault("negated condition", start, stop, f"(!{source[start:stop]})")


def _arrays(tokens: list[Token]) -> Iterator[Fault]:
    for at, token in enumerate(tokens[1:], start=1):
        if token.text == "[" and tokens[at - 1].text in ("=", "(", ",", ":", "return", "=>"):
            end = closing(tokens, at)
            if end and end > at + 1:
                yield Fault("emptied", token.start, tokens[end].start + 1, "[]")


def _of_lines(source: str) -> Iterator[Fault]:
    for match in SIMPLE_CALL.finditer(source):
        yield Fault("removed call", match.start(1), match.end(1), "void 0")
    for match in ASSIGNED.finditer(source):
        yield Fault("removed statement", match.start(1), match.end(1), "void 0")
    for match in RETURN.finditer(source):
        yield Fault("returns nothing", match.start(1), match.end(1), "undefined")
    for match in TWO_NAMES.finditer(source):
        yield Fault("swapped arguments", match.start(), match.end(), f"({match[2]}, {match[1]})")
