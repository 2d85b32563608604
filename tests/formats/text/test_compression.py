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
PACKERS = {"gzip": gzip.compress, "xz": lzma.compress, "bzip2": bz2.compress, "zstandard": zstd().compress}
PACKED = {kind: pack(TEXT) for kind, pack in PACKERS.items()}
each_kind = pytest.mark.parametrize("kind", PACKED)


def as_stream(data: bytes) -> DecompressedStream:
    compression = compression_of(data[:HEAD])
    assert compression is not None
    return DecompressedStream(io.BytesIO(data), compression, lambda damage: ValueError(str(damage)))


@pytest.mark.parametrize("plain", [b"", b"1 Q0 a 1 2.0 t\n", b"BZhang Q0 a 1 2.0 t\n", b"\x1f", b"xz"])
def test_plain_text_stays_as_it_is(plain: bytes) -> None:
    assert compression_of(plain[:HEAD]) is None
    assert decompress(plain) == plain
    assert unpacked_size(io.BytesIO(plain), 10) <= 10


@each_kind
def test_a_file_is_unpacked_by_its_first_bytes_in_one_member_or_several_with_padding_behind(
    kind: str,
) -> None:
    packed = PACKED[kind]
    compression = compression_of(packed[:HEAD])
    assert compression is not None
    assert compression.name == kind
    for data, text in (
        (packed, TEXT),
        (packed * 2, TEXT * 2),
        (packed + b"\0" * 512, TEXT),
        (PACKERS[kind](b""), b""),
    ):
        assert decompress(data) == text
        with as_stream(data) as stream:
            assert stream.read() == text


@each_kind
@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 1])
def test_a_cut_off_file_never_ends_in_silence(kind: str, share: float) -> None:
    data = PACKED[kind][:-1]
    cut = data[: max(HEAD, int(len(data) * share))]
    with refused(Damaged):
        decompress(cut)
    with as_stream(cut) as stream, pytest.raises(ValueError, match=kind):
        stream.read()


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


@each_kind
def test_what_a_stream_expands_to_is_measured_to_the_byte_up_to_any_damage(kind: str) -> None:
    packed, size = PACKED[kind], len(TEXT)
    for members in (1, 3):
        assert unpacked_size(io.BytesIO(packed * members), members * size) <= members * size
        assert unpacked_size(io.BytesIO(packed * members), members * size - 1) > members * size - 1
    assert unpacked_size(io.BytesIO(packed[:-5]), size) <= size
    assert unpacked_size(io.BytesIO(packed + b"and more"), size) <= size


def seconds(packed: bytes) -> float:
    start = process_time()
    assert decompress(packed) == b""
    return process_time() - start


def test_many_empty_members_cost_in_proportion_to_their_number() -> None:
    members = gzip.compress(b"", mtime=0) * 6_000
    few = min(seconds(members) for _ in range(3))
    many = min(seconds(members * 4) for _ in range(2))
    assert many < 10 * few


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
@pytest.mark.parametrize(("size", "most"), [(7, 1 << 20), (4096, 1_000), (4096, 300_000), (1 << 20, 1_000)])
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
