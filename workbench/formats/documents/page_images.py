"""The pages of a PDF as images, to be looked at beside its text, which is what is judged.

They are drawn when the file is read, by a library that is optional, in a process that is held to its limits; see
`draw_pages`. What comes from there is taken for an image only if it looks like one.
"""

from __future__ import annotations

import subprocess  # nosec B404 - this Python with a file of this package alone
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, NamedTuple

from workbench.core.extras import missing
from workbench.core.records import PageImage
from workbench.formats.documents import draw_pages
from workbench.formats.images import image_of

MOST_DRAWN = 20
"""Pages of a file that are drawn: its first ones."""

WIDTH, HEIGHT = 1_000, 1_414
"""Pixels that a page fits into: a sheet of A4 fills both."""

MOST_BYTES = 4_000_000
"""Of all images of a file."""

MOST_SECONDS, MOST_MEGABYTES = 20, 600
"""Time of the processor and memory that the drawing of one file may take."""

WAITED = 60.0
"""Seconds after which a process that does not end is ended."""

NO_LIMITS = (
    "pages of PDF files are not kept as images: this system has no limits to hold their drawing to; their texts are "
    "judged without"
)


class Drawn(NamedTuple):
    """The pages that were drawn, ascending, and what is to be said where that is not all that should be."""

    images: tuple[PageImage, ...] = ()
    warning: str = ""


OnPages = Callable[[str, Sequence[PageImage]], None]
"""Called with the id of a document and its pages."""


def why_none_can_be() -> str:
    """Why no pages can be drawn here; "" if they can."""
    return missing("pypdfium2") or (NO_LIMITS if find_spec("resource") is None else "")  # Windows has none


def drawn_pages(data: bytes, pages: int) -> Drawn:
    """The first pages of a PDF of so many."""
    if why := why_none_can_be():
        return Drawn(warning=why)
    wanted = min(pages, MOST_DRAWN)
    with TemporaryFile() as drawn:
        is_full = _drawing(data, drawn, wanted)
        drawn.seek(0)
        found = list(_taken(drawn))
    images = tuple(_with_size(number, image) for number, image in enumerate(found, start=1) if image)
    return Drawn(images, warning_of(images, wanted, is_full=is_full))


def _drawing(data: bytes, drawn: BinaryIO, pages: int) -> bool:
    """Let pages be drawn into a file; whether it ended for want of room for another one."""
    limits = (pages, WIDTH, HEIGHT, MOST_SECONDS, MOST_MEGABYTES, MOST_BYTES)
    command = [sys.executable, "-P", str(Path(draw_pages.__file__)), *map(str, limits)]
    try:
        ended = subprocess.run(  # noqa: S603 # nosec B603 - nothing of the file is in the command
            command, input=data, stdout=drawn, stderr=subprocess.DEVNULL, timeout=WAITED, check=False
        )
    except (OSError, subprocess.TimeoutExpired):  # a process that cannot begin draws nothing
        return False
    return ended.returncode == draw_pages.FULL


def _taken(drawn: BinaryIO) -> Iterator[bytes]:
    """The images that are whole, in order; b'' for a page that cannot be drawn."""
    for _ in range(MOST_DRAWN):
        head = drawn.read(4)
        size = int.from_bytes(head, "big")
        image = drawn.read(size) if size <= MOST_BYTES else b""
        if len(head) < 4 or len(image) < size:
            return
        found = image_of(image)
        is_page = found is not None and found.media_type == "image/png" and found.pixels <= WIDTH * HEIGHT * 2
        yield image if is_page else b""


def _with_size(number: int, image: bytes) -> PageImage:
    width, height = (int.from_bytes(image[at : at + 4]) for at in (16, 20))  # of a PNG: W3C, 11.2.2
    return PageImage(number, width, height, image)


def warning_of(images: Sequence[PageImage], wanted: int, *, is_full: bool) -> str:
    """What is said where not all of the pages that are wanted are there; `is_full` if they took too many bytes."""
    if len(images) == wanted:
        return ""
    some = f"of the first {wanted:,} pages {len(images):,} are kept as images"
    if is_full:
        return f"{some}; the others would take more than {MOST_BYTES // 1_000_000} MB in all"
    which = f"{some}; the others" if images else "its pages are not kept as images: they"
    return (
        f"{which} cannot be drawn in {MOST_SECONDS} seconds and {MOST_MEGABYTES} MB; rewrite the PDF "
        "(mutool clean FILE NEWFILE), or judge its text alone"
    )
