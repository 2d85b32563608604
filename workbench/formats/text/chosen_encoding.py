"""The encoding that a person names for files which do not say it: a name that is checked, and a stream read by it."""

from __future__ import annotations

import codecs
from encodings.aliases import aliases
from typing import BinaryIO

from workbench.core.wording import none_such
from workbench.formats.text.encoding import LEAST_BYTES, codec, starts_as_utf8
from workbench.formats.text.files import PIECE, refused
from workbench.formats.text.streams import ByteStream

MARKUP = b'<a b="1">\t{}'
"""Characters that files of documents are known by, which most encodings have in the places of ASCII."""


def checked_encoding(name: str) -> str:
    """The name of an encoding of text; ValueError, with names like it, for one that there is not."""
    if name and codec(name) is None:
        known = {alias.replace("_", "-") for alias in (*aliases, *aliases.values()) if codec(alias)}
        raise ValueError(none_such("encoding", name[:40], sorted(known)))
    return name


def document_encoding(name: str) -> str:
    """The same for documents, whose files are told apart by characters of ASCII: ValueError where there are others."""
    try:
        if not checked_encoding(name) or MARKUP.decode(codec(name) or "") == MARKUP.decode():
            return name
    except UnicodeError:
        pass
    raise ValueError(f"{name!r} does not hold the letters of ASCII as they are; convert the files to UTF-8")


def is_surely_utf8(start: bytes) -> bool:
    """Whether a text that starts so is UTF-8 by a byte order mark, or by enough letters beyond ASCII."""
    beyond = len(start.translate(None, bytes(range(128))))
    return start.startswith(codecs.BOM_UTF8) or (beyond >= LEAST_BYTES and starts_as_utf8(start))


class InUtf8(ByteStream):
    """A stream in a named encoding, read in UTF-8; `InputError` with line and place for bytes that it does not have."""

    def __init__(self, stream: BinaryIO, file: str, encoding: str) -> None:
        self._stream: BinaryIO = stream
        self._file, self._encoding = file, encoding
        self._decoder = codecs.getincrementaldecoder(codec(encoding) or "")()
        self._ready = memoryview(b"")
        self._read = self._lines = 0

    def next_bytes(self, most: int) -> memoryview:
        """What is decoded."""
        data = b" "
        while data and not self._ready:
            data = self._stream.read(PIECE)
            self._ready = memoryview(self._decoded(data))
        found, self._ready = self._ready[:most], self._ready[most:]
        return found

    def _decoded(self, data: bytes) -> bytes:
        before = self._read - len(self._decoder.getstate()[0])
        try:
            text = self._decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            line = self._lines + error.object.count(b"\n", 0, error.start) + 1
            byte, place = error.object[error.start], before + error.start + 1
            message = (
                f"byte {byte:#04x} at {place:,} is not valid in {self._encoding}; "
                "name the encoding that the file is in (--encoding)"
            )
            raise refused(self._file, message, line) from error
        self._read += len(data)
        self._lines += data.count(b"\n")
        return text.encode("utf-8", errors="replace")
