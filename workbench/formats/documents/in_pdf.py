"""PDF: the text of its pages, each under a line that says which page it is; each file is one document.

Nothing else of a file is looked at: no scripts, forms, attachments, notes, images or links. Who wants it gets the pages
as images besides (`page_images`).
"""

from __future__ import annotations

import io
import logging
import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from types import FrameType, MappingProxyType
from typing import TYPE_CHECKING

from workbench.core.errors import InputError
from workbench.core.records import Document
from workbench.core.wording import counted, listed
from workbench.formats.documents.fields import PLAIN, FoundDocument
from workbench.formats.documents.open_file import LONGEST_DOCUMENT, Reading
from workbench.formats.documents.page_images import drawn_pages
from workbench.formats.documents.single import LONGEST_TITLE
from workbench.formats.text.encoding import well_formed

if TYPE_CHECKING:
    from pypdf import PdfReader

MOST_PAGES = 2_000
MOST_SECONDS, MOST_MEGABYTES = 120.0, 1_000
"""Time of the processor and memory that one file may take."""

MEGABYTE = 1_000_000
LOOK = 0.1
"""Seconds of the processor from one look at what has been used to the next."""

LONGEST_STREAM = 16_000_000
"""Bytes that one part of a file may unpack to."""
LETTERS = {"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\ufb06": "st"}
BLANKS = dict.fromkeys("\t\x0b\x0c\x85\u2028\u2029", " ")
TIDY = str.maketrans(
    {**{chr(code): "" for code in (*range(32), 127)}, **LETTERS, **BLANKS, "\n": "\n", "\r": "\n"}
)
"""What fonts and their tables leave in a text: letters joined to one sign, other breaks, signs of control."""

BLANK_LINES = re.compile(r"\n{3,}")
SHORT = 0.7
"""A line ends its paragraph if it has less than this of the length that nine of ten lines of its page keep to."""

MADE_UP_TITLE = re.compile(
    r"untitled.*|(?:microsoft|powerpoint)\b.*|.*\.(?:docx?|pptx?|tex|dvi|indd|qxd|pdf)", re.I
)
"""Titles that programs write by themselves."""

ENCRYPTED = "the PDF is encrypted; save it without a password (qpdf --decrypt FILE NEWFILE)"
NO_WORDS = "the PDF has no text; if it was scanned, add its text by OCR (ocrmypdf FILE NEWFILE)"


Pages = list[str | None]
"""The text of each page; None of one that could not be read."""


def read_pdf(reading: Reading) -> Iterator[FoundDocument]:
    """A PDF file; its title is the one that it names, and the number of its pages a field."""
    yield FoundDocument(None, pdf_document(reading.whole(), reading, reading.document_id))


def pdf_document(data: bytes, reading: Reading, document_id: str) -> Document:
    """The document that the bytes of a PDF file are; raises `InputError` where they cannot be read."""
    try:
        with held_to(MOST_SECONDS, MOST_MEGABYTES, "pypdf"):
            title, pages = _read(data, reading)
    except UsedUp as error:
        message = f"reading the PDF took {error}; rewrite it (mutool clean FILE NEWFILE) or take it out"
        raise reading.refuse(message) from None
    text = _joined(pages)
    reading.unpacked(max(0, len(text) - len(data)))
    _warn(pages, reading)
    if reading.on_pages is not None:
        drawn = drawn_pages(data, len(pages))
        reading.on_pages(document_id, drawn.images)
        if drawn.warning:
            reading.warn(drawn.warning)
    fields = MappingProxyType({"pages": f"{len(pages):,}"})
    return Document(document_id, title, text, PLAIN, fields)


def _read(data: bytes, reading: Reading) -> tuple[str, Pages]:
    from pypdf import PdfReader, apply_configuration
    from pypdf.errors import DependencyError, FileNotDecryptedError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what is said of a file is said here
    with apply_configuration(
        zlib_maximum_output_length=LONGEST_STREAM,
        lzw_maximum_output_length=LONGEST_STREAM,
        run_length_maximum_output_length=LONGEST_STREAM,
        brotli_maximum_output_length=LONGEST_STREAM,
        jbig2dec_binary=None,  # a program that would be called for images
        disable_legacy_handling=True,
    ):
        try:
            reader = PdfReader(io.BytesIO(data))
            number = len(reader.pages)
        except (DependencyError, FileNotDecryptedError):
            raise reading.refuse(ENCRYPTED) from None
        except MemoryError:
            raise
        except Exception as error:  # whatever a broken file leads to in the library
            raise _broken(reading, f"{error}") from error
        if not 0 < number <= MOST_PAGES:
            raise _wrong_number(reading, number)
        pages = list(_pages(reader, reading))
        if all(page is None for page in pages):
            raise _broken(reading, "none of its pages")
        return _title(reader), pages


