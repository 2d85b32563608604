"""Opening, reading, naming and writing files: compressed as they come, `-` for standard input and output.

A file to read may stand at an address too, see `workbench.formats.text.addresses`.

Whatever goes wrong with a file (missing, a folder, damaged, not allowed) is an `InputError` with one problem.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from workbench.core.atomic_files import drafting, put_over
from workbench.core.errors import InputError, Problem
from workbench.core.records import Source
from workbench.formats.text.addresses import (
    AtAddress,
    is_address,
    is_made_of_records,
    read_address,
    without_secrets,
)
from workbench.formats.text.compression import HEAD, Damaged, DecompressedStream, compression_of, decompress
from workbench.formats.text.unreadable import Unreadable

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

OnBytes = Callable[[int], None]
OnStored = Callable[[memoryview], None]

STANDARD_STREAM = "-"
PIECE = 64 * 1024
"""How many bytes are asked of the system at once."""
FAR_PIECE = 1024 * 1024
"""The same of an address, where each time costs more."""

WAYS_OUT: dict[type[OSError], str] = {
    FileNotFoundError: "this file does not exist; check the name",
    IsADirectoryError: "this is a folder; name the files in it",
    PermissionError: "it may not be read or written; check its permissions",
}


def refused(path: str | Path, message: str, line: int | None = None) -> InputError:
    """The error for a file with this one problem."""
    return InputError([Problem(without_secrets(path), line, message)])


@contextlib.contextmanager
def _explained(path: str | Path) -> Iterator[None]:
    """Turn the system's error about a file into one for people."""
    try:
        yield
    except Damaged as damage:
        raise _damaged(path, damage) from damage
    except Unreadable as error:
        raise refused(path, str(error)) from None
    except OSError as error:
        message = WAYS_OUT.get(type(error), f"the operating system reports: {error.strerror or error}")
        raise refused(path, message) from error


def _damaged(path: str | Path, damage: Damaged) -> InputError:
    return refused(path, f"{damage}; copy or download the file again")


class _StandardInput(io.RawIOBase):
    """Standard input as it is now; closing this leaves it open."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        target = memoryview(buffer).cast("B")
        data = cast("io.BufferedReader", sys.stdin.buffer).read1(len(target))
        target[: len(data)] = data
        return len(data)


class _Watched(io.RawIOBase):
    """A stream whose bytes are handed on as they are read."""

    def __init__(self, stored: io.RawIOBase, on_stored: OnStored) -> None:
        self._stored = stored
        self._on_stored = on_stored

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        size = self._stored.readinto(buffer) or 0
        self._on_stored(memoryview(buffer)[:size])
        return size

    def close(self) -> None:
        self._stored.close()
        super().close()


class Digest:
    """Size and SHA-256 of a file as it is stored, taken while it is read."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._size = 0

    def update(self, data: memoryview) -> None:
        """Take the next bytes."""
        self._hash.update(data)
        self._size += len(data)

    def source(self, path: str) -> Source:
        """What was read so far, under this name."""
        return Source(path, self._size, self._hash.hexdigest())


class DigestOfLines(Digest):
    """The same of lines in any order: the sum of the SHA-256 of each, modulo 2^256.

    It tells lines that were changed by accident or by use, not those that were chosen to have the same sum.
    """

    def __init__(self) -> None:
        super().__init__()
        self._sum = 0
        self._rest = b""

    def update(self, data: memoryview) -> None:
        """Take the next bytes."""
        self._size += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._sum += int.from_bytes(hashlib.sha256(line).digest())

    def source(self, path: str) -> Source:
        """What was read so far, under this name."""
        return Source(path, self._size, f"{self._sum % 2**256:064x}")


def digest_of(address: str) -> Digest:
    """What takes the digest of an address."""
    return DigestOfLines() if is_made_of_records(address) else Digest()


def _check_standard_input() -> None:
    if sys.stdin is None:  # closed by the parent process
        raise refused(STANDARD_STREAM, "standard input is closed; name a file instead")


def _stored_stream(path: str | Path) -> io.RawIOBase:
    if str(path) == STANDARD_STREAM:
        _check_standard_input()
        return _StandardInput()
    if is_address(path):
        return AtAddress(str(path), lambda error: refused(path, str(error)))
    return io.FileIO(path)


