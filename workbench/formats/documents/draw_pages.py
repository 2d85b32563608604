"""Draws the pages of a PDF in a process of its own: the file comes on standard input, images go to standard output.

What strangers wrote meets a large library in C++ here, so this process holds itself first to little processor time and
memory, to output of bounded size, and to no other file, connection or process than it has. Nothing of the workbench is
imported, and no script of a file is run: the library is built without an engine for them, and forms are not begun.

Each image is a PNG after its length in bytes (32 bits, big-endian), in the order of the pages; the length 0 stands for
a page that cannot be drawn.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage

GREYS = 15
"""The lightest of the greys, which are numbered from 0: half a byte for each pixel."""

FIRST_HALF = bytes((value * GREYS + 127) // 255 << 4 for value in range(256))
SECOND_HALF = bytes((value * GREYS + 127) // 255 for value in range(256))
WHITE = b"\xff"

FULL = 3
"""With this the process ends where the next image would be one byte too many."""


def main(pages: int, width: int, height: int, seconds: int, megabytes: int, most_bytes: int) -> None:
    """Draw the first pages to fit into a width and height in pixels, until they take this many bytes in all."""
    from pypdfium2 import PdfDocument

    data = sys.stdin.buffer.read()
    _hold_to(seconds, megabytes * 1_000_000, most_bytes)
    left = most_bytes
    for image in _images(PdfDocument(data), pages, width, height):
        left -= 4 + len(image)
        if left < 0:
            sys.exit(FULL)
        sys.stdout.buffer.write(len(image).to_bytes(4, "big") + image)
        sys.stdout.buffer.flush()


def _hold_to(seconds: int, memory: int, output: int) -> None:
    """Limits that this process cannot raise again. Descriptors that are open already stay usable."""
    import resource

    limits = {
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_FSIZE: output,
        resource.RLIMIT_NOFILE: 0,
        resource.RLIMIT_NPROC: 0,
        resource.RLIMIT_CORE: 0,
    }
    for kind, limit in limits.items():
        resource.setrlimit(kind, (limit, limit))


def _images(document: PdfDocument, pages: int, width: int, height: int) -> Iterator[bytes]:
    from pypdfium2 import PdfiumError

    for number in range(min(pages, len(document))):
        try:
            page = document[number]
            yield _drawn(page, width, height)
            page.close()
        except PdfiumError:
            yield b""


def _drawn(page: PdfPage, width: int, height: int) -> bytes:
    """A page as a PNG in 16 greys that is as wide or as high as it may be."""
    scale = min(width / max(1, page.get_width()), height / max(1, page.get_height()))
    bitmap = page.render(scale=scale, grayscale=True, may_draw_forms=False)
    pixels, stride, wide = bytes(bitmap.buffer), bitmap.stride, bitmap.width
    bitmap.close()
    lines = (pixels[start : start + wide] for start in range(0, len(pixels), stride))
    return _png(wide, len(pixels) // stride, b"".join(b"\0" + _in_halves(line) for line in lines))


def _in_halves(line: bytes) -> bytes:
    """Two pixels in each byte; where they are an odd number, a white one is added."""
    line += WHITE * (len(line) % 2)
    first, second = line[::2].translate(FIRST_HALF), line[1::2].translate(SECOND_HALF)
    return (int.from_bytes(first) | int.from_bytes(second)).to_bytes(len(first))


def _png(width: int, height: int, lines: bytes) -> bytes:
    """A PNG in 16 greys of lines that each begin with the number of their filter, 0 (W3C, PNG, 11.2 and 11.3)."""
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes((4, 0, 0, 0, 0))
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(lines)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
        for kind, data in parts
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
