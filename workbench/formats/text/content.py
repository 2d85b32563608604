"""The text of a file of lines, as bytes in UTF-8, once it is certain that it is text at all."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, cast

from workbench.core.errors import InputError, Problem
from workbench.formats.text.addresses import Unreadable, matching, without_secrets
from workbench.formats.text.commands import command
from workbench.formats.text.files import open_input, read_bytes, refused

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

PARQUET_START = b"PAR1"
OTHER_ENCODINGS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)

START = 64 * 1024
"""Bytes in which the first line of a table ends, and what is not blank begins."""
HEAD = 512
"""How many bytes `binary_kind` wants to see."""

UNPACK = "unpack it first"
TO_TEXT = "convert it to text first (.txt, .html or .jsonl)"

SIGNATURES: tuple[tuple[bytes, str, str], ...] = (
    (b"%PDF", "a PDF file", TO_TEXT),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file (.doc, .xls, .ppt)", TO_TEXT),
    (b"{\\rtf", "a rich-text file", TO_TEXT),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", UNPACK),
    (b"Rar!", "a RAR archive", UNPACK),
    (b"\x04\x22\x4d\x18", "an LZ4 file", UNPACK),
    (b"SQLite format 3\x00", "an SQLite database", "export its table as .jsonl or .csv"),
    (PARQUET_START, "a parquet file", "export its table as .jsonl or .csv"),
    (b"\x89PNG", "a picture", "only text can be judged"),
    (b"\xff\xd8\xff", "a picture", "only text can be judged"),
    (b"GIF8", "a picture", "only text can be judged"),
)
ZIP = b"PK\x03\x04"
OFFICE_MEMBERS = (b"[Content_Types].xml", b"word/", b"xl/", b"ppt/", b"mimetype", b"_rels/")
TAR, TAR_AT = b"ustar", 257
WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")


class Content(NamedTuple):
    """What a file holds: its name as given, of an address what may be shown; its bytes without compression and mark.

    `note` says what form the file had, if it was another than lines; `has_ranks` whether that had ranks.
    """

    file: str
    data: bytes
    note: str = ""
    has_ranks: bool = True


def load(path: str | Path | Content, encoding: str = "") -> Content:
    """Read a file of text lines; an empty or binary file or one in UTF-16 is an `InputError`.

    `encoding` as in `content_of`. What was loaded already, such as on another machine, stays as it is.
    """
    return path if isinstance(path, Content) else content_of(path, read_bytes(path), encoding)


def name_of(path: str | Path | Content) -> str:
    """How a file is called where it is shown: as it was given, of an address without what is secret."""
    return path.file if isinstance(path, Content) else without_secrets(path)


def stream_of(path: str | Path | Content) -> io.BufferedReader:
    """The bytes of a file without compression as a stream, also of one that was read already."""
    if not isinstance(path, Content):
        return open_input(path)
    return io.BufferedReader(cast("io.RawIOBase", io.BytesIO(path.data)))


def is_json(path: str | Path | Content | io.BufferedReader) -> bool:
    """Whether a file, or what is next of a stream, begins as JSON does."""
    if not isinstance(path, io.BufferedReader):
        with stream_of(path) as stream:
            return is_json(stream)
    return path.peek(START)[:START].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")


def expanded(runs: Sequence[str]) -> list[str]:
    """Each address with `*` or `[` as all that match it now. `InputError` names those that match nothing."""
    found: list[str] = []
    problems: list[Problem] = []
    for run in runs:
        try:
            found += matching(run)
        except Unreadable as error:
            problems.append(Problem(name_of(run), None, str(error)))
    if problems:
        raise InputError(problems)
    return found


def content_of(path: str | Path, data: bytes, encoding: str = "") -> Content:
    """The same of bytes that are here already, without compression; errors name them `path`.

    `encoding` is what someone says that they are in, '' for UTF-8.
    """
    if not data:
        raise refused(path, "the file is empty; was it written to the end?")
    if encoding:
        data = _in_utf8(path, data, encoding)
    for mark, encoding in OTHER_ENCODINGS:
        if data.startswith(mark):
            raise refused(path, f"the file is in {encoding}; convert it: {command(encoding)}")
    if b"\0" in data:
        raise _binary(path, data)
    return Content(without_secrets(path), data.removeprefix(BYTE_ORDER_MARK))


def _in_utf8(path: str | Path, data: bytes, encoding: str) -> bytes:
    try:
        return data.decode(encoding).removeprefix("\ufeff").encode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = (
            f"byte {data[error.start]:#04x} is not valid in {encoding}; name the encoding that the file is in"
        )
        raise refused(path, message, line) from error
    except UnicodeEncodeError as error:
        raise refused(path, f"its text in {encoding} cannot be written in UTF-8") from error


def _binary(path: str | Path, data: bytes) -> InputError:
    """The error for bytes with a NUL among them: what kind of file it is, or where the NUL stands."""
    if (kind := binary_kind(data[:HEAD])) is not None:
        return refused(path, f"this is {kind}")
    line = data.count(b"\n", 0, data.index(b"\0")) + 1
    return refused(
        path, "a NUL byte: this is a binary file or a damaged one; name a file of text lines", line
    )


def binary_kind(head: bytes) -> str | None:
    """What a file without plain text is, with the way out, to follow 'this is'; None if it may be text."""
    for signature, kind, way_out in SIGNATURES:
        if head.startswith(signature):
            return f"{kind}: {way_out}"
    if head.startswith(ZIP):
        office = any(member in head[:HEAD] for member in OFFICE_MEMBERS)
        return f"an Office file (.docx, .xlsx, .pptx): {TO_TEXT}" if office else f"a zip archive: {UNPACK}"
    if head[TAR_AT : TAR_AT + len(TAR)] == TAR:
        return f"a tar archive: {UNPACK}"
    if b"\0" in head and not head.startswith(WIDE_MARKS):
        return "a binary file: name a file of text"
    return None


BATCH_ROWS = 2048
"""Rows that are in memory at once."""


@contextmanager
def reading_parquet(file: str) -> Iterator[None]:
    """Raise `InputError` where polars cannot read a parquet file in the block."""
    import polars as pl

    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        # A panic of the compiled code is what some damaged pages end in; it is no Exception of Python's.
        reason = str(error).split("\n", 1)[0][:200]
        raise refused(file, f"the parquet file cannot be read: {reason}") from error
