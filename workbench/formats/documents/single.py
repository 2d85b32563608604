"""Files that are one document each: plain text, Markdown, HTML, source code."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.core.records import Document
from workbench.formats.documents.fields import CODE, HTML, MARKDOWN, PLAIN, FoundDocument, html_title
from workbench.formats.documents.in_images import with_images, with_images_of_markdown
from workbench.formats.documents.open_file import Reading

LONGEST_TITLE = 200


def read_plain(reading: Reading) -> Iterator[FoundDocument]:
    """A text file; it has no title."""
    yield _single(reading, PLAIN)


def read_markdown(reading: Reading) -> Iterator[FoundDocument]:
    """A Markdown file, with the images of its folder that it shows; its first heading is the title."""
    found = _single(reading, MARKDOWN)
    text = found.document
    yield found._replace(document=text._replace(text=with_images_of_markdown(text.text, reading)))


def read_page(reading: Reading) -> Iterator[FoundDocument]:
    """An HTML file, with the images of its folder that it shows."""
    found = _single(reading, HTML)
    page = found.document
    yield found._replace(document=page._replace(text=with_images(page.text, reading)))


def read_code(reading: Reading) -> Iterator[FoundDocument]:
    """A file of source code; it has no title."""
    yield _single(reading, CODE)


def _single(reading: Reading, media_type: str) -> FoundDocument:
    data = reading.whole()
    text = reading.text(data).replace("\r\n", "\n")
    text = text.strip("\n") if media_type == CODE else text.strip()
    title = html_title(text) if media_type == HTML else _heading(text) if media_type == MARKDOWN else ""
    return FoundDocument(None, Document(reading.document_id, title, text, media_type))


def _heading(text: str) -> str:
    first = text.split("\n", 1)[0]
    return first.lstrip("#").strip()[:LONGEST_TITLE] if first.startswith("#") else ""
