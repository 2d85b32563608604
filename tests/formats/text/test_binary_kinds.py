from __future__ import annotations

import pytest

from workbench.formats.text.binary_kinds import binary_kind


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"%PDF-1.7", "a PDF file"),
        (b"PK\x03\x04" + b"x" * 26 + b"word/document.xml", "an Office file"),
        (b"PK\x03\x04" + b"x" * 26 + b"a.txt", "a zip archive"),
        (b"name" + b"\0" * 253 + b"ustar", "a tar archive"),
        (b"PAR1", "a parquet file"),
        (b"SQLite format 3\0", "an SQLite database"),
        (b"a\0b", "a binary file"),
    ],
)
def test_a_file_without_text_is_named_with_the_way_out(head: bytes, kind: str) -> None:
    found = binary_kind(head)
    assert found is not None
    assert found.startswith(kind + ("" if "Office" in kind else ":"))


@pytest.mark.parametrize("head", [b"", b"text", "日本".encode(), b"\xff\xfea\0b\0", b"caf\xe9"])
def test_text_in_any_encoding_may_be_text(head: bytes) -> None:
    assert binary_kind(head) is None
