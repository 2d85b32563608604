from __future__ import annotations

import pytest

from tests.sentences import says
from workbench.formats.text.chosen_encoding import checked_encoding
from workbench.formats.text.encoding import RECOGNISED, declared_encoding, decode, encoding_of, recognised


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
    assert says(found.warning)


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


@pytest.mark.parametrize("name", ["idna", "punycode", "raw_unicode_escape", "undefined", "unicode-escape"])
def test_encodings_of_python_alone_are_not_used(name: str) -> None:
    assert decode(b"\\xff \\u00e9 \xff", name).text == "\\xff \\u00e9 ÿ"
    with pytest.raises(ValueError, match="encoding"):
        checked_encoding(name)


@pytest.mark.parametrize(("data", "declared"), [(b"\xff\x81", "shift_jis"), (b"\xe9", "utf-16")])
def test_bytes_that_are_not_what_is_declared_either_are_read_as_the_last_resort(
    data: bytes, declared: str
) -> None:
    found = decode(data, declared)
    assert found.text == data.decode("windows-1252", errors="replace")
    assert says(found.warning)


OF_CANALS = {
    "EUC-JP": "運河の閘門の仕組み、誰が費用を払うのですか。港の料金、フェリーの時刻表",
    "Shift_JIS": "運河の閘門の仕組み、誰が費用を払うのですか。港の料金、フェリーの時刻表",
    "GB18030": "运河的船闸是如何运作的？谁来支付费用？",
    "Big5": "運河的船閘是如何運作的？誰來支付費用？港口的費用和渡輪的時刻表",
    "EUC-KR": "운하의 갑문은 어떻게 작동합니까? 누가 비용을 지불합니까? 항구 요금, 페리 시간표",
    "windows-1251": "Как работают шлюзы на каналах? Кто за это платит?",
    "windows-1253": "Πώς λειτουργούν οι κλειδαριές στα κανάλια;",
    "windows-1256": "كيف تعمل أقفال القنوات؟ ومن يدفع ثمنها؟",
}


@pytest.mark.parametrize("name", OF_CANALS)
def test_other_scripts_are_recognised_by_their_bytes(name: str) -> None:
    text = f"<topic><title>{OF_CANALS[name]}</title></topic>\n"
    found = decode(text.encode(name))
    assert found.text == text
    assert f"read as {name}: convert it" in found.warning


def test_every_encoding_that_is_recognised_is_tried() -> None:
    assert {*RECOGNISED.values()} == {*OF_CANALS}


@pytest.mark.parametrize(
    "text", ["año", "Müller", "das Schiff fährt über den Fluß", "señor Núñez – “quoted”" * 9]
)
def test_latin_letters_are_recognised_as_no_other_script(text: str) -> None:
    assert recognised(text.encode("windows-1252")) is None


def test_the_encoding_that_was_chosen_decides_alone() -> None:
    polish = "Jak działają śluzy na kanałach?"
    assert decode(polish.encode("windows-1250"), "utf-8", chosen="windows-1250") == (polish, "")


def test_the_start_of_a_file_tells_what_its_lines_are_in() -> None:
    russian = OF_CANALS["windows-1251"]
    assert encoding_of(russian.encode("cp1251")) == "cp1251"
    assert encoding_of("né ".encode("latin-1")) == "windows-1252"
    assert encoding_of(russian.encode()[:-2]) is None  # UTF-8, cut inside a letter
