"""Bytes to text: UTF-8 strictly, else what the file declares, else what it is recognised as, else windows-1252.

All but UTF-8 gives a warning. A byte order mark decides first. Encodings that hide other scripts in seven-bit bytes
(ISO-2022-JP, HZ) look like valid UTF-8, so these are believed when declared.
"""

from __future__ import annotations

import codecs
import re
from types import MappingProxyType
from typing import NamedTuple

LAST_RESORT = "windows-1252"
RECOGNISED = MappingProxyType(
    {
        "euc_jp": "EUC-JP",
        "cp932": "Shift_JIS",
        "gb18030": "GB18030",
        "big5": "Big5",
        "euc_kr": "EUC-KR",
        "cp1251": "windows-1251",
        "cp1253": "windows-1253",
        "cp1256": "windows-1256",
    }
)
"""Python's names of the encodings that a text is recognised by, and how they are called.

Encodings of Latin letters are as good as equal for every program that looks at bytes: those are the last resort.
"""

LEAST_BYTES = 32
"""With fewer bytes beyond ASCII nothing is recognised: those of a few words fit many encodings."""

LOOKED_AT = 64 * 1024
"""Bytes from the start that decide what a text is recognised as."""

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
OF_PYTHON = frozenset({"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"})
"""Encodings in which no document is: some fail with every text, and one has freed memory read (CVE-2025-4516)."""


class Decoded(NamedTuple):
    """A text, and the encoding it was in: `warning` is '' when it was UTF-8 or said so by a mark."""

    text: str
    warning: str = ""


def declared_encoding(head: bytes) -> str | None:
    """The encoding that an XML declaration or an HTML `meta` element at the start of `head` names."""
    match = DECLARATION.search(head[:DECLARED_WITHIN])
    return (match[1] or match[2]).decode("ascii") if match else None


def recognised(data: bytes) -> str | None:
    """The encoding, one of RECOGNISED, that the start of a text which is not UTF-8 has by its bytes; None if unknown.

    Give it the start of a whole file: a single line has too few bytes to tell.
    """
    start = data[:LOOKED_AT]
    if len(start.translate(None, bytes(range(128)))) < LEAST_BYTES:
        return None
    from charset_normalizer import from_bytes

    best = from_bytes(start, cp_isolation=[*RECOGNISED, "cp1250", "cp1252"]).best()
    return best.encoding if best is not None and best.encoding in RECOGNISED else None


def encoding_of(start: bytes) -> str | None:
    """What a file that starts so is in, to be given to `decode` as declared; None for UTF-8 that declares nothing."""
    if (declared := declared_encoding(start)) is not None:
        return declared
    return None if starts_as_utf8(start) else recognised(start) or LAST_RESORT


def starts_as_utf8(start: bytes) -> bool:
    """Whether the start of a file is UTF-8, whose last letter may be cut."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return True


def decode(data: bytes, declared: str | None = None, chosen: str | None = None) -> Decoded:
    """The text of some bytes, without a byte order mark; never an error.

    `declared` is the encoding that a header names; `chosen` is that of the person who sent the file, and decides alone.
    """
    if declared is None and data.isascii():
        return Decoded(data.decode())  # as most is, found in a third of the time
    if chosen is not None:
        return Decoded(data.decode(codec(chosen) or LAST_RESORT, errors="replace").removeprefix("\ufeff"))
    for mark, encoding in MARKS:
        if data.startswith(mark):
            size = len(mark) if encoding == "utf-8" else 0
            return Decoded(data[size:].decode(encoding, errors="replace").removeprefix("\ufeff"))
    known = codec(declared)
    if known and known.startswith(SEVEN_BIT):
        return Decoded(data.decode(known, errors="replace"))
    try:
        return Decoded(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        return _decode_otherwise(data, known, error)


def _decode_otherwise(data: bytes, known: str | None, error: UnicodeDecodeError) -> Decoded:
    if known and known not in ("utf-8", "ascii"):
        try:
            return Decoded(data.decode(known), f"read as {known}, as declared; it is not UTF-8")
        except (UnicodeDecodeError, LookupError):
            pass
    place = f"byte {error.start + 1} is {data[error.start]:#04x}"
    found = recognised(data)
    name = LAST_RESORT if found is None else RECOGNISED[found]
    warning = f"this is not UTF-8 ({place}); read as {name}: convert it to UTF-8 if that is wrong"
    return Decoded(data.decode(found or LAST_RESORT, errors="replace"), warning)


def codec(name: str | None) -> str | None:
    """Python's name of an encoding of text, None if it has none."""
    if not name:
        return None
    try:
        info = codecs.lookup(name)
    except LookupError:
        return None
    # Web browsers read ISO 8859-1 as windows-1252, and pages are written for them.
    wanted = LAST_RESORT if info.name in ("iso8859-1", "ascii") else info.name
    return wanted if getattr(info, "_is_text_encoding", True) and info.name not in OF_PYTHON else None


def well_formed(text: str) -> str:
    """The text with halves of surrogate pairs, which no file can store, replaced by the replacement character."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", errors="surrogatepass").decode("utf-16", errors="replace")
    return text
