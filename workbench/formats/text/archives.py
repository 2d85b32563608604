"""ZIP and tar archives of runs, read without trust: each file goes to a path of our own, a piece at a time.

What an archive says decides neither where something is written nor how much of it. tar may be compressed as every file
may (`workbench.formats.text.compression`); which kind an archive is, its first bytes say.
"""

from __future__ import annotations

import io
import re
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any, NamedTuple

from workbench.core.errors import SHOWN_PROBLEMS, InputError, Problem
from workbench.core.wording import listed, sized
from workbench.formats.text.files import explained, open_input, refused

COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Those of ZIP of which every Python unpacks no more than is asked for (CVE-2026-15310)."""

DAMAGED = (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, RuntimeError, ValueError)
"""What reading an archive may raise: a name that is no UTF-8 is a ValueError, a password a RuntimeError."""

MOST_FILES, LARGEST = 2_000, 8 << 30
"""How many entries an archive may have, and bytes in all of them."""

PIECE, LONGEST_HEADER, LONGEST_NAME, SHOWN = 1 << 16, 4 << 20, 300, 100
OUTSIDE = re.compile(r"[A-Za-z]:|\.\.|")
"""Parts of a name that lead out of an archive: the one in front of a leading slash is empty."""

ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")
STARTS_OF_NONE = (b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8")
NAMES_OF_NONE = re.compile(
    r"(.*/)?(\..*|__MACOSX/.*|Thumbs\.db|desktop\.ini|(readme|licen[cs]e|copying|changelog)[^/]*"
    r"|[^/]*\.(md|rst|pdf|docx?|html?|png|jpe?g|gif|svg|py|sh|ya?ml|tex|bib))",
    re.IGNORECASE,
)
"""Names of files that lie beside runs and are none."""

Count = Callable[[int], None]
IS_LINK = "is a link or device; pack the file itself"


class Room:
    """How many bytes files may still hold when they are unpacked; `message` refuses the one that holds more."""

    def __init__(self, most: int, message: str) -> None:
        self.left, self._message = most, message

    def count(self, name: str, size: int) -> None:
        """Take this number of bytes for what is packed in the file of this name."""
        self.left -= size
        if self.left < 0:
            self.left = 0
            raise refused(name, self._message)


class Unpacked(NamedTuple):
    """The files of an archive by their paths, each named `archive.zip/run.txt`, and what is said of others in it."""

    files: dict[str, str]
    notes: tuple[Problem, ...]


_Entry = tuple[str, bool, str, Callable[[], Any]]
"""One entry: its name, whether it is a folder, what is wrong with it, and its content as a stream."""


def archive_kind(path: str | Path) -> str:
    """'zip' or 'tar' for an archive; '' for any other file, for one that cannot be read, and for no file at all."""
    try:
        if not Path(path).is_file():
            return ""
        with Path(path).open("rb") as stored:
            if stored.read(4) in ZIP_STARTS:
                return "zip"
        with open_input(path) as stream:
            tarfile.TarInfo.frombuf(stream.read(tarfile.BLOCKSIZE), "utf-8", "surrogateescape")
    except (InputError, OSError, tarfile.HeaderError):
        return ""
    return "tar"


def unpack_runs(path: str | Path, name: str, target: Path, room: Room | None = None) -> Unpacked:
    """Unpack the files of an archive that may be runs into a new folder.

    Args:
        path: an archive, see `archive_kind`.
        name: what it goes by.
        room: how much may be unpacked; LARGEST where it is not said.

    Raises:
        InputError: it is damaged, holds too much, or one of its entries is not to be trusted. What was unpacked up to
            then is in the folder.
    """
    target.mkdir()
    room = room or Room(LARGEST, f"unpacked, it holds more than {sized(LARGEST)}; send several archives")
    is_zip, count = archive_kind(path) == "zip", partial(room.count, name)
    entries = _of_zip(path, count) if is_zip else _of_tar(path, count)
    try:
        with explained(name):
            return _unpacked(entries, name, target)
    except InputError as error:
        raise InputError([problem._replace(file=name) for problem in error.problems], error.more) from error
    except DAMAGED as error:
        raise refused(name, f"the archive is damaged ({error}); pack it and send it again") from error


def _unpacked(entries: Iterator[_Entry], name: str, target: Path) -> Unpacked:
    files, passed, problems, seen = dict[str, str](), list[str](), list[Problem](), set[str]()
    for number, (full, is_folder, wrong, content) in enumerate(entries):
        if number == MOST_FILES:
            raise refused(name, f"the archive holds more than {MOST_FILES:,} files; send several archives")
        parts = re.split(r"[/\\]", full.rstrip("/\\"))
        inner = "/".join(part for part in parts if part != ".")
        wrong = _wrong_name(inner, parts, seen) or ("" if is_folder else wrong)
        seen.add(inner)
        if not (wrong or problems or is_folder):
            file = target / str(number)
            if NAMES_OF_NONE.fullmatch(inner) or _write(content, file).startswith(STARTS_OF_NONE):
                passed.append(inner)
            elif archive_kind(file):
                wrong = "is an archive itself; unpack it, and send the files in it"
            else:
                files[str(file)] = f"{name}/{inner}"
        if wrong:
            problems.append(Problem(name, None, f"{inner[:SHOWN]!r} in the archive {wrong}"))
    if problems:
        raise InputError(problems[:SHOWN_PROBLEMS], max(0, len(problems) - SHOWN_PROBLEMS))
    if not files:
        raise refused(
            name, f"the archive has no run in it, only: {listed(passed) or 'nothing'}; pack the run files"
        )
    note = Problem(name, None, f"passed over in this archive, since they are no runs: {listed(passed)}")
    return Unpacked(files, (note,) if passed else ())


def _wrong_name(inner: str, parts: list[str], seen: set[str]) -> str:
    if len(inner) > LONGEST_NAME or not inner.isprintable():
        return "has a name that is too long or no text in UTF-8; rename the file and pack it again"
    if any(map(OUTSIDE.fullmatch, parts)):
        return "leads out of it; pack the files by their names inside one folder"
    return "is there twice; rename one of the two" if inner and inner in seen else ""


def _write(content: Callable[[], Any], file: Path) -> bytes:
    """Write an entry to a file; its first bytes."""
    with file.open("xb") as target, content() as stream:
        first: bytes = stream.read(PIECE)
        target.write(first)
        shutil.copyfileobj(stream, target, PIECE)
    return first


def _of_zip(path: str | Path, count: Count) -> Iterator[_Entry]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            content = partial(lambda entry: _Onwards(archive.open(entry), count), info)
            yield _zip_name(info), info.is_dir(), _wrong_in_zip(info), content


def _zip_name(info: zipfile.ZipInfo) -> str:
    """The name as meant: some programs write UTF-8 and do not say so; not printable where it is something else."""
    if info.flag_bits & 0x800 or info.orig_filename.isascii():
        return info.orig_filename
    return info.orig_filename.encode("cp437").decode("utf-8", "surrogateescape")


def _wrong_in_zip(info: zipfile.ZipInfo) -> str:
    if info.create_system == 3 and stat.S_IFMT(info.external_attr >> 16) not in {0, stat.S_IFREG}:
        return IS_LINK
    if info.flag_bits & 1:
        return "is locked with a password; pack it without one"
    if info.compress_type not in COMPRESSIONS:
        return "is compressed by another method than deflate; pack it again as usual"
    return ""


class _Onwards(io.RawIOBase):
    """A stream that is read onwards alone, counted, and little at once: a tar header may ask for gigabytes."""

    def __init__(self, stream: IO[bytes], count: Count) -> None:
        self._stream, self._count, self._at, self.last = stream, count, 0, b""

    def close(self) -> None:
        super().close()
        self._stream.close()

    def tell(self) -> int:
        return self._at

    def seek(self, place: int, whence: int = 0, /) -> int:
        while self._at < place and self.read(min(PIECE, place - self._at)):
            pass
        return self._at

    def read(self, size: int = -1, /) -> bytes:
        if not 0 <= size <= LONGEST_HEADER:
            raise tarfile.ReadError("one of its headers is too long")
        self.last = self._stream.read(size)
        self._at += len(self.last)
        self._count(len(self.last))
        return self.last


def _of_tar(path: str | Path, count: Count) -> Iterator[_Entry]:
    with open_input(path) as stored:
        stream = _Onwards(stored, count)
        with tarfile.TarFile(fileobj=stream, encoding="utf-8", errors="surrogateescape") as archive:
            while (info := archive.next()) is not None:
                wrong = "" if info.isreg() else IS_LINK
                yield info.name, info.isdir(), wrong, partial(archive.extractfile, info)
        if len(stream.last) < tarfile.BLOCKSIZE or any(stream.last):  # tarfile ends at what it cannot read
            raise tarfile.ReadError("it ends too early, or is broken off in the middle")
        while stream.read(PIECE):  # up to the checksum of what is compressed
            pass
