"""What kind of documents a file holds: seen from its first bytes, and from its name where bytes do not tell."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import NamedTuple

from workbench.formats.documents.fields import USUAL, FieldNames, FoundDocument
from workbench.formats.documents.in_images import read_image
from workbench.formats.documents.in_mail import read_mail, read_thread
from workbench.formats.documents.in_pdf import read_pdf
from workbench.formats.documents.in_tables import (
    read_json,
    read_parquet,
    read_tabbed,
    read_table,
    table_delimiter,
)
from workbench.formats.documents.in_trec import read_smart, read_trec
from workbench.formats.documents.in_warc import read_warc
from workbench.formats.documents.open_file import Reading
from workbench.formats.documents.single import read_code, read_markdown, read_page, read_plain
from workbench.formats.images import image_type
from workbench.formats.text.commands import command
from workbench.formats.text.content import PARQUET_START, TO_TEXT, WIDE_MARKS, binary_kind
from workbench.formats.text.guesses import rankings_or_judgments
from workbench.formats.text.markup import starts_smart
from workbench.formats.text.readers import COMPRESSED, has_reader

JSON_SUFFIXES = (".json", ".jsonl", ".jl", ".ndjson")
PAGE_SUFFIXES = (".html", ".htm", ".xhtml")
MARKDOWN_SUFFIXES = (".md", ".markdown")
MAIL_SUFFIXES = (".eml", ".mbox")
CODE_SUFFIXES = frozenset(
    ".bash .c .cc .clj .cpp .cs .cxx .dart .erl .ex .f90 .go .h .hpp .hs .java .kt .lua .m .ml .php .pl "
    ".pm .ps1 .py .pyx .r .rb .rs .scala .sh .sql .swift .ts .tsx .vb".split()
)
BESIDE_PAGES = frozenset(".svg .ico .woff .woff2 .ttf .eot".split())
"""What folders of pages have besides."""

TEXT_SUFFIXES = (".txt", ".text", "")
TABBED_SUFFIXES = (".tsv", ".tab")
PDF_BEGINS, PDF_BEGINS_WITHIN = b"%PDF-", 1024
NO_PDF = "the file is named .pdf but is not a PDF; copy or download it again, or name it by its kind"
COLLECTION_SUFFIXES = (
    *JSON_SUFFIXES,
    *TABBED_SUFFIXES,
    ".csv",
    ".xml",
    ".trec",
    ".sgml",
    ".warc",
    ".wet",
    ".parquet",
)

DOC = re.compile(rb"<doc(?:\s[^<>]*)?>", re.IGNORECASE)
PAGE = re.compile(
    rb"\s*(?:<!--(?:(?!-->).)*-->\s*)*(?:<!doctype html|<html|<\?xml[^>]*>\s*<!doctype html)",
    re.IGNORECASE | re.DOTALL,
)
JSON_START = re.compile(rb"""\s*(?:\{\s*(?:"|\}|$)|\[\s*(?:\{|$))""")
NAME_LIKE_SUFFIX = re.compile(r"\.(?:\d[\w-]*|[^.]*\s.*|[^.]{9,})$")


class DocumentsFormat(NamedTuple):
    """A kind of file: its name for people, its reader, whether it is a single document."""

    name: str
    read: Callable[[Reading], Iterator[FoundDocument]]
    single: bool = False


TREC = DocumentsFormat("TREC documents (<DOC>)", read_trec)
SMART = DocumentsFormat(".I records", read_smart)
WARC = DocumentsFormat("WARC", read_warc)
JSON = DocumentsFormat("JSON", read_json)
TABLE = DocumentsFormat("a table with a header", read_table)
TABBED = DocumentsFormat("tab-separated lines", read_tabbed)
PARQUET = DocumentsFormat("parquet", read_parquet)
TEXT = DocumentsFormat("a text file", read_plain, single=True)
MARKDOWN = DocumentsFormat("a Markdown file", read_markdown, single=True)
CODE = DocumentsFormat("a file of source code", read_code, single=True)
MAIL = DocumentsFormat("an e-mail", read_mail, single=True)
THREAD = DocumentsFormat("a thread of e-mail", read_thread, single=True)
PDF = DocumentsFormat("a PDF file", read_pdf, single=True)
IMAGE = DocumentsFormat("an image", read_image, single=True)
PAGE_FILE = DocumentsFormat("an HTML file", read_page, single=True)
WITH_IMAGES = (PAGE_FILE, MARKDOWN)
"""Files that show images which stand beside them."""

NO_TEXT = (WARC, PARQUET, MAIL, THREAD, PDF, IMAGE)
"""Files that are no text as a whole; those with texts say of each what it is in."""


class Unreadable(NamedTuple):
    """Why a file is not read; `passed_over` if a folder may hold it besides its documents."""

    reason: str
    passed_over: bool = False


def suffix_of(name: str) -> str:
    """The suffix of a file's name in lower case, that of compression aside; '' if what follows the dot is none."""
    path = PurePath(name)
    if path.suffix.lower() in COMPRESSED:
        path = path.with_suffix("")
    return "" if NAME_LIKE_SUFFIX.search(path.name) else path.suffix.lower()


def stem_of(name: str) -> str:
    """The file's name without the suffixes that say how it is stored."""
    suffix = suffix_of(name)
    for ending in (*COMPRESSED, suffix):
        if ending and name.lower().endswith(ending):
            name = name[: -len(ending)]
    return name


def documents_format(
    name: str, start: bytes, choice: FieldNames = USUAL, *, in_folder: bool = False
) -> DocumentsFormat | Unreadable:
    """The format of a file from its name, its first bytes and the fields that are chosen.

    In a folder a plain text file is one document even if it has tabs, and files of other kinds are passed over.
    """
    suffix = suffix_of(name)
    start = start.removeprefix(codecs.BOM_UTF8)
    if start.startswith(b"WARC/"):
        return WARC
    if start.startswith(PARQUET_START):
        return PARQUET
    if start.startswith(PDF_BEGINS) or suffix == ".pdf":
        return PDF if PDF_BEGINS in start[:PDF_BEGINS_WITHIN] else Unreadable(NO_PDF)
    if image_type(start):
        return IMAGE
    if has_reader(name):
        return JSON
    if suffix in BESIDE_PAGES:
        return Unreadable(f"files of kind '{suffix}' are not documents, and are not shown", passed_over=True)
    if kind := binary_kind(start):
        return Unreadable(f"this is {kind}")
    if not start.strip():
        was_collection = suffix in COLLECTION_SUFFIXES
        return Unreadable("the file is empty; was it written to the end?") if was_collection else TEXT
    if other := rankings_or_judgments(start):
        return Unreadable(other, passed_over=True)
    wide = start.startswith(WIDE_MARKS)
    found = _single_by_name(suffix, start) or (
        None if wide else _collection(suffix, start, choice, in_folder=in_folder)
    )
    if found:
        return found
    if suffix in TEXT_SUFFIXES:
        return TEXT
    if wide:
        return Unreadable(f"the file is in UTF-16; convert it: {command('UTF-16')}")
    kinds = (
        "TREC <DOC>, WARC, JSON lines, TSV, CSV, parquet, or a folder of .txt, .html, .md, .pdf, .eml, .py"
    )
    return Unreadable(
        f"a file of kind '{suffix}' holds no documents that can be read ({kinds})", passed_over=True
    )


def _single_by_name(suffix: str, start: bytes) -> DocumentsFormat | None:
    """Formats that their name decides."""
    if suffix in PAGE_SUFFIXES and not DOC.match(start.lstrip()):
        return PAGE_FILE
    if suffix in CODE_SUFFIXES:
        return CODE
    if suffix in MAIL_SUFFIXES:
        return MAIL if suffix == ".eml" else THREAD
    return MARKDOWN if suffix in MARKDOWN_SUFFIXES else None


def _collection(
    suffix: str, start: bytes, choice: FieldNames, *, in_folder: bool
) -> DocumentsFormat | Unreadable | None:
    """Formats with many documents; HTML without a suffix is found here as well."""
    if start.lstrip().startswith(b"<"):
        return _marked_up(suffix, start)
    first_line = start.lstrip().split(b"\n", 1)[0].decode("utf-8", errors="replace")
    if suffix in JSON_SUFFIXES or (suffix in TEXT_SUFFIXES and JSON_START.match(start)):
        return JSON
    if starts_smart(first_line):
        return SMART
    # In a folder, a text whose first line has commas or tabs is still a text.
    if table_delimiter(first_line, choice) and not (in_folder and suffix in TEXT_SUFFIXES):
        return TABLE
    if suffix in TABBED_SUFFIXES or (not in_folder and suffix in TEXT_SUFFIXES and _all_tabbed(start)):
        return TABLE if choice.asked else TABBED
    if suffix == ".csv":
        if choice.asked:
            return TABLE
        message = (
            "the first line must name the columns, with an id (docno, doc_id, id) and a text (text, contents); "
            "or choose the columns (--id-field, --text-field)"
        )
        return Unreadable(f"{message}; it is {first_line[:100]!r}")
    return None


def _marked_up(suffix: str, start: bytes) -> DocumentsFormat | Unreadable | None:
    if PAGE.match(start):
        return PAGE_FILE
    if DOC.search(start) and (suffix not in TEXT_SUFFIXES or DOC.match(start.lstrip()) or b"</" in start):
        return TREC
    if suffix in TEXT_SUFFIXES and not start.lstrip().startswith(b"<?xml"):
        return None
    what = "a MediaWiki dump" if b"<mediawiki" in start else "XML without <doc> elements"
    return Unreadable(f"this is {what}: {TO_TEXT}")


def _all_tabbed(start: bytes) -> bool:
    """Whether each line has a tab, and all the same number of them."""
    lines = [line for line in start.split(b"\n")[:-1] or [start] if line.strip()]
    counts = {line.count(b"\t") for line in lines}
    return len(counts) == 1 and counts != {0}
