"""Compressed bytes, known by their first bytes and not by the name of the file: gzip, xz, bzip2, zstandard.

A damaged or cut-off file raises `Damaged`; it never ends early in silence. Several members one after another
(as `cat a.gz b.gz` makes them) are read as one.
"""

from __future__ import annotations

import contextlib
import sys
import zlib
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, BinaryIO, NamedTuple, Protocol

from workbench.formats.text.streams import ByteStream

HEAD = 10
"""How many bytes `compression_of` needs to see."""

CHUNK = 352 * 1024
"""How many bytes of a compressed file are read at once."""

MADE = 704 * 1024
"""How many bytes of text are made at once. The thread that unpacks waits for others a few times for each."""

FED = 4096
"""How many bytes a member is given first: it hands back a copy of what lies behind its end, however short it was.

Then they double, up to `CHUNK`, so that what is handed back is never much longer than the member.
"""

ZSTANDARD_MAGIC = b"\x28\xb5\x2f\xfd"

XZ_MEMORY = 256 << 20
"""What unpacking xz may take, bytes: `xz -9` asks for 65 MB, a file can ask for 4 GB."""


class Damaged(Exception):
    """The compressed bytes end too early or are not what they claim to be; the message says which."""


class Decompressor(Protocol):
    """One member of a compressed file, as lzma and bz2 read it."""

    @property
    def eof(self) -> bool:
        """Whether the end of the member was reached."""

    @property
    def needs_input(self) -> bool:
        """Whether there is no more text in what was given so far."""

    @property
    def unused_data(self) -> bytes:
        """What was given beyond the end."""

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """The next bytes of text, of which there may be more."""


class _Gzip:
    """A member of gzip as lzma and bz2 would read it."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(wbits=31)
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._member.eof

    @property
    def unused_data(self) -> bytes:
        return self._member.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        text = self._member.decompress(self._member.unconsumed_tail + data, max_length)
        self.needs_input = len(text) < max_length and not self._member.unconsumed_tail
        return text


class Compression(NamedTuple):
    """A kind of compression: its name, the first bytes of such a file, a decompressor for one member."""

    name: str
    magic: bytes
    start: Callable[[], Decompressor]


def zstd() -> Any:
    """The module of zstandard, which Python itself has from 3.14 on."""
    return import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")


# Each library is loaded where a file needs it.
COMPRESSIONS = (
    Compression("gzip", b"\x1f\x8b", _Gzip),
    Compression("xz", b"\xfd7zXZ\x00", lambda: import_module("lzma").LZMADecompressor(memlimit=XZ_MEMORY)),
    Compression("bzip2", b"BZh", lambda: import_module("bz2").BZ2Decompressor()),
    Compression("zstandard", ZSTANDARD_MAGIC, lambda: zstd().ZstdDecompressor()),
)
BZIP2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")


def compression_of(head: bytes) -> Compression | None:
    """The compression of a file that starts with `head` (at least `HEAD` bytes of it), or None if it is plain."""
    for compression in COMPRESSIONS:
        if head.startswith(compression.magic):
            # 'BZh' may begin an ordinary text, so the first block has to follow.
            if compression.name == "bzip2" and head[4:10] not in BZIP2_BLOCKS:
                return None
            return compression
    return None


class _Members:
    """The members of one compressed file, fed with its bytes in order."""

    def __init__(self, compression: Compression) -> None:
        self.compression = compression
        self.member: Decompressor | None = compression.start()
        self.read_any = False
        self._fed = FED

    def texts(self, data: bytes) -> Iterator[bytes]:
        """The text of the next bytes of the file in pieces, each made when it is its turn."""
        at = 0
        while at < len(data):
            given = data[at : at + self._fed]
            at += len(given)
            if self.member is None:
                given = given.lstrip(b"\0")  # padding between members is allowed
                if not given:
                    continue
                self.member = self.compression.start()
            self._fed = min(2 * self._fed, CHUNK)
            yield from self._unpacked(self.member, given)
            if self.member.eof:
                at -= len(self.member.unused_data)
                self.read_any, self.member, self._fed = True, None, FED

    def _unpacked(self, member: Decompressor, data: bytes) -> Iterator[bytes]:
        """The text of the next bytes of a member, up to its end."""
        while data or not (member.needs_input or member.eof):
            try:
                text = member.decompress(data, MADE)
            except MemoryError:
                raise
            except Exception as error:
                raise Damaged(self._what_happened(error)) from error
            data = b""
            if text:
                yield text

    def close(self) -> None:
        """Say whether the file may end here."""
        if self.member is not None:
            raise Damaged(f"the {self.compression.name} data ends too early")

    def _what_happened(self, error: Exception) -> str:
        if self.read_any:
            return f"something that is not {self.compression.name} follows the {self.compression.name} data"
        return f"the {self.compression.name} data is damaged ({error})"


def decompress(data: bytes) -> bytes:
    """The text of a whole file, plain or compressed; `Damaged` if it cannot be had in full."""
    compression = compression_of(data[:HEAD])
    if compression is None:
        return data
    members = _Members(compression)
    text = b"".join(members.texts(data))
    members.close()
    return text


def unpacked_text(data: bytes, most: int) -> str:
    """The text in UTF-8 that was packed by zlib; ValueError for what is none, or has more than so many bytes."""
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(data, most).decode()
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if not unpacking.eof or unpacking.unused_data:
        raise ValueError("it does not end where it should")
    return text


def unpacked_size(stream: BinaryIO, most: int) -> int:
    """How many bytes of text a compressed stream holds, counted until they are more than `most`; 0 if it is plain.

    Counted by what reads the file later on, so that nothing is text for the one and not for the other. Never more
    than 704 KiB of text are in memory, however well they are compressed. A damaged stream is measured up to the
    damage: what reads it then says what is wrong.
    """
    compression = compression_of(stream.read(HEAD))
    stream.seek(0)
    if compression is None:
        return 0
    members = _Members(compression)
    size = 0
    with contextlib.suppress(Damaged):
        while size <= most and (data := stream.read(CHUNK)):
            for text in members.texts(data):
                size += len(text)
                if size > most:
                    break
    return size


class DecompressedStream(ByteStream):
    """The text of a compressed stream, read piece by piece; `failed` turns a `Damaged` into what is raised."""

    def __init__(
        self, stream: BinaryIO, compression: Compression, failed: Callable[[Damaged], Exception]
    ) -> None:
        self._stream: BinaryIO = stream
        self._members = _Members(compression)
        self._failed = failed
        self._texts: Iterator[bytes] = iter(())
        self._text = memoryview(b"")

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes of text, at most so many; without a copy where a text is not longer than that."""
        if size < 0:
            return self.readall()
        text = self.next_bytes(size)
        whole = text.obj
        return whole if isinstance(whole, bytes) and len(whole) == len(text) else bytes(text)

    def next_bytes(self, most: int) -> memoryview:
        """The next bytes of text, without a copy."""
        try:
            while not self._text:
                self._text = memoryview(next(self._texts, b""))
                if self._text:
                    break
                if not (data := self._stream.read(CHUNK)):
                    self._members.close()
                    break
                self._texts = self._members.texts(data)
        except Damaged as damage:
            raise self._failed(damage) from damage
        text, self._text = self._text[:most], self._text[most:]
        return text
