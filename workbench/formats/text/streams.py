"""What all streams of bytes share that are read from the start to the end and made of another stream, or of bytes."""

from __future__ import annotations

import io
from abc import abstractmethod
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


class Closable(Protocol):
    """What can be closed, such as the stream that another one reads."""

    def close(self) -> object:
        """Close it."""


class ByteStream(io.RawIOBase):
    """A stream of which a class says what comes next; closing it closes the stream `_stream` that it reads, if any."""

    _stream: Closable | None = None

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fill the buffer with the next bytes, and say how many; 0 at the end."""
        target = memoryview(buffer).cast("B")
        data = self.next_bytes(len(target))
        target[: len(data)] = data
        return len(data)

    @abstractmethod
    def next_bytes(self, most: int) -> bytes | bytearray | memoryview:
        """The next bytes, at least one and at most so many; none at the end."""

    def close(self) -> None:
        """Close the stream below as well."""
        if not self.closed and self._stream is not None:
            self._stream.close()
        super().close()
