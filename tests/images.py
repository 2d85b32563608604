"""Small images for tests, of every kind that is shown."""

from __future__ import annotations

import struct
import zlib
from base64 import b64decode


def png(width: int = 1, height: int = 1, color: tuple[int, int, int] = (40, 90, 160)) -> bytes:
    """A PNG of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes(color) * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def png_bomb(width: int, height: int) -> bytes:
    """A PNG that says it has so many pixels."""
    return png()[:16] + struct.pack(">II", width, height) + png()[24:]


GIF = b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
JPEG = (
    b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"  # a segment that is passed over
    b"\xff\xff\xc0\x00\x0b\x08\x00\x03\x00\x05\x01\x01\x11\x00\xff\xd9"
)
WEBP_LOSSY = b"RIFF\x24\0\0\0WEBPVP8 \x18\0\0\0\x30\x01\0\x9d\x01\x2a\x05\0\x03\0"
WEBP_LOSSLESS = b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f" + (4 | 2 << 14).to_bytes(4, "little") + b"\0" * 5
WEBP_EXTENDED = b"RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x04\0\0\x02\0\0"
