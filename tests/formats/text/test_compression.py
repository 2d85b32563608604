from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
from time import process_time

import pytest

from tests.sentences import refused
from workbench.formats.text.compression import (
    COMPRESSIONS,
    HEAD,
    Damaged,
    DecompressedStream,
    compression_of,
    decompress,
    unpacked_size,
    zstd,
)

TEXT = b"1 Q0 a 1 2.0 t\n" * 1000
PACKED = {
    "gzip": gzip.compress(TEXT, mtime=0),
    "xz": lzma.compress(TEXT),
    "bzip2": bz2.compress(TEXT),
    "zstandard": zstd().compress(TEXT),
}
PACKED_NOTHING = {
    "gzip": gzip.compress(b"", mtime=0),
    "xz": lzma.compress(b""),
    "bzip2": bz2.compress(b""),
    "zstandard": zstd().compress(b""),
}
each_kind = pytest.mark.parametrize("kind", PACKED)


def as_stream(data: bytes) -> DecompressedStream:
    compression = compression_of(data[:HEAD])
    assert compression is not None
    return DecompressedStream(io.BytesIO(data), compression, lambda damage: ValueError(str(damage)))


@each_kind
def test_a_kind_is_known_by_its_first_bytes(kind: str) -> None:
    compression = compression_of(PACKED[kind][:HEAD])
    assert compression is not None
    assert compression.name == kind


@pytest.mark.parametrize("plain", [b"", b"1 Q0 a 1 2.0 t\n", b"BZhang Q0 a 1 2.0 t\n", b"\x1f", b"xz"])
def test_plain_text_stays_as_it_is(plain: bytes) -> None:
    assert compression_of(plain[:HEAD]) is None
    assert decompress(plain) == plain


@each_kind
def test_a_whole_file_is_unpacked(kind: str) -> None:
    assert decompress(PACKED[kind]) == TEXT
    with as_stream(PACKED[kind]) as stream:
        assert stream.read() == TEXT


@each_kind
def test_the_packed_nothing_is_nothing(kind: str) -> None:
    assert decompress(PACKED_NOTHING[kind]) == b""


@each_kind
def test_members_one_after_another_are_one_text(kind: str) -> None:
    assert decompress(PACKED[kind] * 2) == TEXT * 2
    with as_stream(PACKED[kind] * 2) as stream:
        assert stream.read() == TEXT * 2


@each_kind
def test_padding_after_a_member_is_passed_over(kind: str) -> None:
    assert decompress(PACKED[kind] + b"\0" * 512) == TEXT


@each_kind
@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_cut_off_file_never_ends_in_silence(kind: str, share: float) -> None:
    data = PACKED[kind]
    cut = data[: max(HEAD, int(len(data) * share))]
    with refused(Damaged):
        decompress(cut)
    with as_stream(cut) as stream, pytest.raises(ValueError, match=kind):
        stream.read()


@each_kind
def test_a_missing_last_byte_is_noticed(kind: str) -> None:
    with pytest.raises(Damaged):
        decompress(PACKED[kind][:-1])


@pytest.mark.parametrize("kind", ["gzip", "xz", "bzip2"])
def test_a_changed_byte_is_noticed(kind: str) -> None:
    data = bytearray(PACKED[kind])
    data[-6] ^= 0xFF
    with pytest.raises(Damaged):
        decompress(bytes(data))


@each_kind
def test_something_else_behind_the_data_is_named(kind: str) -> None:
    with refused(Damaged):
        decompress(PACKED[kind] + b"something else\n")


def test_a_stream_is_read_piece_by_piece() -> None:
    with as_stream(PACKED["gzip"]) as stream:
        pieces = [stream.read(7) for _ in range(3)]
        assert b"".join(filter(None, pieces)) == TEXT[:21]


@each_kind
def test_pieces_of_any_length_are_the_text_in_order(kind: str) -> None:
    with as_stream(PACKED[kind] * 2) as stream:
        filled = bytearray(20)
        pieces = [stream.read(0), stream.read(7)]
        pieces.append(bytes(filled[: stream.readinto(filled)]))
        while piece := stream.read(len(TEXT)):
            pieces.append(piece)
        assert stream.read(1) == b""
    assert b"".join(pieces) == TEXT * 2


