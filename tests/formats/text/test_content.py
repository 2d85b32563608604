from __future__ import annotations

from pathlib import Path

import pytest

from tests.sentences import refused
from workbench.core.errors import InputError
from workbench.formats.text.content import binary_kind, load

ROW = "1 Q0 é 1 2.0 t\n"


def refusal(folder: Path, data: bytes) -> str:
    path = folder / "a.run"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        load(path)
    return str(caught.value).removeprefix(str(folder) + "/")


def test_a_nul_byte_far_down_is_found_with_its_line(tmp_path: Path) -> None:
    data = ROW.encode() * 500 + b"1 Q0 b\0 2 1.0 t\n"
    assert refusal(tmp_path, data).startswith("a.run:501: a NUL byte")
    assert refusal(tmp_path, b"\n" + data).startswith("a.run:502: a NUL byte")


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


@pytest.mark.parametrize("encoding", ["UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32"])
def test_another_unicode_encoding_is_refused_with_a_command(tmp_path: Path, encoding: str) -> None:
    mark = "" if encoding in ("UTF-16", "UTF-32") else "\ufeff"
    name = encoding.removesuffix("LE").removesuffix("BE")
    assert f"iconv -f {name} -t UTF-8" in refusal(tmp_path, (mark + ROW).encode(encoding))


def test_bytes_that_a_chosen_encoding_does_not_have_are_named_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_bytes("東京 Q0 a 1 2 t\n".encode("shift_jis") * 2 + b"1 Q0 \xff 1 1 t\n")
    with refused(InputError, "a.run:3: byte 0xff"):
        load(path, "shift_jis")
