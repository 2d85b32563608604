"""Who said what: messages of a thread, and turns of a chat, as the sections of a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

DEEPEST_QUOTE = 8
"""Quoted lines of more signs stand as deep as these."""

QUOTED = re.compile(r"(?:>[ ]?)+")
FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")
BLANK_LINES = re.compile(r"\n[^\S\n]*+\n\s*")


class Message(NamedTuple):
    """What one person said: who, and when, both "" where it is not known; the plain text; and what was attached."""

    who: str
    when: str
    text: str
    attached: tuple[str, ...] = ()


def conversation_html(messages: Iterable[Message]) -> str:
    """A page with a section for each message: who, when, and the text with what it quotes in `blockquote`.

    Nothing of a text is markup, so that no message can look like that of another person.
    """
    return "\n".join("".join(_section(message)) for message in messages)


def _section(message: Message) -> Iterator[str]:
    yield "<section>"
    if message.who or message.when:
        when = f" <time>{_safe(message.when)}</time>" if message.when else ""
        yield f"<header><b>{_safe(message.who or 'unknown')}</b>{when}</header>"
    lines = message.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for is_code, group in groupby(_fenced(lines), key=itemgetter(0)):
        part = [line for _, line in group]
        if is_code:
            yield f"<pre><code>{_safe(chr(10).join(part))}</code></pre>"
        else:
            yield from _prose(part)
    for name in message.attached:
        yield f"<p><i>Attached: {_safe(name)}</i></p>"
    yield "</section>"


def _fenced(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The lines with the number of the piece of code between fences that each is in, 0 for none; without fences."""
    fence, pieces = "", 0
    for line in lines:
        found = FENCE.match(line)
        if fence and found and found[1].startswith(fence) and not line.strip(fence[0] + " "):
            fence = ""
        elif found and not fence:
            fence, pieces = found[1], pieces + 1
        else:
            yield pieces if fence else 0, line


def _prose(lines: list[str]) -> Iterator[str]:
    depth = 0
    for deep, group in groupby(lines, _depth):
        yield "<blockquote>" * (deep - depth) + "</blockquote>" * (depth - deep)
        depth = deep
        yield from _paragraphs("\n".join(QUOTED.sub("", line, count=1) if deep else line for line in group))
    yield "</blockquote>" * depth


def _depth(line: str) -> int:
    found = QUOTED.match(line)
    return min(found[0].count(">"), DEEPEST_QUOTE) if found else 0


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in BLANK_LINES.split(text.strip("\n")):
        if paragraph.strip():
            yield f"<p>{_safe(paragraph.rstrip()).replace(chr(10), '<br>')}</p>"


def _safe(text: str) -> str:
    return escape(text, quote=False)
