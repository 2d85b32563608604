from __future__ import annotations

import pytest

from tests.images import GIF, JPEG, WEBP_EXTENDED, WEBP_LOSSLESS, WEBP_LOSSY, png
from workbench.formats.images import Image, image_of


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (png(5, 3), Image("image/png", 15)),
        (GIF, Image("image/gif", 1)),
        (JPEG, Image("image/jpeg", 15)),
        (WEBP_LOSSY, Image("image/webp", 15)),
        (WEBP_LOSSLESS, Image("image/webp", 15)),
        (WEBP_EXTENDED, Image("image/webp", 15)),
    ],
)
def test_kind_and_size_are_read_from_the_beginning(data: bytes, found: Image) -> None:
    assert image_of(data) == found


@pytest.mark.parametrize("length", [0, 1, 2, 3, 300])
def test_a_segment_is_as_long_as_it_says_and_never_shorter_than_its_length(length: int) -> None:
    comment = b"\xff\xfe" + length.to_bytes(2) + b"x" * (length - 2)
    frame = b"\xff\xc0\x00\x07\x08\x00\x03\x00\x05"
    assert image_of(b"\xff\xd8" + comment + frame) == Image("image/jpeg", 15)
    # Signs that have no length, and signs of padding.
    assert image_of(b"\xff\xd8" + b"\xff\xd0" + b"\xff" + comment + frame) == Image("image/jpeg", 15)


@pytest.mark.parametrize("data", [png(5, 3), GIF, JPEG, WEBP_LOSSY, WEBP_LOSSLESS, WEBP_EXTENDED])
def test_what_is_cut_off_has_no_size_or_the_whole_one(data: bytes) -> None:
    for length in range(len(data)):
        assert image_of(data[:length]) in (None, image_of(data)) or data is GIF
