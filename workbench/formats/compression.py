"""Compressed bytes, known by their first bytes and not by the name of the file: gzip, xz, bzip2, zstandard.

A damaged or cut-off file raises `Damaged`; it never ends early in silence. Several members one after another
(as `cat a.gz b.gz` makes them) are read as one.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol, cast

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

HEAD = 10
"""How many bytes `compression_of` needs to see."""

CHUNK = 256 * 1024

XZ_MEMORY = 256 << 20
"""What unpacking xz may take, bytes: `xz -9` asks for 65 MB, a file can ask for 4 GB."""


class Damaged(Exception):
    """The compressed bytes end too early or are not what they claim to be; the message says which."""


class Decompressor(Protocol):
    """What zlib, lzma, bz2 and zstandard have in common."""

    @property
    def eof(self) -> bool:
        """Whether the end of one member was reached."""

    @property
    def unused_data(self) -> bytes:
        """What was given beyond that end."""

    def decompress(self, data: bytes, /) -> bytes:
        """The text of the next bytes."""


class Compression(NamedTuple):
    """A kind of compression: its name, the first bytes of such a file, a decompressor for one member."""

    name: str
    magic: bytes
    start: Callable[[], Decompressor]


def _start_zstandard() -> Decompressor:
    import zstandard

    decompressor: Decompressor = zstandard.ZstdDecompressor().decompressobj()
    return decompressor


def _start_xz() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(memlimit=XZ_MEMORY)


def _errors() -> tuple[type[Exception], ...]:
    import zstandard

    return (zlib.error, lzma.LZMAError, OSError, EOFError, zstandard.ZstdError)


COMPRESSIONS = (
    Compression("gzip", b"\x1f\x8b", lambda: zlib.decompressobj(wbits=31)),
    Compression("xz", b"\xfd7zXZ\x00", _start_xz),
    Compression("bzip2", b"BZh", bz2.BZ2Decompressor),
    Compression("zstandard", b"\x28\xb5\x2f\xfd", _start_zstandard),
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
        self.errors = _errors()
        self.member: Decompressor | None = compression.start()
        self.read_any = False

    def feed(self, data: bytes) -> bytes:
        """The text of the next bytes of the file."""
        texts = []
        while data:
            if self.member is None:
                data = data.lstrip(b"\0")  # padding between members is allowed
                if not data:
                    break
                self.member = self.compression.start()
            try:
                texts.append(self.member.decompress(data))
            except self.errors as error:
                raise Damaged(self._what_happened(error)) from error
            data = b""
            if self.member.eof:
                self.read_any = True
                data, self.member = self.member.unused_data, None
        return texts[0] if len(texts) == 1 else b"".join(texts)

    def close(self) -> None:
        """Says whether the file may end here."""
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
    text = members.feed(data)
    members.close()
    return text


def expands_beyond(stream: BinaryIO, limit: int) -> bool:
    """Whether a compressed stream, at its start, holds more than `limit` bytes of text; False if it is plain.

    Never more than `CHUNK` bytes of text are in memory, however well they are compressed. A damaged stream is
    measured up to the damage: whoever reads it will say what is wrong.
    """
    head = stream.read(HEAD)
    stream.seek(0)
    compression = compression_of(head)
    if compression is None:
        return False
    size = 0
    with contextlib.suppress(*_errors()), _bounded(stream, compression) as text:
        while size <= limit and (piece := text.read(CHUNK)):
            size += len(piece)
    return size > limit


def _bounded(stream: BinaryIO, compression: Compression) -> BinaryIO:
    """The text of a compressed stream, of which no more is made than is asked for; the stream stays open."""
    if compression.name == "zstandard":
        import zstandard

        reader: BinaryIO = zstandard.ZstdDecompressor().stream_reader(
            stream, read_across_frames=True, closefd=False
        )
        return reader
    if compression.name == "gzip":
        return cast("BinaryIO", gzip.GzipFile(fileobj=stream))
    if compression.name == "bzip2":
        return cast("BinaryIO", bz2.BZ2File(stream))
    _start_xz().decompress(stream.read(CHUNK), 1)  # LZMAFile knows no limit of its own
    stream.seek(0)
    return cast("BinaryIO", lzma.LZMAFile(stream))


class DecompressedStream(io.RawIOBase):
    """The text of a compressed stream, read piece by piece; `failed` turns a `Damaged` into what is raised."""

    def __init__(
        self, stream: BinaryIO, compression: Compression, failed: Callable[[Damaged], Exception]
    ) -> None:
        self._stream = stream
        self._members = _Members(compression)
        self._failed = failed
        self._text = memoryview(b"")

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fills the buffer with the next bytes of text and says how many; 0 at the end."""
        while not self._text:
            data = self._stream.read(CHUNK)
            try:
                if not data:
                    self._members.close()
                    return 0
                self._text = memoryview(self._members.feed(data))
            except Damaged as damage:
                raise self._failed(damage) from damage
        target = memoryview(buffer).cast("B")
        size = min(len(target), len(self._text))
        target[:size] = self._text[:size]
        self._text = self._text[size:]
        return size

    def close(self) -> None:
        """Closes the compressed stream as well."""
        if not self.closed:
            self._stream.close()
        super().close()
