"""Lines that are made while they are read, as a file."""

from __future__ import annotations

from collections.abc import Generator
from itertools import islice

LINES_AT_ONCE = 200


class GeneratedFile:
    """A file of the bytes of lines, read from the start to the end."""

    def __init__(self, lines: Generator[bytes]) -> None:
        self._lines = lines
        self._rest = memoryview(b"")

    def read(self, size: int) -> memoryview:
        """The next bytes, at most this number; none at the end."""
        if not self._rest:
            self._rest = memoryview(b"".join(islice(self._lines, LINES_AT_ONCE)))
        data, self._rest = self._rest[:size], self._rest[size:]
        return data

    def close(self) -> None:
        """End what makes the lines."""
        self._lines.close()
