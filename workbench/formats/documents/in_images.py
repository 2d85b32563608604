"""Images of a collection: those that pages of its folder show, and image files that are documents themselves.

They become a part of the document's text, as `data:` addresses, so that what is judged, hashed, taken along and bundled
is one thing, and no request leaves the page. Their bytes are no words.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path
from urllib.parse import unquote

from workbench.core.records import Document
from workbench.formats.documents.fields import HTML, FoundDocument
from workbench.formats.documents.open_file import Reading
from workbench.formats.images import MOST_PIXELS, image_of

LARGEST_IMAGE, LARGEST_IMAGES = 1_000_000, 2_000_000
"""Bytes of one image of a page, and of all of them; an image that is a document may have as many as all."""

TAG = re.compile(r"<img\b[^<>]{1,4000}+>", re.IGNORECASE)
SOURCE = re.compile(
    r"""(?<=[\s"'/])src\s{0,9}=\s{0,9}(?:"([^"]{1,1000})"|'([^']{1,1000})'|([^\s"'>]{1,1000}))""",
    re.IGNORECASE,
)
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
BEHIND = re.compile(r"[?#].*", re.DOTALL)

LEFT_OUT = "an image of a page is not shown"
TOO_LARGE = (
    f"{LEFT_OUT}: one may have {LARGEST_IMAGE // 1_000_000} MB, all of a page {LARGEST_IMAGES // 1_000_000} MB and "
    f"{MOST_PIXELS // 1_000_000} million pixels; make it smaller (magick FILE -resize 1600x1600 NEWFILE)"
)
NO_IMAGE = f"{LEFT_OUT}: it is no PNG, JPEG, GIF or WebP"


def read_image(reading: Reading) -> Iterator[FoundDocument]:
    """An image file as a page that shows it; its id is its title."""
    if not reading.wants(reading.document_id):
        yield FoundDocument(None, Document(reading.document_id))
        return
    data = reading.whole()
    found = image_of(data)
    if found is None:
        raise reading.refuse("the image is damaged; copy or download it again")
    if len(data) > LARGEST_IMAGES or found.pixels > MOST_PIXELS:
        most = f"at most {LARGEST_IMAGES // 1_000_000} MB and {MOST_PIXELS // 1_000_000} million pixels"
        size = f"{len(data) / 1_000_000:.1f} MB and {found.pixels / 1_000_000:.1f} million pixels"
        way_out = "make it smaller (magick FILE -resize 2000x2000 NEWFILE)"
        raise reading.refuse(f"the image has {size}, {most}; {way_out}")
    name = reading.document_id
    html = f'<img src="{_address(data, found.media_type)}" alt="{escape(name)}">'
    yield FoundDocument(None, Document(name, name.rpartition("/")[2], html, HTML))


def with_images(html: str, reading: Reading) -> str:
    """A page of a folder with the images that it shows and that stand in the folder; others it names as before.

    >>> with_images("<img src='a.png'>", Reading("a.html", None))
    "<img src='a.png'>"
    """
    if reading.folder is None or reading.path is None:
        return html
    return TAG.sub(_Images(reading, reading.path, reading.folder).in_tag, html)


class _Images:
    """The images of one page, read from its folder, and how much of what is allowed they have taken."""

    def __init__(self, reading: Reading, page: Path, folder: Path) -> None:
        self._reading, self._page, self._folder = reading, page, folder
        self._root = folder.resolve()
        self._found: dict[Path, str] = {}
        self._bytes = self._pixels = 0

    def in_tag(self, tag: re.Match[str]) -> str:
        """The tag, with the image in place of its address."""
        source = SOURCE.search(tag[0])
        if source is None:
            return tag[0]
        path = self._path(unescape(next(filter(None, source.groups()))))
        address = path and self._address_of(path)
        if not address:
            return tag[0]
        return f'{tag[0][: source.start()]}src="{address}"{tag[0][source.end() :]}'

    def _path(self, source: str) -> Path | None:
        """The file that an address means, if it is in the folder."""
        source = unquote(BEHIND.sub("", source.strip()))
        if not source or not source.isprintable() or ELSEWHERE.match(source):
            return None
        base = self._folder if source.startswith("/") else self._page.parent
        try:
            path = (base / source.lstrip("/")).resolve()
            return path if path.is_relative_to(self._root) and path.is_file() else None
        except (OSError, RuntimeError):  # a name that is too long, links that go round
            return None

    def _address_of(self, path: Path) -> str | None:
        if path not in self._found:
            with path.open("rb") as stream:
                data = stream.read(LARGEST_IMAGE + 1)
            self._found[path] = self._checked(data)
        # An image that is shown again is a part of the text again.
        address = self._found[path]
        if self._bytes + len(address) * 3 // 4 > LARGEST_IMAGES:
            self._reading.warn(TOO_LARGE)
            return None
        self._bytes += len(address) * 3 // 4
        return address

    def _checked(self, data: bytes) -> str:
        """The image as an address; '' if it cannot be shown."""
        found = image_of(data)
        if found is None:
            self._reading.warn(NO_IMAGE)
        elif len(data) > LARGEST_IMAGE or self._pixels + found.pixels > MOST_PIXELS:
            self._reading.warn(TOO_LARGE)
        else:
            self._pixels += found.pixels
            return _address(data, found.media_type)
        return ""


def _address(data: bytes, media_type: str) -> str:
    return f"data:{media_type};base64,{b64encode(data).decode('ascii')}"
