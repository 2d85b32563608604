"""docs/audits/ answers every requirement of two standards, and what its pages name is there."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROW = re.compile(
    r"^\| (\d+\.\d+\.\d+)(?:-(\d+))? \| [^|]+ \| (yes|no|n/a) \| ([^|]*) \| ([^|]*) \|$", re.MULTILINE
)

ASVS_LEVEL_2 = """
1.1: 1-7; 1.2: 1-4; 1.4: 1 4-5; 1.5: 1-4; 1.6: 1-4; 1.7: 1-2; 1.8: 1-2; 1.9: 1-2; 1.10: 1; 1.11: 1-2;
1.12: 2; 1.14: 1-6;
2.1: 1-12; 2.2: 1-3; 2.3: 1-3; 2.4: 1-5; 2.5: 1-7; 2.6: 1-3; 2.7: 1-6; 2.8: 1-7; 2.9: 1-3; 2.10: 1-4;
3.1: 1; 3.2: 1-4; 3.3: 1-4; 3.4: 1-5; 3.5: 1-3; 3.7: 1; 4.1: 1-3 5; 4.2: 1-2; 4.3: 1-3;
5.1: 1-5; 5.2: 1-8; 5.3: 1-10; 5.4: 1-3; 5.5: 1-4; 6.1: 1-3; 6.2: 1-6; 6.3: 1-2; 6.4: 1-2;
7.1: 1-4; 7.2: 1-2; 7.3: 1 3-4; 7.4: 1-3; 8.1: 1-4; 8.2: 1-3; 8.3: 1-8; 9.1: 1-3; 9.2: 1-4; 10.2: 1-2; 10.3: 1-3;
11.1: 1-8; 12.1: 1-3; 12.2: 1; 12.3: 1-6; 12.4: 1-2; 12.5: 1-2; 12.6: 1;
13.1: 1 3-5; 13.2: 1-3 5-6; 13.3: 1-2; 13.4: 1-2; 14.1: 1-4; 14.2: 1-6; 14.3: 2-3; 14.4: 1-7; 14.5: 1-4
"""
"""The requirements of levels 1 and 2 in release 4.0.3, by section; those that are missing are deleted or of level 3."""


WCAG_AA = """
1.1: 1; 1.2: 1-5; 1.3: 1-5; 1.4: 1-5 10-13; 2.1: 1-2 4; 2.2: 1-2; 2.3: 1; 2.4: 1-7 11; 2.5: 1-4 7-8;
3.1: 1-2; 3.2: 1-4 6; 3.3: 1-4 7-8; 4.1: 2-3
"""
"""The success criteria of levels A and AA in WCAG 2.2, by guideline; those that are missing are of level AAA."""


def required(standard: str) -> list[str]:
    found = []
    for section, numbers in re.findall(r"([\d.]+): ([\d -]+)", standard):
        for span in numbers.split():
            first, _, last = span.partition("-")
            found += [f"{section}.{number}" for number in range(int(first), int(last or first) + 1)]
    return found


def rows(page: str) -> list[tuple[str, str, str, str]]:
    """Number, answer, reason and tests of each requirement; 2.7.1-6 are six that have one row."""
    found = []
    for number, last, answer, why, tests in ROW.findall(page):
        section, first = number.rsplit(".", 1)
        found += [(f"{section}.{n}", answer, why, tests) for n in range(int(first), int(last or first) + 1)]
    return found


pages = pytest.mark.parametrize(
    "page",
    [
        pytest.param((ROOT / "docs" / "audits" / name).read_text(encoding="utf-8"), id=name)
        for name in ("asvs.md", "accessibility.md")
    ],
)


def test_every_requirement_of_level_2_of_asvs_is_answered_once() -> None:
    page = (ROOT / "docs" / "audits" / "asvs.md").read_text(encoding="utf-8")
    assert len(required(ASVS_LEVEL_2)) == 259
    assert [number for number, *_ in rows(page)] == required(ASVS_LEVEL_2)


def test_every_criterion_of_levels_a_and_aa_of_wcag_is_answered_once() -> None:
    page = (ROOT / "docs" / "audits" / "accessibility.md").read_text(encoding="utf-8")
    assert len(required(WCAG_AA)) == 55
    assert [number for number, *_ in rows(page)] == required(WCAG_AA)


@pages
def test_the_counts_are_those_of_the_rows(page: str) -> None:
    counted = Counter(answer for _, answer, *_ in rows(page))
    told = re.search(r"(\d+) yes, (\d+) no, (\d+) not applicable", page)
    assert told is not None
    assert [int(number) for number in told.groups()] == [counted[answer] for answer in ("yes", "no", "n/a")]


@pages
def test_what_is_no_or_not_applicable_says_why(page: str) -> None:
    assert [number for number, answer, why, _ in rows(page) if answer != "yes" and not why] == []
    assert [number for number, _, why, tests in rows(page) if not why and not tests] == []
