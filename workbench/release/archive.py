"""Archives that are the same bytes for the same content, and are read without trust.

Entries are in byte order of their names, with one fixed time, and SHA256SUMS, which covers them all, at the end.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import IO

from workbench.core.errors import InputError, Problem
from workbench.formats.text.archives import COMPRESSIONS, DAMAGED, PIECE
from workbench.formats.text.files import refused
from workbench.jobs.processes import OnStep

Content = Callable[[], Iterable[str | bytes]]
"""What makes the lines of a file, when it is its turn."""

CHECKSUMS = "SHA256SUMS"
EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The first time that a ZIP archive can name."""

LARGEST_ENTRY = 2 << 30
LARGEST_ARCHIVE = 8 << 30
MOST_ENTRIES = 10_000
"""What an archive may hold when it is unpacked: more is refused as soon as it shows."""

SUM_LINE = re.compile(r"([0-9a-f]{64})  (.+)")


def write_archive(
    stream: IO[bytes], folder: str, contents: Mapping[str, Content], *, on_step: OnStep | None = None
) -> None:
    """Write files, by their paths, into one folder of a ZIP archive, and the checksums of all of them.

    The stream can seek; `on_step` is called before each file is written.
    """
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        sums = []
        for place, name in enumerate(sorted(contents, key=str.encode)):
            if on_step is not None:
                on_step(place, len(contents), name)
            sums.append(f"{_write(archive, f'{folder}/{name}', contents[name]())}  {name}\n")
        _write(archive, f"{folder}/{CHECKSUMS}", sums)


def _write(archive: zipfile.ZipFile, name: str, chunks: Iterable[str | bytes]) -> str:
    entry = zipfile.ZipInfo(name, EARLIEST)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # Unix, wherever it is made
    entry.external_attr = 0o100644 << 16
    digest = hashlib.sha256()
    with archive.open(entry, "w") as target:
        for data in _in_pieces(chunks):
            digest.update(data)
            target.write(data)
    return digest.hexdigest()


def _in_pieces(chunks: Iterable[str | bytes]) -> Iterator[bytes]:
    """The same bytes in pieces of about PIECE: a line at a time would take long."""
    piece = bytearray()
    for chunk in chunks:
        piece += chunk.encode() if isinstance(chunk, str) else chunk
        if len(piece) >= PIECE:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece)


def unpack_archive(path: str | Path, target: Path) -> dict[str, Path]:
    """Unpack an archive that `write_archive` wrote into an empty folder, and check every file.

    Files get names of our own, so that nothing an archive says decides where something is written; what each holds
    is counted while it is unpacked, whatever the archive says of its size.

    Returns:
        The unpacked files by their paths in the archive's folder, without the checksums themselves.

    Raises:
        InputError: it is no such archive, is damaged, holds more than it may, or a checksum does not fit.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            entries = _entries(path, archive)
            listed = _checksums(path, archive, entries)
            _check_listing(path, entries, listed)
            return dict(_unpacked(path, archive, entries, listed, target))
    except DAMAGED as error:
        raise refused(path, f"it cannot be read as a release bundle ({error}); download it again") from error
    except OSError as error:
        raise refused(path, f"the operating system reports: {error.strerror or error}") from error


def _entries(path: str | Path, archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    entries: dict[str, zipfile.ZipInfo] = {}
    infos = [info for info in archive.infolist() if not info.is_dir()]
    if len(infos) > MOST_ENTRIES:
        raise refused(path, f"it holds {len(infos):,} files; a bundle has at most {MOST_ENTRIES:,}")
    for info in infos:
        parts = info.filename.split("/")
        if "\\" in info.filename or len(parts) < 2 or any(part in {"", ".", ".."} for part in parts):
            raise refused(path, f"the name {info.filename!r} leads out of its folder; do not trust this file")
        name = "/".join(parts[1:])
        if name in entries:
            raise refused(path, f"{name} is in it twice; do not trust this file")
        if info.compress_type not in COMPRESSIONS:
            raise refused(path, f"{name} is compressed by another method than deflate; zip the folder again")
        entries[name] = info
    if len({PurePosixPath(info.filename).parts[0] for info in infos}) > 1:
        raise refused(path, "it holds several folders; a release bundle holds one")
    return entries


def _checksums(
    path: str | Path, archive: zipfile.ZipFile, entries: Mapping[str, zipfile.ZipInfo]
) -> dict[str, str]:
    if CHECKSUMS not in entries:
        raise refused(path, f"it holds no {CHECKSUMS}, so it is not a release bundle")
    text = b"".join(_pieces(path, archive, entries[CHECKSUMS], MOST_ENTRIES * 400)).decode(errors="replace")
    found = [SUM_LINE.fullmatch(line) for line in text.splitlines()]
    return {match[2]: match[1] for match in found if match is not None}


def _check_listing(
    path: str | Path, entries: Mapping[str, zipfile.ZipInfo], listed: Mapping[str, str]
) -> None:
    problems = [
        f"{name} is in it, but not in {CHECKSUMS}" for name in entries.keys() - {CHECKSUMS} - listed.keys()
    ]
    problems += [f"{name} is in {CHECKSUMS}, but not in it" for name in listed.keys() - entries.keys()]
    if problems:
        raise InputError([Problem(str(path), None, message) for message in sorted(problems)])


def _unpacked(
    path: str | Path,
    archive: zipfile.ZipFile,
    entries: Mapping[str, zipfile.ZipInfo],
    listed: Mapping[str, str],
    target: Path,
) -> Iterator[tuple[str, Path]]:
    left = LARGEST_ARCHIVE
    for number, (name, expected) in enumerate(listed.items()):
        file, digest = target / f"{number}{PurePosixPath(name).suffix[:8]}", hashlib.sha256()
        with file.open("xb") as stream:
            for piece in _pieces(path, archive, entries[name], min(left, LARGEST_ENTRY)):
                digest.update(piece)
                stream.write(piece)
            left -= stream.tell()
        if digest.hexdigest() != expected:
            raise refused(path, f"{name} is not what {CHECKSUMS} says; download the bundle again")
        yield name, file


def _pieces(path: str | Path, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int) -> Iterator[bytes]:
    with archive.open(entry) as stream:
        while piece := stream.read(PIECE):
            most -= len(piece)
            if most < 0:
                raise refused(path, f"{entry.filename} unpacks to more than a bundle may hold")
            yield piece
