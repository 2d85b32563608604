"""Normal forms are Unicode's, and cost no text more than its length."""

from __future__ import annotations

import random
import re
import sys
import time
import unicodedata

import pytest

from tests.conftest import ROOT
from workbench.core.normal_forms import HALFWIDTH, Form, normal_form

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


def test_nothing_but_single_characters_and_pairs_is_normalized_by_the_library_itself() -> None:
    package = ROOT / "workbench"
    users = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if re.search(r"unicodedata\.normalize\(|from unicodedata import .*normalize", path.read_text())
    }
    assert users == {"core/normal_forms.py", "methods/text/unspaced.py"}


def test_no_other_character_begins_with_a_combining_one() -> None:
    combining = {
        character
        for character in map(chr, range(sys.maxunicode + 1))
        if unicodedata.combining(unicodedata.normalize("NFKD", character)[0])
    }
    assert {character for character in combining if unicodedata.category(character)[0] != "M"} == set(
        HALFWIDTH
    )
