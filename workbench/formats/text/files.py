"""Opening and reading files: compressed as they come, `-` for standard input, at an address too (addresses.py).

Whatever goes wrong with a file (missing, a folder, damaged, not allowed) is an `InputError` with one problem.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

from workbench.core.errors import InputError, Problem
from workbench.formats.text.addresses import AtAddress, Unreadable, is_address, read_address, without_secrets
from workbench.formats.text.compression import HEAD, Damaged, DecompressedStream, compression_of, decompress
from workbench.formats.text.readers import as_json_lines, has_reader
from workbench.formats.text.streams import ByteStream

OnBytes = Callable[[int], None]
OnStored = Callable[[memoryview], None]

STANDARD_STREAM = "-"
PIECE = 64 * 1024
"""How many bytes are asked of the system at once."""
FAR_PIECE = 1024 * 1024
"""The same of an address, where each time costs more."""
READERS = max(2, min(4, os.cpu_count() or 1))
"""How many files are read at once: decompression and parsing run outside the interpreter's lock."""

WAYS_OUT: dict[type[OSError], str] = {
    FileNotFoundError: "this file does not exist; check the name",
    IsADirectoryError: "this is a folder; name the files in it",
    PermissionError: "it may not be read or written; check its permissions",
}


def refused(path: str | Path, message: str, line: int | None = None, kind: str = "") -> InputError:
    """The error for a file with this one problem."""
    return InputError([Problem(without_secrets(path), line, message, kind)])


@contextlib.contextmanager
def explained(path: str | Path) -> Iterator[None]:
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


class _StandardInput(ByteStream):
    """Standard input as it is now; closing this leaves it open."""

    def next_bytes(self, most: int) -> bytes:
        return cast("io.BufferedReader", sys.stdin.buffer).read1(most)


class _Watched(ByteStream):
    """A stream whose bytes are handed on as they are read."""

    def __init__(self, stored: io.RawIOBase, on_stored: OnStored) -> None:
        self._stream: io.RawIOBase = stored
        self._on_stored = on_stored

    def next_bytes(self, most: int) -> bytes:
        data = self._stream.read(most) or b""
        self._on_stored(memoryview(data))
        return data


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
    with explained(path):
        stored = _stored_stream(path)
        if tally is not None:
            stored = _Watched(stored, tally.note)
        if on_stored is not None:
            stored = _Watched(stored, on_stored)
        stream: io.BufferedReader = io.BufferedReader(
            stored, buffer_size=FAR_PIECE if is_address(path) else PIECE
        )
        compression = compression_of(stream.peek(HEAD)[:HEAD])
    if has_reader(path):
        with explained(path), stream:
            lines = as_json_lines(path, decompress(stream.read()))
        return io.BufferedReader(cast("io.RawIOBase", io.BytesIO(lines)))
    if compression is not None:
        unpacked = DecompressedStream(stream, compression, lambda damage: _damaged(path, damage))
        return io.BufferedReader(ReadAhead(unpacked, tally), buffer_size=PIECE)
    return io.BufferedReader(ReadAhead(stream, tally), buffer_size=PIECE) if is_address(path) else stream


def stored_bytes(path: str | Path, *, topics: bool = False) -> bytes:
    """The bytes of a whole file as they are stored. The id of a collection means its qrels, or its topics."""
    with explained(path):
        if str(path) == STANDARD_STREAM:
            _check_standard_input()
            return sys.stdin.buffer.read()
        if is_address(path):
            return read_address(str(path), topics=topics)
        return Path(path).read_bytes()


def read_bytes(path: str | Path) -> bytes:
    """The decompressed bytes of a whole file, also at an address; `-` is standard input."""
    stored = stored_bytes(path)
    with explained(path):
        return as_json_lines(path, decompress(stored))
