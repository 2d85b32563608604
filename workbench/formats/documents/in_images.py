"""Images of a collection: those that pages beside them show, and images that are documents themselves.

They become a part of the document's text, as `data:` addresses, so that what is judged, hashed, taken along and bundled
is one thing, and no request leaves the page. Their bytes are no words.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from html import escape, unescape
from pathlib import Path
from urllib.parse import unquote

from workbench.core.records import Document
from workbench.formats.documents.fields import HTML, FoundDocument
from workbench.formats.documents.open_file import Reading
from workbench.formats.images import LARGEST_IMAGES, MOST_PIXELS, image_of

LARGEST_IMAGE = 1_000_000
"""Bytes of one image of a page; one that is a document may have as many as all of a page."""

TAG = re.compile(r"<img\b[^<>]{1,4000}+>", re.IGNORECASE)
ATTRIBUTE = r"""(?<=[\s"'/])%s\s{0,9}=\s{0,9}(?:"([^"]{1,4000})"|'([^']{1,4000})'|([^\s"'>]{1,4000}))"""
SOURCE, SOURCES = (re.compile(ATTRIBUTE % name, re.IGNORECASE) for name in ("src", "srcset"))
CANDIDATE = re.compile(r"([^\s,]\S*+)(?:(?<!,)[^,]*+)?")
"""One of the images of a `srcset`: its address, and for which screens it is."""

MOST_CANDIDATES = 9
"""How many images of a `srcset` are looked for."""

MARKED = re.compile(
    r"^ {0,3}(?P<fence>`{3,}+|~{3,}+)(?:(?!^ {0,3}(?P=fence))[\s\S])*+"  # code, with the line that ends it
    r"(?:^ {0,3}(?P=fence)[^\n]*+)?"
    r"|(?P<begin>!\[[^\]\n]{0,500}+\]\(|^ {0,3}\[[^\]\n]{1,500}+\]:)(?P<blanks>[ \t]{0,9}+)"
    r"(?:<(?P<quoted>[^<>\n]{1,1000}+)>|(?P<bare>(?:[^\s()<>]|\([^\s()<>]{0,99}+\)){1,1000}+))"
    rf"|(?P<tag>{TAG.pattern})",
    re.IGNORECASE | re.MULTILINE,
)
"""Of Markdown: code in fences; an image or the definition of a reference, up to its address; a tag of HTML."""

ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
BEHIND = re.compile(r"[?#].*", re.DOTALL)

LEFT_OUT = "an image of a page is not shown"
TOO_LARGE = (
    f"{LEFT_OUT}: one may have {LARGEST_IMAGE // 1_000_000} MB, all of a page {LARGEST_IMAGES // 1_000_000} MB and "
    f"{MOST_PIXELS // 1_000_000} million pixels; make it smaller (magick FILE -resize 1600x1600 NEWFILE)"
)
NO_IMAGE = f"{LEFT_OUT}: it is not a PNG, JPEG, GIF or WebP"


def read_image(reading: Reading) -> Iterator[FoundDocument]:
    """An image file as a page that shows it; its id is its title."""
    name = reading.document_id
    page = image_page(reading.whole(), name, reading)
    yield FoundDocument(None, Document(name, name.rpartition("/")[2], page, HTML))


def image_page(data: bytes, words: str, reading: Reading) -> str:
    """The HTML of a page that shows an image, with the words for it.

    Raises `InputError` for one that cannot be shown.
    """
    found = image_of(data)
    if found is None:
        raise reading.refuse("the image is damaged; copy or download it again")
    if len(data) > LARGEST_IMAGES or found.pixels > MOST_PIXELS:
        most = f"at most {LARGEST_IMAGES // 1_000_000} MB and {MOST_PIXELS // 1_000_000} million pixels"
        size = f"{len(data) / 1_000_000:.1f} MB and {found.pixels / 1_000_000:.1f} million pixels"
        way_out = "make it smaller (magick FILE -resize 2000x2000 NEWFILE)"
        raise reading.refuse(f"the image has {size}, {most}; {way_out}")
    return f'<img src="{_address(data, found.media_type)}" alt="{escape(words)}">'


def with_images(html: str, reading: Reading) -> str:
    """A page with the images that it shows and that stand in its folder; others it names as before.

    >>> with_images("<img src='a.png'>", Reading("a.html", None))
    "<img src='a.png'>"
    """
    return _with_images(html, reading, lambda images: TAG.sub(lambda tag: images.in_tag(tag[0]), html))


def with_images_of_markdown(markdown: str, reading: Reading) -> str:
    """A Markdown text with the images that it shows and that stand in its folder, except in code between fences."""
    return _with_images(markdown, reading, lambda images: MARKED.sub(images.in_markdown, markdown))


def _with_images(text: str, reading: Reading, put: Callable[[_Images], str]) -> str:
    if reading.folder is None or reading.path is None:
        return text
    images = _Images(reading, reading.path, reading.folder)
    text = put(images)
    reading.images |= images.read
    return text


class _Images:
    """The images of one page, read from its folder, and how much of what is allowed they have taken."""

    def __init__(self, reading: Reading, page: Path, folder: Path) -> None:
        self._reading, self._page, self._folder = reading, page, folder
        self._root = folder.resolve()
        self._found: dict[Path, str] = {}
        self._bytes = self._pixels = 0

    @property
    def read(self) -> set[Path]:
        """The files that were read."""
        return set(self._found)

    def in_tag(self, tag: str) -> str:
        """The tag, with the image in place of its address: that of `src`, else the first of `srcset` that is there."""
        source, sources = SOURCE.search(tag), SOURCES.search(tag)
        named = [_value(source)] if source else []
        found = CANDIDATE.findall(_value(sources))[:MOST_CANDIDATES] if sources else []
        named += [address.rstrip(",") for address in found]
        path = next(filter(None, map(self._path, named)), None)
        address = path and self._address_of(path)
        if not address:
            return tag
        start, end = source.span() if source else (len("<img"), len("<img"))
        return f'{tag[:start]}{"" if source else " "}src="{address}"{tag[end:]}'

    def in_markdown(self, found: re.Match[str]) -> str:
        """What was found of a Markdown text, with the image in place of its address."""
        if found["tag"]:
            return self.in_tag(found["tag"])
        if not found["begin"]:
            return found[0]
        path = self._path(unescape(ESCAPED.sub(r"\1", found["quoted"] or found["bare"])))
        address = path and self._address_of(path)
        return f"{found['begin']}{found['blanks']}{address}" if address else found[0]

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


def _value(attribute: re.Match[str]) -> str:
    return unescape(next(filter(None, attribute.groups())))


def _address(data: bytes, media_type: str) -> str:
    return f"data:{media_type};base64,{b64encode(data).decode('ascii')}"
