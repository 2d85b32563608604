"""What all readers of documents share: the open file, whose texts are wanted, and the warnings on the way."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Container, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from workbench.core.errors import InputError
from workbench.core.wording import listed
from workbench.formats.documents.fields import USUAL, FieldNames, not_there
from workbench.formats.text.encoding import decode
from workbench.formats.text.files import OnBytes, OnStored, open_input, refused
from workbench.formats.text.streams import ByteStream
from workbench.formats.topics.fields import shown_names

if TYPE_CHECKING:
    from workbench.formats.documents.page_images import OnPages

SEEN = 64 * 1024
"""How many bytes from the start of a file decide what it is."""

LONGEST_DOCUMENT = 64 * 1024 * 1024
"""A single document of more bytes than this is refused: something is wrong with the file."""


NOT_UTF8 = "a text that is not UTF-8 was read as declared, as recognised by its bytes, or as windows-1252 (--encoding)"

OnUnpacked = Callable[[int], None]
_on_unpacked: ContextVar[OnUnpacked | None] = ContextVar("on_unpacked", default=None)


@contextmanager
def counting_unpacked(count: OnUnpacked) -> Iterator[None]:
    """Report to `count` how many bytes each text has that was packed inside a file which is read in the block.

    What the file as a whole holds unpacked is not reported (`compression.unpacked_size` tells it). `count` may refuse
    to go on by raising InputError.
    """
    token = _on_unpacked.set(count)
    try:
        yield
    finally:
        _on_unpacked.reset(token)


@dataclass
class Reading:
    """One file while it is read: its name, its decompressed bytes, and what to do with what is found.

    `document_id` names the document where the file is a single one. `path` is where the file is stored, if it is on
    this machine, and `folder` the folder that is read, if it is one of its files, or that of a file which was named
    itself; of it `images` are those that were read with the document. `on_pages` gets the
    pages of PDF files as images; they are not drawn without it.
    """

    file: str
    stream: BinaryIO
    wanted: Container[str] | None = None
    declared: str | None = None
    document_id: str = ""
    path: Path | None = None
    folder: Path | None = None
    on_pages: OnPages | None = None
    choice: FieldNames = USUAL
    images: set[Path] = field(default_factory=set)
    warnings: dict[str, tuple[int | None, int]] = field(default_factory=dict)

    def wants(self, document_id: str) -> bool:
        """Whether the text of this document is needed."""
        return self.wanted is None or document_id in self.wanted

    def text(self, data: bytes, declared: str | None = None, line: int | None = None) -> str:
        """Bytes as text, with a warning where they are not UTF-8."""
        decoded = decode(data, declared or self.declared)
        if decoded.warning:
            self.warn(NOT_UTF8, line)
        return decoded.text

    def warn(self, message: str, line: int | None = None) -> None:
        """Note a warning; the same message is reported once, with its first place and how often it applied."""
        first, count = self.warnings.get(message, (line, 0))
        self.warnings[message] = (first, count + 1)

    def refuse(self, message: str, line: int | None = None) -> InputError:
        """The error for this file."""
        return refused(self.file, message, line)

    def require(self, names: Collection[str]) -> None:
        """Refuse a file whose fields have these names, but not those that an organiser chose now."""
        if missing := not_there(self.choice.asked if names else (), names):
            raise self.refuse(
                f"no field is called {listed(missing)}; the fields are {shown_names(names)}; choose one of these"
            )

    def unpacked(self, size: int) -> None:
        """Count a text that was packed inside the file; bytes."""
        if (count := _on_unpacked.get()) is not None:
            count(size)

    def too_long(self, line: int | None = None) -> InputError:
        """The error for a document that does not end."""
        message = f"one document is longer than {LONGEST_DOCUMENT // 1024 // 1024} MiB; is its end missing?"
        return self.refuse(message, line)

    def whole(self) -> bytes:
        """All bytes of a file that is a single document."""
        data = self.stream.read(LONGEST_DOCUMENT + 1)
        if len(data) > LONGEST_DOCUMENT:
            raise self.too_long()
        return data


class _Restarted(ByteStream):
    """A stream of which the start was read already, from its start."""

    def __init__(self, start: bytes, stream: io.BufferedReader) -> None:
        self._start = memoryview(start)
        self._stream: io.BufferedReader = stream

    def next_bytes(self, most: int) -> bytes | memoryview:
        data, self._start = self._start[:most], self._start[most:]
        return data or self._stream.read1(most)


def open_with_start(
    path: str | Path, on_bytes: OnBytes | None = None, on_stored: OnStored | None = None
) -> tuple[BinaryIO, bytes]:
    """The decompressed stream of a file, and its first `SEEN` bytes, which the stream still has.

    `on_bytes` and `on_stored` as in `open_input`.
    """
    stream = open_input(path, on_bytes, on_stored)
    try:
        start = stream.read(SEEN)
    except InputError:
        stream.close()
        raise
    return io.BufferedReader(_Restarted(start, stream), buffer_size=SEEN), start
