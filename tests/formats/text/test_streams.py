"""What streams that are made of others share."""

from __future__ import annotations

import io

from workbench.formats.text.streams import ByteStream


class Shouted(ByteStream):
    """A stream in capital letters."""

    def __init__(self, stream: io.BytesIO) -> None:
        self._stream: io.BytesIO = stream

    def next_bytes(self, most: int) -> bytes:
        return self._stream.read(min(most, 2)).upper()


def test_a_stream_is_read_to_its_end_in_pieces_of_any_size() -> None:
    assert io.BufferedReader(Shouted(io.BytesIO(b"of water"))).read() == b"OF WATER"
    assert Shouted(io.BytesIO(b"of water")).read(5) == b"OF"
    assert Shouted(io.BytesIO()).readall() == b""


def test_a_stream_closes_the_one_that_it_reads() -> None:
    below = io.BytesIO()
    with Shouted(below) as stream:
        assert not below.closed
    assert stream.closed
    assert below.closed
