"""Files that hold no plain text, known by their first bytes, each with the way out."""

from __future__ import annotations

HEAD = 512
"""How many bytes `binary_kind` wants to see."""

UNPACK = "unpack it first"
TO_TEXT = "convert it to text first (.txt, .html or .jsonl)"

SIGNATURES: tuple[tuple[bytes, str, str], ...] = (
    (b"%PDF", "a PDF file", TO_TEXT),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file (.doc, .xls, .ppt)", TO_TEXT),
    (b"{\\rtf", "a rich-text file", TO_TEXT),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", UNPACK),
    (b"Rar!", "a RAR archive", UNPACK),
    (b"SQLite format 3\x00", "an SQLite database", "export its table as .jsonl or .csv"),
    (b"PAR1", "a parquet file", "export its table as .jsonl or .csv"),
    (b"\x89PNG", "a picture", "only text can be judged"),
    (b"\xff\xd8\xff", "a picture", "only text can be judged"),
    (b"GIF8", "a picture", "only text can be judged"),
)
ZIP = b"PK\x03\x04"
OFFICE_MEMBERS = (b"[Content_Types].xml", b"word/", b"xl/", b"ppt/", b"mimetype", b"_rels/")
TAR, TAR_AT = b"ustar", 257
WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")


def binary_kind(head: bytes) -> str | None:
    """What a file without plain text is, with the way out, to follow 'this is'; None if it may be text."""
    for signature, kind, way_out in SIGNATURES:
        if head.startswith(signature):
            return f"{kind}: {way_out}"
    if head.startswith(ZIP):
        office = any(member in head[:HEAD] for member in OFFICE_MEMBERS)
        return f"an Office file (.docx, .xlsx, .pptx): {TO_TEXT}" if office else f"a zip archive: {UNPACK}"
    if head[TAR_AT : TAR_AT + len(TAR)] == TAR:
        return f"a tar archive: {UNPACK}"
    if b"\0" in head and not head.startswith(WIDE_MARKS):
        return "a binary file: name a file of text"
    return None
