from __future__ import annotations

import pytest

from workbench.formats.text.encoding import declared_encoding, decode


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_decides_and_is_no_part_of_the_text(encoding: str) -> None:
    assert decode("aé日".encode(encoding), "latin-1") == ("aé日", "")


def test_utf_8_comes_before_what_is_declared() -> None:
    assert decode("é".encode(), "iso-8859-1") == ("é", "")


def test_bytes_that_are_not_utf_8_are_read_as_declared() -> None:
    assert decode("日本".encode("shift_jis"), "Shift_JIS") == (
        "日本",
        "read as shift_jis, as declared; it is not UTF-8",
    )


def test_seven_bit_encodings_are_believed_when_declared() -> None:
    assert decode("日本".encode("iso-2022-jp"), "ISO-2022-JP") == ("日本", "")


def test_the_last_resort_is_windows_1252_and_never_fails() -> None:
    found = decode(b"\x93caf\xe9\x94 \x81", "no such encoding")
    assert found.text == "“café” �"
    assert found.warning.startswith("this is not UTF-8 (byte 1 is 0x93); read as windows-1252")


def test_latin_1_means_windows_1252_as_in_browsers() -> None:
    assert decode(b"\x93x\x94", "latin1").text == "“x”"


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        (b'<?xml version="1.0" encoding="ISO-8859-2"?>', "ISO-8859-2"),
        (b"<html><META charset=koi8-r>", "koi8-r"),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=gbk">', "gbk"),
        (b"<html>", None),
    ],
)
def test_what_a_file_declares_is_found(head: bytes, encoding: str | None) -> None:
    assert declared_encoding(head) == encoding


def test_an_encoding_that_is_not_of_text_is_not_used() -> None:
    assert decode(b"\xff", "zlib").text == "ÿ"


@pytest.mark.parametrize(("data", "declared"), [(b"\xff\x81", "shift_jis"), (b"\xe9", "utf-16")])
def test_bytes_that_are_not_what_is_declared_either_are_read_as_the_last_resort(
    data: bytes, declared: str
) -> None:
    found = decode(data, declared)
    assert found.text == data.decode("windows-1252", errors="replace")
    assert found.warning.startswith(
        f"this is not UTF-8 (byte 1 is {data[0]:#04x}); read as windows-1252: convert"
    )