def open_input(
    path: str | Path, on_bytes: OnBytes | None = None, on_stored: OnStored | None = None
) -> io.BufferedReader:
    """The bytes of a file as a stream, decompressed; `-` is standard input.

    What kind of compression it is (gzip, xz, bzip2, zstandard) is seen from the first bytes, not from the name.
    `on_bytes` is called with the number of stored bytes read so far, piece by piece, `on_stored` with the bytes; the
    first of them not for `-`, the second perhaps in another thread.
    Raises `InputError` here when the file cannot be opened, and while it is read when it is damaged.
    """
    from workbench.formats.text.read_ahead import ReadAhead, Tally

    tally = Tally(on_bytes) if on_bytes is not None and str(path) != STANDARD_STREAM else None
    with _explained(path):
        stored = _stored_stream(path)
        if tally is not None:
            stored = _Watched(stored, tally.note)
        if on_stored is not None:
            stored = _Watched(stored, on_stored)
        stream: io.BufferedReader = io.BufferedReader(
            stored, buffer_size=FAR_PIECE if is_address(path) else PIECE
        )
        compression = compression_of(stream.peek(HEAD)[:HEAD])
    if compression is not None:
        unpacked = DecompressedStream(stream, compression, lambda damage: _damaged(path, damage))
        return io.BufferedReader(ReadAhead(unpacked, tally), buffer_size=PIECE)
    return io.BufferedReader(ReadAhead(stream, tally), buffer_size=PIECE) if is_address(path) else stream


def _stored_bytes(path: str | Path, *, topics: bool = False) -> bytes:
    with _explained(path):
        if str(path) == STANDARD_STREAM:
            _check_standard_input()
            return sys.stdin.buffer.read()
        if is_address(path):
            return read_address(str(path), topics=topics)
        return Path(path).read_bytes()


def read_with_source(path: str | Path, *, topics: bool = False) -> tuple[bytes, Source]:
    """The decompressed bytes of a file, and the file as it was stored, from one reading.

    The id of a collection means its qrels, or its topics.
    """
    stored = _stored_bytes(path, topics=topics)
    source = Source(without_secrets(path), len(stored), hashlib.sha256(stored).hexdigest())
    with _explained(path):
        return decompress(stored), source


def read_bytes(path: str | Path) -> bytes:
    """The decompressed bytes of a whole file, also at an address; `-` is standard input."""
    stored = _stored_bytes(path)
    with _explained(path):
        return decompress(stored)


def describe(path: str | Path) -> Source:
    """A file as it is stored: the size and SHA-256 of its own (compressed) bytes. Not for `-` or a folder."""
    if str(path) == STANDARD_STREAM:
        raise refused(path, "standard input can be read only once; save it as a file first")
    with _explained(path), Path(path).open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
        return Source(str(path), stream.tell(), digest)


def write_atomically(
    path: str | Path, chunks: Iterable[bytes | str], sure: Callable[[], None] | None = None
) -> None:
    """Write a file as a whole or not at all: beside it first, to the disk, then over it in one step.

    Text is written as UTF-8. `-` is standard output. A device or pipe (`/dev/stdout`) is written to directly,
    a link is followed, and a file that is replaced keeps its permissions. If `chunks` raises, nothing changed.
    `sure` is called after the last chunk: if it raises, nothing changed either, and nothing went to a device or pipe.
    """
    if str(path) == STANDARD_STREAM:
        _write_directly(path, sys.stdout.buffer, chunks, sure)
        sys.stdout.buffer.flush()
        return
    with _explained(path):
        target = Path(path).resolve()
        if not target.parent.is_dir():
            raise refused(path, f"the folder {target.parent} does not exist; create it first")
        if target.exists() and not target.is_file():
            with target.open("wb") as stream:
                _write_directly(path, stream, chunks, sure)
            return
        with drafting(target, wait=True) as draft:
            _write_file(draft, chunks)
            if sure is not None:
                sure()
            if target.exists():
                shutil.copymode(target, draft)
            put_over(draft, target)


def _write_directly(
    path: str | Path, stream: BinaryIO, chunks: Iterable[bytes | str], sure: Callable[[], None] | None
) -> None:
    """Write where nothing can be taken back; what has to wait for `sure` waits in a temporary file."""
    if sure is None:
        _write(stream, chunks)
        return
    with tempfile.TemporaryFile() as held:
        with _explained(path):
            _write(held, chunks)
        sure()
        held.seek(0)
        shutil.copyfileobj(held, stream)


def _write(stream: BinaryIO, chunks: Iterable[bytes | str]) -> None:
    for chunk in chunks:
        stream.write(chunk.encode() if isinstance(chunk, str) else chunk)


def _write_file(path: Path, chunks: Iterable[bytes | str]) -> None:
    with path.open("xb") as stream:
        _write(stream, chunks)
