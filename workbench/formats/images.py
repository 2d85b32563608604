"""Images that browsers show: their kind and their size in pixels, from their first bytes; nothing is decoded.

Sources: PNG (W3C, 11.2.2), GIF89a (18), JPEG (ITU T.81, B.2.2), WebP (RFC 9649, 2.5 to 2.7). SVG is none of them: it
is a document that may load and run others.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MOST_PIXELS = 50_000_000
"""All images of a document together: a browser takes four bytes for each, however few bytes the file has."""

LARGEST_IMAGES = 2_000_000
"""Bytes of all images of a document together."""

ADDRESS = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]++={0,2}")
"""An image that a text holds."""

PNG, GIF, JPEG = b"\x89PNG\r\n\x1a\n", (b"GIF87a", b"GIF89a"), b"\xff\xd8\xff"
WITHOUT_LENGTH = frozenset((0x01, *range(0xD0, 0xD9)))
OF_OTHER_USE = frozenset((0xC4, 0xC8, 0xCC))
"""Among the markers that begin a frame of JPEG: tables, and one that is kept free."""


class Image(NamedTuple):
    """What kind of image some bytes are (`image/png`, ...), and how many pixels it has."""

    media_type: str
    pixels: int


def image_type(start: bytes) -> str | None:
    """The media type of an image that begins so; None if it is none of these."""
    if start.startswith(PNG):
        return "image/png"
    if start.startswith(GIF):
        return "image/gif"
    if start.startswith(JPEG):
        return "image/jpeg"
    return "image/webp" if start[:4] == b"RIFF" and start[8:12] == b"WEBP" else None


def image_of(data: bytes) -> Image | None:
    """The kind and size of an image; None if it is none, or does not say how large it is."""
    media_type = image_type(data)
    sizes = {"image/png": _of_png, "image/gif": _of_gif, "image/jpeg": _of_jpeg, "image/webp": _of_webp}
    pixels = sizes[media_type](data) if media_type else 0
    return Image(media_type, pixels) if media_type and pixels else None


def _of_png(data: bytes) -> int:
    return _number(data[16:20]) * _number(data[20:24]) if data[12:16] == b"IHDR" else 0


def _of_gif(data: bytes) -> int:
    return int.from_bytes(data[6:8], "little") * int.from_bytes(data[8:10], "little")


def _of_jpeg(data: bytes) -> int:
    """Of the first frame, which follows other segments, each with its length."""
    place = 2
    while place + 9 <= len(data) and data[place] == 0xFF:
        marker = data[place + 1]
        if marker == 0xFF or marker in WITHOUT_LENGTH:
            place += 1 if marker == 0xFF else 2
        elif 0xC0 <= marker <= 0xCF and marker not in OF_OTHER_USE:
            return _number(data[place + 5 : place + 7]) * _number(data[place + 7 : place + 9])
        else:
            place += 2 + max(2, _number(data[place + 2 : place + 4]))
    return 0


def _of_webp(data: bytes) -> int:
    kind, inside = data[12:16], data[20:30]
    if len(inside) < 10:
        return 0
    if kind == b"VP8X":
        return (1 + int.from_bytes(inside[4:7], "little")) * (1 + int.from_bytes(inside[7:10], "little"))
    if kind == b"VP8L":
        bits = int.from_bytes(inside[1:5], "little")
        return (1 + (bits & 0x3FFF)) * (1 + (bits >> 14 & 0x3FFF))
    width, height = (int.from_bytes(inside[at : at + 2], "little") & 0x3FFF for at in (6, 8))
    return width * height if kind == b"VP8 " else 0


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big")