def _pages(reader: PdfReader, reading: Reading) -> Iterator[str | None]:
    length = 0
    for page in reader.pages:
        try:
            text = _tidy(page.extract_text())
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - whatever a broken page leads to in the library
            yield None
            continue
        length += len(text)
        if length > LONGEST_DOCUMENT:
            raise reading.too_long()
        yield text


def _broken(reading: Reading, why: str) -> InputError:
    said = " ".join(why.split())[:200]
    return reading.refuse(
        f"the PDF cannot be read ({said}); repair it (mutool clean FILE NEWFILE) or take it out"
    )


def _wrong_number(reading: Reading, number: int) -> InputError:
    if not number:
        return _broken(reading, "it has no pages")
    way_out = f"split it (qpdf --split-pages={MOST_PAGES} FILE PART.pdf)"
    return reading.refuse(f"the PDF has {number:,} pages, at most {MOST_PAGES:,}; {way_out}")


def _title(reader: PdfReader) -> str:
    try:
        title = str((reader.metadata and reader.metadata.title) or "")
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a title that cannot be read is none
        return ""
    title = " ".join(_tidy(title).split())[:LONGEST_TITLE]
    return "" if MADE_UP_TITLE.fullmatch(title) else title


def _tidy(text: str) -> str:
    lines = [line.rstrip() for line in well_formed(text).translate(TIDY).split("\n")]
    return BLANK_LINES.sub("\n\n", "\n".join(_parted(lines))).strip()


def _parted(lines: list[str]) -> Iterator[str]:
    """The lines of a page, with an empty one where a paragraph or a heading ends: files do not say where."""
    lengths = sorted(len(line) for line in lines if line)
    usual = lengths[len(lengths) * 9 // 10] if lengths else 0
    for line, following in pairwise([*lines, ""]):
        yield line
        if line and len(line) < SHORT * usual and following and not following[0].islower():
            yield ""


def _joined(pages: Pages) -> str:
    """The texts under their numbers; of a single page, or where there is no text, without."""
    if len(pages) == 1 or not any(pages):
        return "".join(filter(None, pages))
    heads = (f"Page {number:,} of {len(pages):,}" for number in range(1, len(pages) + 1))
    return "\n\n".join(f"{head}{_said(page)}" for head, page in zip(heads, pages, strict=True))


def _said(page: str | None) -> str:
    if page is None:
        return " (cannot be read)"
    return f"\n\n{page}" if page else " (no text)"


def _warn(pages: Pages, reading: Reading) -> None:
    unread = [f"{number:,}" for number, page in enumerate(pages, start=1) if page is None]
    if unread:
        what = f"{counted(len(unread), 'page')} of {len(pages):,} cannot be read: {listed(unread)}"
        reading.warn(f"{what}; the text says so in their places")
    elif not any(pages):
        reading.warn(NO_WORDS)


class UsedUp(BaseException):
    """The work went beyond its limits; no `Exception`, so that what is ended does not catch it."""


@contextmanager
def held_to(seconds: float, megabytes: int, library: str) -> Iterator[None]:
    """Raise UsedUp in the block once it used this processor time, or the process holds this much more memory.

    It looks between steps of the library's Python code: what else runs at that moment may not be ended there. Only the
    main thread is held to it, which is that of commands and of worker processes, and only where the system has such a
    clock, which Windows has not.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    begun, held = time.process_time(), _most_memory()

    def look(_: int, frame: FrameType | None) -> None:
        if frame is None or frame.f_globals.get("__name__", "").partition(".")[0] != library:
            return
        if time.process_time() - begun > seconds:
            raise UsedUp(f"more than {seconds:g} seconds of the processor")
        if _most_memory() - held > megabytes * MEGABYTE:
            raise UsedUp(f"more than {megabytes:,} MB of memory")

    before = signal.signal(signal.SIGVTALRM, look)
    signal.setitimer(signal.ITIMER_VIRTUAL, LOOK, LOOK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _most_memory() -> int:
    """The most memory that the process has held so far, in bytes."""
    import resource
    import sys

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
