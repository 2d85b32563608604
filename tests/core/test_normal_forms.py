"""Normal forms are Unicode's, and cost no text more than its length."""

from __future__ import annotations

import random
import sys
import time
import unicodedata

import pytest

from workbench.core.normal_forms import HALFWIDTH, Form, is_printable, normal_form

FORMS: tuple[Form, ...] = ("NFC", "NFD", "NFKC", "NFKD")
PIECES = "a é \u0301 \u0323 \u0344 \u0345 \u0f71 \u0f73 \u0f75 \u0f81 \u09be \uff9e \uff9f \u3099 が ﬁ \u1161".split()


@pytest.mark.parametrize("form", FORMS)
def test_a_normal_form_is_the_one_of_unicode(form: Form) -> None:
    chance = random.Random(12)
    for few in (2, 3, len(PIECES)):
        for _ in range(20):
            text = "".join(chance.choices(chance.sample(PIECES, few), k=700))
            assert normal_form(form, text) == unicodedata.normalize(form, text)


@pytest.mark.parametrize("form", ["NFC", "NFKC"])
@pytest.mark.parametrize("row", ["\u0301\u0323", "\uff9e\u0301", "\u0f73", "\u0301\u0323\u09be", "e\u0301"])
def test_a_long_row_of_combining_characters_costs_no_square(form: Form, row: str) -> None:
    text = "a" + row * 50_000
    began = time.process_time()
    normal_form(form, text)
    assert time.process_time() - began < 1  # the square took 2 to 8 s


def test_no_other_character_begins_with_a_combining_one() -> None:
    combining = {
        character
        for character in map(chr, range(sys.maxunicode + 1))
        if unicodedata.combining(unicodedata.normalize("NFKD", character)[0])
    }
    assert {character for character in combining if unicodedata.category(character)[0] != "M"} == set(
        HALFWIDTH
    )


@pytest.mark.parametrize(
    "name",
    [
        "",
        "Team Oslo 2",
        "北京大学",
        "پژوهش\u200cگران",  # researchers, in Persian: the non-joiner parts the word from its ending
        "می\u200cرود",
        "क्\u200dष",  # a half form in Hindi, after a virama
        "ශ්\u200dරී",  # Sinhala
        "ಕ್\u200cಷ",
    ],
)
def test_a_name_that_its_script_writes_so_can_be_printed(name: str) -> None:
    assert is_printable(name)


@pytest.mark.parametrize(
    "name",
    [
        "Os\u200clo",
        "Os\u200dlo",
        "\u200cگران",
        "پژوهش\u200c",
        "پژوهش\u200c گران",
        "پژوهش\u200c\u200cگران",
        "پژوهش\u200dگران",
        "क\u200dष",
        "क्\u200d",
        "१\u200c२",
        "👩\u200d🔬",
        "A\u200bB",
        "A\u202eB",
        "A\nB",
    ],
)
def test_what_cannot_be_seen_and_shapes_no_word_cannot_be_printed(name: str) -> None:
    assert not is_printable(name)
