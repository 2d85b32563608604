"""Bytes to text: UTF-8 strictly, else what the file declares, else windows-1252 with a warning.

A byte order mark decides first. Encodings that hide other scripts in seven-bit bytes (ISO-2022-JP, HZ) look like
valid UTF-8, so these are believed when declared.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

LAST_RESORT = "windows-1252"
DECLARATION = re.compile(
    rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']|<meta[^>]{0,300}?charset\s*=\s*["']?\s*([A-Za-z0-9._:-]+)""",
    re.IGNORECASE,
)
DECLARED_WITHIN = 4096
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
SEVEN_BIT = ("iso2022", "hz")


class Decoded(NamedTuple):
    """A text, and the encoding it was in: `warning` is '' when it was UTF-8 or said so by a mark."""

    text: str
    warning: str = ""


def declared_encoding(head: bytes) -> str | None:
    """The encoding that an XML declaration or an HTML `meta` element at the start of `head` names."""
    match = DECLARATION.search(head[:DECLARED_WITHIN])
    return (match[1] or match[2]).decode("ascii") if match else None


def decode(data: bytes, declared: str | None = None) -> Decoded:
    """The text of some bytes, without a byte order mark. `declared` is what a header says; never an error."""
    if declared is None and data.isascii():
        return Decoded(data.decode())  # as most is, found in a third of the time
    for mark, encoding in MARKS:
        if data.startswith(mark):
            size = len(mark) if encoding == "utf-8" else 0
            return Decoded(data[size:].decode(encoding, errors="replace").removeprefix("\ufeff"))
    known = _codec(declared)
    if known and known.startswith(SEVEN_BIT):
        return Decoded(data.decode(known, errors="replace"))
    try:
        return Decoded(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        return _decode_otherwise(data, known, error)


def _decode_otherwise(data: bytes, known: str | None, error: UnicodeDecodeError) -> Decoded:
    """Bytes that are not UTF-8."""
    if known and known not in ("utf-8", "ascii"):
        try:
            return Decoded(data.decode(known), f"read as {known}, as declared; it is not UTF-8")
        except (UnicodeDecodeError, LookupError):
            pass
    place = f"byte {error.start + 1} is {data[error.start]:#04x}"
    warning = f"this is not UTF-8 ({place}); read as {LAST_RESORT}: convert it to UTF-8 if that is wrong"
    return Decoded(data.decode(LAST_RESORT, errors="replace"), warning)


def _codec(name: str | None) -> str | None:
    """Python's name of an encoding of text, None if it has none."""
    if not name:
        return None
    try:
        info = codecs.lookup(name)
    except LookupError:
        return None
    # Web browsers read ISO 8859-1 as windows-1252, and pages are written for them.
    wanted = LAST_RESORT if info.name in ("iso8859-1", "ascii") else info.name
    return wanted if getattr(info, "_is_text_encoding", True) else None


def well_formed(text: str) -> str:
    """The text with halves of surrogate pairs, which no file can store, replaced by the replacement character."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", errors="surrogatepass").decode("utf-16", errors="replace")
    return text
