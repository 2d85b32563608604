from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

import pytest

from tests.sentences import says
from workbench.core.errors import InputError
from workbench.formats.text.content import binary_kind, load
from workbench.formats.text.sources import load_with_source

ROW = "1 Q0 é 1 2.0 t\n"


def zipped() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.run", ROW)
    return packed.getvalue()


def refusal(folder: Path, data: bytes) -> str:
    path = folder / "a.run"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        load(path)
    return str(caught.value).removeprefix(str(folder) + "/")


def test_a_byte_order_mark_is_taken_off(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(b"\xef\xbb\xbf" + ROW.encode())
    content, source = load_with_source(path)
    assert load(path) == content
    assert content.data == ROW.encode()
    assert content.file == str(path)
    assert source.size == len(ROW.encode()) + 3


def test_an_empty_file_is_refused_also_when_packed(tmp_path: Path) -> None:
    for data in (b"", gzip.compress(b"")):
        assert says(refusal(tmp_path, data))


@pytest.mark.parametrize("encoding", ["UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32"])
def test_another_unicode_encoding_is_refused_with_the_command_that_helps(
    tmp_path: Path, encoding: str
) -> None:
    mark = "" if encoding in ("UTF-16", "UTF-32") else "\ufeff"
    name = encoding.removesuffix("LE").removesuffix("BE")
    assert f"iconv -f {name} -t UTF-8" in refusal(tmp_path, (mark + ROW).encode(encoding))


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (zipped(), "a zip archive"),
        (b"PAR1\x15\x04\x00", "a parquet file"),
        (b"SQLite format 3\x00", "an SQLite database"),
        (b"\x7fELF\x02\x01\x01\x00", "a binary file"),
    ],
)
def test_a_binary_file_is_named_for_what_it_is(tmp_path: Path, data: bytes, kind: str) -> None:
    assert refusal(tmp_path, data).startswith(f"a.run: this is {kind}")


def test_a_nul_byte_far_down_is_found_with_its_line(tmp_path: Path) -> None:
    data = ROW.encode() * 500 + b"1 Q0 b\0 2 1.0 t\n"
    assert refusal(tmp_path, data).startswith("a.run:501: a NUL byte")
    assert refusal(tmp_path, b"\n" + data).startswith("a.run:502: a NUL byte")


def test_a_topic_id_may_look_like_the_start_of_a_binary_file(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(b"PAR1 Q0 a 1 2.0 t\n")
    assert load(path).data.startswith(b"PAR1")


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
