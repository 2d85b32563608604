"""Files as they are stored: size and SHA-256 of their own (compressed) bytes, taken while they are read."""

from __future__ import annotations

import hashlib
from pathlib import Path

from workbench.core.records import Source
from workbench.formats.text.addresses import is_made_of_records, without_secrets
from workbench.formats.text.compression import decompress
from workbench.formats.text.content import Content, content_of
from workbench.formats.text.files import STANDARD_STREAM, explained, refused, stored_bytes
from workbench.formats.text.readers import as_json_lines


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


def read_with_source(path: str | Path, *, topics: bool = False) -> tuple[bytes, Source]:
    """The decompressed bytes of a file, and the file as it was stored, from one reading.

    The id of a collection means its qrels, or its topics.
    """
    stored = stored_bytes(path, topics=topics)
    source = Source(without_secrets(path), len(stored), hashlib.sha256(stored).hexdigest())
    with explained(path):
        return as_json_lines(path, decompress(stored)), source


def load_with_source(path: str | Path) -> tuple[Content, Source]:
    """As `content.load`, and the file as it was stored, from one reading."""
    data, source = read_with_source(path)
    return content_of(path, data), source


def describe(path: str | Path) -> Source:
    """A file as it is stored: the size and SHA-256 of its own (compressed) bytes. Not for `-` or a folder."""
    if str(path) == STANDARD_STREAM:
        raise refused(path, "standard input can be read only once; save it as a file first")
    with explained(path), Path(path).open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
        return Source(str(path), stream.tell(), digest)
