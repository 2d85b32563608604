"""Web pages, PDF files and images in WARC files, and the plain texts of WET files.

The frames of the records are read here, so that a record whose stated length is wrong (they occur in the field)
costs one warning and not the rest of the file; warcio reads what is inside (chunks, content encodings).
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING

from workbench.core.errors import InputError
from workbench.core.records import Document
from workbench.formats.documents.fields import HTML, PLAIN, FoundDocument, html_title
from workbench.formats.documents.in_images import image_page
from workbench.formats.documents.in_pdf import pdf_document
from workbench.formats.documents.open_file import LONGEST_DOCUMENT, Reading
from workbench.formats.images import LARGEST_IMAGES, MOST_PIXELS, image_type
from workbench.formats.text.encoding import declared_encoding

if TYPE_CHECKING:
    from warcio.recordloader import ArcWarcRecord  # type: ignore[import-untyped]

VERSION = re.compile(rb"WARC/\d+\.\d+\s*$")
LONGEST_LINE = 64 * 1024
CHARSET = re.compile(r"charset\s*=\s*[\"']?([A-Za-z0-9._:-]+)", re.IGNORECASE)
URN = re.compile(r"^<?(?:urn:uuid:)?([^<>]*)>?$", re.IGNORECASE)
PDF_TYPE, PDF_BEGINS = "application/pdf", b"%PDF-"
HTML_TYPES = ("text/html", "application/xhtml+xml", "")
TAIL = 16
NO_IMAGE = (
    f"an image has an empty document: it is damaged, or has more than {LARGEST_IMAGES // 1_000_000} MB or "
    f"{MOST_PIXELS // 1_000_000} million pixels"
)


def read_warc(reading: Reading) -> Iterator[FoundDocument]:
    """The pages, PDF files and images (`response`) and texts (`conversion`) of a stream; not its other records."""
    for headers, block in _frames(reading):
        document_id = _id_of(headers)
        if not document_id or reading.wants(document_id):
            yield FoundDocument(None, _document(document_id, headers, block, reading))
        else:
            yield FoundDocument(None, Document(document_id))


def _id_of(headers: dict[str, str]) -> str:
    """The id that the collection gave, else that of the record without its URN wrapping."""
    given = headers.get("warc-trec-id", "").strip()
    wrapped = URN.match(headers.get("warc-record-id", "").strip())
    return given or (wrapped[1] if wrapped else "")


def _frames(reading: Reading) -> Iterator[tuple[dict[str, str], bytes]]:
    """The records that hold documents: the headers, by lower-case name, and the block."""
    at_start = False
    while at_start or _find_version(reading):
        headers = _headers(reading)
        length = _length(headers)
        if length is None:
            reading.warn("a WARC record without a readable Content-Length was skipped")
            at_start = False
            continue
        if length > LONGEST_DOCUMENT:
            raise reading.too_long()
        block = reading.stream.read(length)
        if len(block) < length:
            reading.warn("the last record is cut off; was the file written to the end?")
        at_start = _ends_within(block, reading)
        if headers.get("warc-type", "").lower() in ("response", "conversion", "resource"):
            yield headers, block


def _length(headers: dict[str, str]) -> int | None:
    try:
        length = int(headers.get("content-length", ""))
    except ValueError:
        return None
    return length if length >= 0 else None


def _find_version(reading: Reading) -> bool:
    """Go to the next line that starts a record; False at the end of the file."""
    while line := reading.stream.readline(LONGEST_LINE):
        if VERSION.match(line):
            return True
        if line.strip():
            reading.warn("the stated length of a WARC record is wrong; its text may be cut")
    return False


def _ends_within(block: bytes, reading: Reading) -> bool:
    """Whether the next record's first line began within this block, whose stated length was a little too great."""
    line = block[-TAIL:].rpartition(b"\n")[2]
    if not line.startswith(b"WARC"[: len(line)]) or not line:
        return False
    rest = reading.stream.readline(LONGEST_LINE)
    if VERSION.match(line + rest):
        reading.warn("the stated length of a WARC record is wrong; its text may be cut")
        return True
    return VERSION.match(rest) is not None