def test_closing_the_text_closes_the_file_under_it() -> None:
    under = io.BytesIO(PACKED["xz"])
    compression = compression_of(PACKED["xz"][:HEAD])
    assert compression is not None
    DecompressedStream(under, compression, lambda damage: damage).close()
    assert under.closed


@each_kind
def test_what_a_stream_expands_to_is_measured_to_the_byte(kind: str) -> None:
    assert unpacked_size(io.BytesIO(PACKED[kind]), len(TEXT)) <= len(TEXT)
    assert unpacked_size(io.BytesIO(PACKED[kind]), len(TEXT) - 1) > len(TEXT) - 1


@each_kind
def test_members_one_after_another_are_measured_together(kind: str) -> None:
    assert unpacked_size(io.BytesIO(PACKED[kind] * 3), 3 * len(TEXT) - 1) > 3 * len(TEXT) - 1
    assert unpacked_size(io.BytesIO(PACKED[kind] * 3), 3 * len(TEXT)) <= 3 * len(TEXT)


@each_kind
def test_a_damaged_stream_is_measured_up_to_the_damage(kind: str) -> None:
    assert unpacked_size(io.BytesIO(PACKED[kind][:-5]), len(TEXT)) <= len(TEXT)
    assert unpacked_size(io.BytesIO(PACKED[kind] + b"and more"), len(TEXT)) <= len(TEXT)


def test_a_plain_stream_expands_to_nothing_more() -> None:
    assert unpacked_size(io.BytesIO(TEXT), 10) <= 10


def seconds(packed: bytes) -> float:
    start = process_time()
    assert decompress(packed) == b""
    return process_time() - start


def test_many_empty_members_cost_in_proportion_to_their_number() -> None:
    members = gzip.compress(b"", mtime=0) * 6_000
    few = min(seconds(members) for _ in range(3))
    many = min(seconds(members * 4) for _ in range(2))
    assert many < 10 * few


def test_many_empty_members_behind_long_ones_cost_as_much_as_by_themselves() -> None:
    empty, long = gzip.compress(b"", mtime=0) * 10_000, gzip.compress(random.Random(7).randbytes(300_000), 1)
    start = process_time()
    decompress(empty * 4)
    alone = process_time() - start
    assert len(decompress((long + empty) * 4)) == 4 * 300_000
    assert process_time() - start - alone < 5 * alone


@pytest.mark.parametrize(
    "packed",
    [
        zstd().compress(TEXT * 40, options={zstd().CompressionParameter.checksum_flag: 1}),
        zstd().compress(TEXT * 40, options={zstd().CompressionParameter.content_size_flag: 0}),
        zstd().compress(random.Random(7).randbytes(300_000), -5),
        zstd().compress(b"\0" * 900_000),
        zstd().compress(b"a") + zstd().compress(b"") + zstd().compress(b"b" * 140_000),
    ],
    ids=["checksum", "no size", "not compressible", "one byte repeated", "three frames"],
)
@pytest.mark.parametrize("size", [1, 7, 4096, 1 << 20])
@pytest.mark.parametrize("most", [1_000, 300_000, 1 << 20])
def test_frames_of_zstandard_are_read_in_pieces_of_any_size(packed: bytes, size: int, most: int) -> None:
    expected = zstd().decompress(packed)
    found, member, rest, at = [], COMPRESSIONS[3].start(), packed, 0
    while at < len(rest) or not member.needs_input:
        found.append(member.decompress(rest[at : at + size], most))
        at += size
        if member.eof:
            rest, at = member.unused_data + rest[at:], 0
            member = COMPRESSIONS[3].start()
    assert b"".join(found) == expected
    assert max(map(len, found)) <= most


def test_the_text_of_a_compressed_stream_can_be_read_through_a_buffer() -> None:
    packed = io.BytesIO(gzip.compress(b"abc"))
    compression = compression_of(packed.getvalue()[:HEAD])
    assert compression is not None
    with io.BufferedReader(DecompressedStream(packed, compression, RuntimeError)) as stream:
        assert stream.read() == b"abc"
    assert packed.closed
