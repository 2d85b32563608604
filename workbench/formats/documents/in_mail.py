"""E-mail: a message (`.eml`), and a thread of messages (`.mbox`); each file is one document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.errors import HeaderParseError, MessageError
from email.header import decode_header
from email.message import Message as Mail
from email.utils import parsedate_to_datetime
from html import unescape
from types import MappingProxyType

from workbench.core.records import Document
from workbench.formats.documents.conversations import Message, conversation_html
from workbench.formats.documents.fields import HTML, FoundDocument
from workbench.formats.documents.open_file import Reading
from workbench.formats.text.encoding import LAST_RESORT, codec, well_formed

LONGEST_HEADER, LONGEST_TYPE = 1_000, 2_000
"""Characters of a header that are read; a message whose type is longer has its parts shown as they were written."""

MOST_PARTS, MOST_MESSAGES = 100, 1_000
"""Parts of a message that are looked at, and messages that one thread may have."""

BEGINNING_OF_MESSAGE = re.compile(rb"(?:\A|\r?\n\r?\n)From [^\n]*\n")
ESCAPED_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)
CHARSET = re.compile(r"""\bcharset\s*=\s*["']?([\w.:-]{1,40})""", re.IGNORECASE)
LONG_TYPE = re.compile(rb"^content-type:(?:[^\n]|\n[ \t]){%d}" % LONGEST_TYPE, re.IGNORECASE | re.MULTILINE)
NAME = re.compile(r"""\b(?:file)?name\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))""", re.IGNORECASE)
CODE_BEGINS = re.compile(r"<(script|style|title)\b", re.IGNORECASE)
LINE_ENDS = re.compile(r"<(?:br|/p|/div|/li|/tr|/h[1-6]|/blockquote)\b", re.IGNORECASE)
TAG = re.compile(r"<[!/?a-z][^<>]*>?", re.IGNORECASE)


def read_mail(reading: Reading) -> Iterator[FoundDocument]:
    """A message; its subject is the title, and sender, receivers and date are fields."""
    mail = _parsed(reading.whole())
    message = _message(mail, reading)
    fields = {"from": message.who, "to": _header(mail, "To"), "cc": _header(mail, "Cc"), "date": message.when}
    html = conversation_html([message._replace(who="", when="")])
    yield _found(reading, _header(mail, "Subject"), html, fields)


def read_thread(reading: Reading) -> Iterator[FoundDocument]:
    """The messages of an mbox as one document, in the order of the file; the first subject is the title."""
    parts = [part for part in BEGINNING_OF_MESSAGE.split(reading.whole()) if part.strip()]
    if len(parts) > MOST_MESSAGES:
        message = (
            f"{len(parts):,} messages in one thread, at most {MOST_MESSAGES:,}; write a file for each thread"
        )
        raise reading.refuse(message)
    mails = [_parsed(ESCAPED_FROM.sub(rb"\1", part)) for part in parts]
    messages = [_message(mail, reading) for mail in mails]
    subject = _header(mails[0], "Subject") if mails else ""
    yield _found(reading, subject, conversation_html(messages), {"messages": str(len(messages))})


def _found(reading: Reading, title: str, html: str, fields: dict[str, str]) -> FoundDocument:
    filled = MappingProxyType({name: value for name, value in fields.items() if value})
    return FoundDocument(None, Document(reading.document_id, title, html, HTML, filled))


def _parsed(data: bytes) -> Mail:
    # The library takes the square of the length of a type, and of the depth of parts in parts.
    if LONG_TYPE.search(data) or data.lower().count(b"multipart/") > MOST_PARTS:
        data = b"\n\n" + data
    try:
        return message_from_bytes(data)
    except (MessageError, RecursionError, ValueError):
        return message_from_bytes(b"\n\n" + data)


def _message(mail: Mail, reading: Reading) -> Message:
    who, when = _header(mail, "From"), _when(_header(mail, "Date"))
    plain: list[str] = []
    pages: list[str] = []
    attached: list[str] = []
    for number, part in enumerate(mail.walk()):
        kind = part.get_content_type()
        if number == MOST_PARTS:
            attached.append("further parts")
            break
        if part.is_multipart():
            continue
        placed = str(part.get("Content-Disposition") or "").strip().lower()
        if placed.startswith("attachment") or not kind.startswith(("text/", "multipart/")):
            attached.append(f"{_name(part)} ({kind})".strip())
        else:
            (pages if kind == "text/html" else plain).append(_text(part, reading))
    text = "\n\n".join(plain) if any(map(str.strip, plain)) else "\n\n".join(map(_without_tags, pages))
    return Message(who, when, text, tuple(attached))


def _header(mail: Mail, name: str) -> str:
    """A header as text on one line, its encoded words decoded."""
    written = str(mail.get(name) or "")[:LONGEST_HEADER]
    try:
        words = decode_header(written)
    except (HeaderParseError, ValueError):
        words = [(written, None)]
    return " ".join(well_formed("".join(_word(word, charset) for word, charset in words)).split())


def _word(word: str | bytes, charset: str | None) -> str:
    if isinstance(word, str):
        return word
    return word.decode((codec(charset) or LAST_RESORT) if charset else "ascii", errors="replace")


def _when(written: str) -> str:
    try:
        return f"{parsedate_to_datetime(written[:100]):%Y-%m-%d %H:%M %z}".strip()
    except (ValueError, TypeError, IndexError, OverflowError):
        return written


def _name(part: Mail) -> str:
    for header in ("Content-Disposition", "Content-Type"):
        if found := NAME.search(str(part.get(header) or "")[:LONGEST_HEADER]):
            return well_formed(found[1] or found[2])
    return ""


def _text(part: Mail, reading: Reading) -> str:
    payload = part.get_payload(decode=True)
    charset = CHARSET.search(str(part.get("Content-Type") or "")[:LONGEST_HEADER])
    text = reading.text(payload if isinstance(payload, bytes) else b"", charset[1] if charset else None)
    return well_formed(text)


def _without_tags(html: str) -> str:
    """The words of a page, with a line's end where a block ends."""
    kept, place, lowered = [], 0, html.lower()
    while found := CODE_BEGINS.search(html, place):
        kept.append(html[place : found.start()])
        end = lowered.find(f"</{found[1].lower()}", found.end()) if len(kept) < MOST_PARTS else -1
        place = len(html) if end == -1 else end
    kept.append(html[place:])
    return unescape(TAG.sub("", LINE_ENDS.sub(lambda found: f"\n{found[0]}", "".join(kept))))