def _headers(reading: Reading) -> dict[str, str]:
    headers: dict[str, str] = {}
    while line := reading.stream.readline(LONGEST_LINE).strip():
        name, _, value = line.decode("utf-8", errors="replace").partition(":")
        headers[name.strip().lower()] = value.strip()
    return headers


def _document(document_id: str, headers: dict[str, str], block: bytes, reading: Reading) -> Document:
    fields = {
        name: headers[key]
        for name, key in (("url", "warc-target-uri"), ("date", "warc-date"))
        if key in headers
    }
    if headers.get("content-type", "").startswith("text/plain"):
        return Document(document_id, "", reading.text(block).strip(), PLAIN, MappingProxyType(fields))
    content_type, body = _response(headers, block, reading)
    media_type = content_type.split(";")[0].strip().lower()
    if media_type == PLAIN:
        return Document(document_id, "", reading.text(body).strip(), PLAIN, MappingProxyType(fields))
    if media_type == PDF_TYPE and body.startswith(PDF_BEGINS):
        return _pdf(document_id, fields, body, reading)
    if image_type(body):
        return _image(document_id, fields, body, reading)
    if media_type not in HTML_TYPES:
        reading.warn(
            "a record that is not a page of text has an empty document (its kind is in the field 'content type')"
        )
        return Document(document_id, "", "", PLAIN, MappingProxyType({**fields, "content type": media_type}))
    charset = CHARSET.search(content_type)
    page = reading.text(body, charset[1] if charset else declared_encoding(body))
    return Document(document_id, html_title(page), page.strip(), HTML, MappingProxyType(fields))


def _pdf(document_id: str, fields: dict[str, str], body: bytes, reading: Reading) -> Document:
    """The text of a PDF file; of one that cannot be read none, since the other records are not to wait for it."""
    try:
        found = pdf_document(body, reading, document_id)
    except InputError as error:
        reading.warn(f"a PDF has an empty document: {error.problems[0].message}")
        return Document(document_id, "", "", PLAIN, MappingProxyType({**fields, "content type": PDF_TYPE}))
    return found._replace(fields=MappingProxyType({**fields, **found.fields}))


def _image(document_id: str, fields: dict[str, str], body: bytes, reading: Reading) -> Document:
    """A page that shows an image, called as the end of its address; of one that cannot be shown none."""
    name = fields.get("url", "").partition("?")[0].rpartition("/")[2]
    try:
        return Document(document_id, name, image_page(body, name, reading), HTML, MappingProxyType(fields))
    except InputError:
        reading.warn(NO_IMAGE)
        of_kind = {**fields, "content type": image_type(body) or ""}
        return Document(document_id, name, "", PLAIN, MappingProxyType(of_kind))


def _response(headers: dict[str, str], block: bytes, reading: Reading) -> tuple[str, bytes]:
    """The content type and the decoded body of an HTTP response; of one whose head is broken, what follows it."""
    if not block.startswith(b"HTTP/"):
        return headers.get("content-type", "").partition("application/http")[0], block
    from warcio.recordloader import ArcWarcRecordLoader
    from warcio.statusandheaders import StatusAndHeadersParserException  # type: ignore[import-untyped]

    frame = (
        f"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http; msgtype=response\r\n"
        f"WARC-Target-URI: http://x/\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    try:
        record: ArcWarcRecord = ArcWarcRecordLoader().parse_record_stream(io.BytesIO(frame.encode() + block))
    except StatusAndHeadersParserException:
        reading.warn("an HTTP response with a broken status line was read without its headers")
        return "", block.replace(b"\r\n", b"\n").partition(b"\n\n")[2]
    content_type = record.http_headers.get_header("Content-Type") or "" if record.http_headers else ""
    # A small record may be packed so that it expands to more than memory holds, and a file may have a thousand of them.
    body: bytes = record.content_stream().read(LONGEST_DOCUMENT + 1)
    reading.unpacked(max(0, len(body) - len(block)))
    if len(body) > LONGEST_DOCUMENT:
        raise reading.too_long()
    return content_type, body
