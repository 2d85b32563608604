"""ZIP and tar archives of files, as teams send them and as nobody should."""

from __future__ import annotations

import io
import tarfile
import warnings
import zipfile
from collections.abc import Mapping

Files = Mapping[str, bytes]


def zipped(files: Files, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def tarred(files: Files, compression: str = "") -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=f"w:{compression}") as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return stream.getvalue()


def tar_of(kind: bytes, leads_to: str = "") -> bytes:
    """A tar archive of one entry that is no file."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        entry = tarfile.TarInfo("a.run")
        entry.type, entry.linkname = kind, leads_to
        archive.addfile(entry)
    return stream.getvalue()


def zipped_twice(name: str) -> bytes:
    """A ZIP archive with two files of one name."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        archive.writestr(name, "one")
        archive.writestr(name, "two")
    return stream.getvalue()


def zipped_link() -> bytes:
    entry = zipfile.ZipInfo("a.run")
    entry.create_system, entry.external_attr = 3, 0o120777 << 16
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(entry, "/etc/passwd")
    return stream.getvalue()


def locked() -> bytes:
    """A ZIP archive that says of its file that it is encrypted."""
    data = bytearray(zipped({"a.run": b"x"}))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def renamed(data: bytes, before: bytes, after: bytes) -> bytes:
    """The archive with other bytes in the place of a name, as long as it."""
    assert len(before) == len(after)
    return data.replace(before, after)
