"""PDF files for tests, made by hand, so that their parts can be seen and broken."""

from __future__ import annotations

import io
import zlib
from collections.abc import Sequence

from pypdf import PdfReader, PdfWriter

FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"


def drawn(text: str) -> bytes:
    """What draws the lines of a page; letters of Latin-1."""
    lines = (
        "(" + line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)") + ") Tj T*"
        for line in text.split("\n")
    )
    return ("BT /F1 12 Tf 14 TL 72 720 Td\n" + "\n".join(lines) + "\nET").encode("latin-1")


def pdf(*pages: str | bytes, title: str = "", more: str = "", packed: bool = False) -> bytes:
    """A PDF with these texts, or contents (bytes), as its pages; `more` stands in its catalogue."""
    kids = " ".join(f"{5 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {more} >>".encode(),
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        FONT.encode(),
        f"<< /Title ({title}) >>".encode("latin-1"),
    ]
    for number, page in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {6 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        objects.append(stream(page if isinstance(page, bytes) else drawn(page), packed=packed))
    return of_objects(objects)


def stream(data: bytes, *, packed: bool = False, more: str = "") -> bytes:
    """A stream with its dictionary."""
    data = zlib.compress(data, 9) if packed else data
    kind = "/Filter /FlateDecode " if packed else ""
    return f"<< /Length {len(data)} {kind}{more}>>\nstream\n".encode() + data + b"\nendstream"


def of_objects(objects: Sequence[bytes]) -> bytes:
    """A file of numbered objects, from 1; the first is the catalogue, the fourth says the title."""
    data = b"%PDF-1.7\n"
    places = []
    for number, each in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n" % number + each + b"\nendobj\n"
    start = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    data += b"".join(b"%010d 00000 n \n" % place for place in places)
    data += b"trailer\n<< /Size %d /Root 1 0 R /Info 4 0 R >>\n" % (len(objects) + 1)
    return data + b"startxref\n%d\n%%%%EOF\n" % start


def encrypted(data: bytes, password: str) -> bytes:
    """The file as it is with a password for its readers; without one everybody reads it, and nobody may change it."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    writer.encrypt(password, "the owner's", algorithm="RC4-128")
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()
