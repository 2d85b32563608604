"""Reading ahead: the same bytes, the same errors in their places, and no thread that stays."""

from __future__ import annotations

import io
import sys
import threading
from pathlib import Path

import pytest

from tests.sentences import refused
from workbench.core.errors import InputError
from workbench.formats.text.compression import zstd
from workbench.formats.text.files import open_input
from workbench.formats.text.read_ahead import DIRECT, PIECE, PIECES, TURN, ReadAhead

TEXT = bytes(range(256)) * ((DIRECT + (PIECES + 1) * PIECE) // 256)
LONG = DIRECT + 3 * PIECES * PIECE


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "read ahead"]


class Failing(io.RawIOBase):
    """A stream of so many bytes, behind which reading fails."""

    def __init__(self, size: int) -> None:
        self.left = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        if not self.left:
            raise ValueError("the disk is gone")
        size = min(len(buffer), self.left)
        self.left -= size
        return size


def test_an_error_is_raised_behind_the_bytes_before_it_and_again() -> None:
    with ReadAhead(Failing(LONG)) as stream:
        got = 0
        with pytest.raises(ValueError, match="the disk is gone"):
            while size := len(stream.read(PIECE)):
                got += size
        assert got == LONG
        with pytest.raises(ValueError, match="the disk is gone"):
            stream.read(1)
    assert threads() == []


def test_a_stream_that_is_closed_in_the_middle_ends_its_thread() -> None:
    stream = ReadAhead(Failing(LONG))
    stream.read(DIRECT)
    stream.read(1)
    stream.close()
    assert threads() == []


def test_threads_take_short_turns_while_any_file_is_read_ahead_and_the_usual_ones_afterwards() -> None:
    usual = sys.getswitchinterval()
    assert usual > TURN
    with ReadAhead(Failing(LONG)) as first, ReadAhead(Failing(LONG)) as second:
        for stream in (first, second):
            stream.read(DIRECT)
            assert sys.getswitchinterval() == pytest.approx(usual if stream is first else TURN)
            stream.read(1)
        second.close()
        assert sys.getswitchinterval() == pytest.approx(TURN)
    assert sys.getswitchinterval() == usual


def test_stored_bytes_are_reported_in_the_thread_that_reads_and_none_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "a.zst"
    path.write_bytes(zstd().compress(TEXT, 1) * 3)
    sizes, where = [], set()

    def on_bytes(size: int) -> None:
        sizes.append(size)
        where.add(threading.current_thread())

    with open_input(path, on_bytes) as stream:
        assert stream.read() == TEXT * 3
    assert (sum(sizes), where) == (path.stat().st_size, {threading.current_thread()})


def test_damage_far_from_the_start_is_the_same_error_with_a_thread(tmp_path: Path) -> None:
    path = tmp_path / "a.zst"
    path.write_bytes(zstd().compress(TEXT)[:-5])
    with open_input(path) as stream, refused(InputError):
        stream.read()
    assert threads() == []
