"""What each setting takes, at the edges of what it takes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.sentences import refused
from workbench.campaign.campaign_settings import SECTIONS, SETTINGS, SettingRefused, settings_by_section

LARGEST = {
    "relevant-from": 1_000,
    "practice-required": 50,
    "break-documents": 1_000,
    "break-minutes": 240,
} | {"second-look-seed": 99_999_999}


def test_every_number_is_tried_here() -> None:
    assert {one.name for one in SETTINGS.values() if one.kind == "number"} == set(LARGEST)


def test_each_setting_is_in_a_section_and_the_documentation_has_the_same_sections() -> None:
    assert {one.section for one in SETTINGS.values()} == set(SECTIONS)
    page = (Path(__file__).parents[2] / "docs/use/settings.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| (?:\*\*(.+?)\*\*|(`.+?`)) \|", page, re.MULTILINE)
    written: dict[str, list[str]] = {}
    for section, names in table:
        if section:
            written[section] = []
        elif written:
            written[list(written)[-1]] += re.findall(r"`([a-z-]+)`", names)
    assert written == {
        section: [one.name for one in found] for section, found in settings_by_section().items()
    }


def test_nothing_is_relevant_from_0_and_0_switches_the_others_off() -> None:
    assert [SETTINGS[name].value_of("0") for name in LARGEST if name != "relevant-from"] == [0, 0, 0, 0]
    with refused(SettingRefused, "0"):
        SETTINGS["relevant-from"].value_of("0")


@pytest.mark.parametrize(("name", "longest"), [("title", 200), ("contact", 200), ("guidelines", 100_000)])
def test_a_text_is_taken_up_to_its_longest(name: str, longest: int) -> None:
    assert len(SETTINGS[name].value_of("x" * longest)) == longest
    with pytest.raises(SettingRefused, match=rf"^{name}: {longest + 1:,} characters, at most"):
        SETTINGS[name].value_of("x" * (longest + 1))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("title", " "), ("key-order", "up"), ("grades", "yes or no")),
        *(("judging-until", text) for text in ("31.3.2027", "20270331", "2027-02-30")),
    ],
)
def test_what_cannot_be_is_refused_with_why(name: str, text: str) -> None:
    with refused(SettingRefused):
        SETTINGS[name].value_of(text)


@pytest.mark.parametrize("name", LARGEST)
def test_a_number_is_taken_up_to_its_largest_and_written_with_digits_alone(name: str) -> None:
    setting, largest = SETTINGS[name], LARGEST[name]
    assert [setting.value_of(text) for text in ("1", " 7 ", f"{largest}")] == [1, 7, largest]
    for wrong in (f"{largest + 1}", "9" * 30, "-1", "1.5", "x", "", "\u0663"):
        with refused(SettingRefused, f"{name}: '{wrong}'", f"{largest:,}"):
            setting.value_of(wrong)
