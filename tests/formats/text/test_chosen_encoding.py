"""A named encoding is checked, and a stream in it is read in UTF-8."""

from __future__ import annotations

import io
from codecs import BOM_UTF8

import pytest

from tests.sentences import refused
from workbench.core.errors import InputError
from workbench.formats.text.chosen_encoding import InUtf8, checked_encoding, document_encoding, is_surely_utf8
from workbench.formats.text.files import PIECE


@pytest.mark.parametrize("name", ["utf-16", "utf-32-le", "cp037"])
def test_documents_are_in_encodings_that_have_ascii_in_its_place(name: str) -> None:
    assert checked_encoding(name) == name
    with refused(ValueError):
        document_encoding(name)


@pytest.mark.parametrize("encoding", ["shift_jis", "euc_jp", "iso2022_jp", "gb18030", "windows-1255"])
@pytest.mark.parametrize("shift", [0, 1, 2, 3])
def test_letters_between_two_pieces_are_read_whole(encoding: str, shift: int) -> None:
    letters = "שלום" if encoding == "windows-1255" else "東京"
    text = "a" * shift + letters * PIECE
    stream = io.BufferedReader(InUtf8(io.BytesIO(text.encode(encoding)), "a", encoding))
    assert stream.read().decode() == text


@pytest.mark.parametrize("before", ["", "東京\n", "東京\n" * PIECE])
def test_bytes_that_the_encoding_does_not_have_are_named_by_line_and_place(before: str) -> None:
    data = before.encode("shift_jis") + b"ab\xff\n"
    at, line = len(data) - 1, before.count("\n") + 1
    with pytest.raises(InputError) as error:
        InUtf8(io.BytesIO(data), "a.csv", "shift_jis").readall()
    assert str(error.value).startswith(f"a.csv:{line}: byte 0xff at {at:,} is not valid in shift_jis;")
    with pytest.raises(InputError, match="byte 0x93 at 1 is not valid in"):
        InUtf8(io.BytesIO(b"\x93"), "a.csv", "shift_jis").readall()


def test_utf_8_is_told_by_its_mark_or_by_enough_letters() -> None:
    assert is_surely_utf8(BOM_UTF8 + b"a")
    assert is_surely_utf8("ירושלים ירושלים ירושלים".encode())
    assert not is_surely_utf8("ירושלים ירושלים ירושלים".encode("windows-1255") * 9)
    assert not is_surely_utf8(b"plain")


@pytest.mark.parametrize(
    "name", ["", "euc-jp", "Shift_JIS", "windows-1255", "iso-2022-jp", "gb18030", "UTF-8"]
)
def test_the_name_of_an_encoding_stays_as_it_is_written(name: str) -> None:
    assert (checked_encoding(name), document_encoding(name)) == (name, name)
