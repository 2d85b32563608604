from __future__ import annotations

import pytest

from tests.sentences import says
from workbench.formats.text.encoding import RECOGNISED, decode, encoding_of, recognised


def test_seven_bit_encodings_are_believed_when_declared() -> None:
    assert decode("日本".encode("iso-2022-jp"), "ISO-2022-JP") == ("日本", "")


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
