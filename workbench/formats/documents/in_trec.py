"""Documents between `<DOC>` and `</DOC>`, as TREC, NTCIR, CLEF and many others write them; and `.I` records.

The tags are read as SGML is: in any case, unclosed inside, without a root element, entities decoded once. The
file may be XML of the same shape. Pages that follow a `<DOCHDR>` are HTML and stay as they are.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from types import MappingProxyType

from workbench.core.records import Document
from workbench.formats.documents.fields import HTML, PLAIN, FoundDocument, html_title
from workbench.formats.documents.open_file import LONGEST_DOCUMENT, Reading
from workbench.formats.text.markup import decode_references, smart_records, with_plain_cdata, without_comments

CHUNK = 256 * 1024
START = re.compile(rb"<doc(?:\s[^<>]*)?>", re.IGNORECASE)
BORDER = re.compile(rb"<(?:/doc\s*>|doc[\s>])", re.IGNORECASE)
BLANKS, LINE_FEED, SLASH = b" \t", ord("\n"), ord("/")
LONGEST_TAG = 1024
ID_TAGS = [
    (re.compile(rb"<%s\s*+>" % name, re.IGNORECASE), re.compile(rb"</%s\s*+>" % name, re.IGNORECASE))
    for name in (b"docno", b"docid")
]
ID_ATTRIBUTE = re.compile(rb"""<doc\s[^<>]*?\b(?:id|docno)\s*=\s*["']?([^"'<>]*)""", re.IGNORECASE)
HEADER_START = re.compile(r"<dochdr\s*>", re.IGNORECASE)
HEADER_END = re.compile(r"</dochdr\s*>", re.IGNORECASE)
URL = re.compile(r"\bhttps?://\S+")
PAGE = re.compile(r"<html[\s>]|<!doctype html", re.IGNORECASE)

OPENING = re.compile(r"<([A-Za-z][\w.:-]*)(?:\s[^<>]*)?>")
CLOSING = re.compile(r"</([A-Za-z][\w.:-]*)\s*>")
BREAK = re.compile(r"</?(?:p|br|para|h[1-6]|li|tr)(?:\s[^<>]*)?/?>", re.IGNORECASE)
MARKUP = re.compile(r"</?[A-Za-z][\w.:-]*(?:\s[^<>]*)?/?>")

IDS = ("docno", "docid", "doc_id")
TITLES = ("title", "headline", "hl", "ti", "head", "ttl")
TEXTS = ("text", "lp", "leadpara", "body", "content", "contents")
NESTED = ("header",)
DETAILS = frozenset(
    "date date1 dateline byline author so source url bib pub page fileid first second docoldno accession edition"
    " section length language lang journal year category id".split()
)


Section = tuple[str, str]
"""A piece of a document: an element's lower-case name and its text, or '' and text outside of elements."""


def read_trec(reading: Reading) -> Iterator[FoundDocument]:
    """The documents of a stream, one in memory at a time."""
    for line, record in _records(reading):
        document_id = reading.text(_id_of(record), line=line)
        if document_id and not reading.wants(document_id):
            yield FoundDocument(line, Document(document_id))
        else:
            yield FoundDocument(line, _document(document_id, reading.text(record, line=line)))


def read_smart(reading: Reading) -> Iterator[FoundDocument]:
    """The `.I` records of the older test collections: `.T` title, `.A` author, `.B` source, `.W` text."""
    lines = (reading.text(line) for line in reading.stream)
    for record in smart_records(lines):
        if not reading.wants(record.number):
            yield FoundDocument(record.line, Document(record.number))
            continue
        parts = dict(record.parts)
        title = " ".join(parts.pop("T", "").split())
        text = parts.pop("W", "").strip()
        names = {"A": "author", "B": "source", "K": "keywords", "N": "note", "X": "references"}
        fields = {
            names.get(name, name.lower()): value.strip() for name, value in parts.items() if value.strip()
        }
        yield FoundDocument(
            record.line, Document(record.number, title, text, PLAIN, MappingProxyType(fields))
        )


def _records(reading: Reading) -> Iterator[tuple[int, bytes]]:
    """Each document with its start tag and without its end tag, and the line where it starts."""
    buffer, at, counted, searched, line = b"", 0, 0, 0, 1
    data = b"\n"
    while data:
        while (start := START.search(buffer, at)) and (end := _end_after(buffer, max(start.end(), searched))):
            line += buffer.count(b"\n", counted, start.start())
            counted = start.start()
            yield line, buffer[counted : end[0]]
            at, searched = end[1], 0
        kept = start.start() if start else max(at, len(buffer) - LONGEST_TAG)
        line += buffer.count(b"\n", counted, kept)
        buffer, at, counted = buffer[kept:], 0, 0
        if start and len(buffer) > LONGEST_DOCUMENT:
            raise reading.too_long(line)
        searched = max(0, len(buffer) - LONGEST_TAG)
        data = reading.stream.read(max(CHUNK, len(buffer)))
        buffer += data
    if START.match(buffer):
        reading.warn("the last document has no </DOC>; was the file written to the end?", line)
        yield line, buffer


def _end_after(buffer: bytes, at: int) -> tuple[int, int] | None:
    """Where the first end at or after a place begins and ends, None if there is none.

    It is a closing tag, or the line end and blanks before a start tag that begins its line.
    """
    found = BORDER.search(buffer, at)
    while found:
        start, end = found.span()
        if buffer[start + 1] == SLASH:
            return start, end
        line_end = start - 1
        while line_end >= at and buffer[line_end] in BLANKS:
            line_end -= 1
        if line_end >= at and buffer[line_end] == LINE_FEED:
            return line_end, start
        found = BORDER.search(buffer, end)
    return None


def _id_of(record: bytes) -> bytes:
    """The text of the first `docno` or `docid` that is closed, else of the start tag's attribute."""
    # One expression for tags, blanks and text would try every way to share out the blanks: the cube of their number.
    found: bytes | None = None
    before = len(record)
    for opening, closing in ID_TAGS:
        if (start := opening.search(record, 0, before)) and (end := closing.search(record, start.end())):
            found, before = record[start.end() : end.start()].strip(), start.start()
    if found is not None:
        return found
    attribute = ID_ATTRIBUTE.match(record)
    return attribute[1].strip() if attribute else b""


def _document(document_id: str, record: str) -> Document:
    body = record[record.index(">") + 1 :]
    if (header := HEADER_START.search(body)) and (page := HEADER_END.search(body, header.end())):
        url = URL.search(body, header.end(), page.start())
        return _page(document_id, body[page.end() :], url[0] if url else "")
    sections = list(_sections(without_comments(body)))
    if (whole := next((text for name, text in sections if name == "html"), None)) is not None:
        return _page(document_id, f"<html>{whole}</html>", "")
    if not any(name in TEXTS for name, _ in sections) and (page := PAGE.search(body)):
        return _page(document_id, body[page.start() :], "")
    return _plain(document_id, sections)


def _page(document_id: str, page: str, url: str) -> Document:
    fields = {"url": url} if url else {}
    return Document(document_id, html_title(page), page.strip(), HTML, MappingProxyType(fields))


def _plain(document_id: str, sections: list[Section]) -> Document:
    """A document of named sections: those that are text, else all that is neither title nor detail."""
    texts = [cleaned for name, text in sections if name in TEXTS and (cleaned := _cleaned(text))]
    named = {name for name, _ in sections}
    title_name = next((name for name in TITLES if name in named), "")
    apart = {title_name, *IDS, *DETAILS}
    if named.isdisjoint(TEXTS):
        texts = [_cleaned("".join(text for name, text in sections if not name or name not in apart))]
    values: dict[str, list[str]] = defaultdict(list)
    for name, text in sections:
        is_detail = name in DETAILS if named.isdisjoint(TEXTS) else name not in (*TEXTS, *IDS, title_name, "")
        if is_detail and name and (value := " ".join(_cleaned(text).split())):
            values[name].append(value)
    fields = {name: "; ".join(each) for name, each in values.items()}
    title = next(
        (" ".join(_cleaned(text).split()) for name, text in sections if name and name == title_name), ""
    )
    return Document(document_id, title, "\n\n".join(texts), PLAIN, MappingProxyType(fields))


def _sections(body: str) -> Iterator[Section]:
    """The outermost closed elements of a text and the text between them, in order; unclosed tags stay in the text."""
    ends: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for closing in CLOSING.finditer(body):
        ends[closing[1].lower()].append(closing.span())
    at = 0
    for opening in OPENING.finditer(body):
        name = opening[1].lower()
        if opening.start() < at or name == "p":
            continue
        after = bisect_left(ends[name], opening.span()) if name in ends else 0
        if name not in ends or after == len(ends[name]):
            continue
        yield "", body[at : opening.start()]
        start, end = ends[name][after]
        inside = body[opening.end() : start]
        if name in NESTED:
            yield from _sections(inside)
        else:
            yield name, inside
        at = end
    yield "", body[at:]


def _cleaned(text: str) -> str:
    """Text without tags: paragraph tags become line breaks; references are decoded, once."""
    if "<" in text:
        text = MARKUP.sub("", BREAK.sub("\n", without_comments(with_plain_cdata(text))))
    return decode_references(text.replace("\r\n", "\n")).strip()
