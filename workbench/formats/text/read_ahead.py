"""Reading ahead in a background thread: a file is unpacked on one core while what was unpacked is parsed on another."""

from __future__ import annotations

import io
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, Queue
from threading import Lock, Thread, get_ident

from workbench.formats.text.streams import ByteStream

PIECE = 704 * 1024
"""Bytes that are read at once, and handed on as one piece: as many as are unpacked at once."""
PIECES = 1
"""This many pieces may wait, beside the one that is made and the one that is parsed."""
DIRECT = 1024 * 1024
"""Bytes that are read without a thread: most files are shorter, and of many only the start is looked at."""
LOOK = 0.1
"""Seconds between two looks at a thread that is asked to end."""
TURN = 0.0001
"""Seconds after which another thread lets one go on that reads ahead: Python's own 5 ms, waited after each piece that
was unpacked, are as long as it takes to parse a megabyte, so that nothing would be ahead."""


class Tally:
    """Sizes of what was read, reported in one thread alone: the one that made this."""

    def __init__(self, on_bytes: Callable[[int], None]) -> None:
        self._on_bytes = on_bytes
        self._sizes: deque[int] = deque()
        self._thread = get_ident()

    def note(self, data: memoryview) -> None:
        """Count these bytes; in another thread they are reported later."""
        self._sizes.append(len(data))
        if get_ident() == self._thread:
            self.report()

    def report(self) -> None:
        """Report what was counted and not yet reported."""
        while self._sizes:
            self._on_bytes(self._sizes.popleft())


class _ShortTurns:
    """While a thread is in here, no other one keeps it waiting for long (`sys.setswitchinterval`)."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._usual = 0.0

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._usual = sys.getswitchinterval()
                sys.setswitchinterval(min(TURN, self._usual))
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                sys.setswitchinterval(self._usual)


_short_turns = _ShortTurns()


class ReadAhead(ByteStream):
    """A stream that is read by a thread of its own, some pieces ahead; what it raises is raised in its place.

    The tally is reported by who reads from here.
    """

    def __init__(self, stream: io.RawIOBase | io.BufferedReader, tally: Tally | None = None) -> None:
        self._stream: io.RawIOBase | io.BufferedReader = stream
        self._tally = tally
        self._left = DIRECT
        self._thread: Thread | None = None
        self._pieces: Queue[bytes | BaseException] = Queue(PIECES)
        self._piece = memoryview(b"")
        self._end: BaseException | None = None
        self._ends = False

    def next_bytes(self, most: int) -> bytes | memoryview:
        """The next bytes; they were read already, but for the first ones."""
        data = self._direct(most) if self._left > 0 else self._ahead(most)
        if self._tally is not None:
            self._tally.report()
        return data

    def _direct(self, most: int) -> bytes:
        data = self._stream.read(most) or b""
        self._left -= len(data)
        return data

    def _ahead(self, most: int) -> memoryview:
        if self._thread is None:
            self._thread = Thread(target=self._read_all, name="read ahead", daemon=True)
            self._thread.start()
        if not self._piece and not self._ends:
            found = self._pieces.get()
            self._ends = not isinstance(found, bytes) or not found
            self._piece = memoryview(found if isinstance(found, bytes) else b"")
            self._end = found if isinstance(found, BaseException) else None
        if self._end is not None:
            raise self._end
        data, self._piece = self._piece[:most], self._piece[most:]
        return data

    def _read_all(self) -> None:
        with _short_turns:
            try:
                while not self._ends and (piece := self._stream.read(PIECE)):
                    self._pieces.put(piece)
                self._pieces.put(b"")
            except BaseException as error:  # noqa: BLE001  (raised where the bytes are read)
                self._pieces.put(error)

    def close(self) -> None:
        """End the thread, and close the stream."""
        self._ends = True
        while self._thread is not None and self._thread.is_alive():
            with suppress(Empty):
                self._pieces.get(timeout=LOOK)
        super().close()
