"""docs/asvs.md answers every requirement of the standard's level 2, and what it names is there."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "asvs.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (\d+\.\d+\.\d+) \| ([^|]+) \| (yes|no|n/a) \| ([^|]*) \| ([^|]*) \|$", re.MULTILINE)

LEVEL_2 = """
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


def required() -> list[str]:
    found = []
    for section, numbers in re.findall(r"([\d.]+): ([\d -]+)", LEVEL_2):
        for span in numbers.split():
            first, _, last = span.partition("-")
            found += [f"{section}.{number}" for number in range(int(first), int(last or first) + 1)]
    return found


def test_every_requirement_of_level_2_is_answered_once() -> None:
    assert len(required()) == 259
    assert [number for number, *_ in ROW.findall(PAGE)] == required()


def test_the_counts_are_those_of_the_rows() -> None:
    counted = Counter(answer for _, _, answer, *_ in ROW.findall(PAGE))
    told = re.search(r"(\d+) yes, (\d+) no, (\d+) not applicable", PAGE)
    assert told is not None
    assert [int(number) for number in told.groups()] == [counted[answer] for answer in ("yes", "no", "n/a")]


def test_what_is_no_or_not_applicable_says_why() -> None:
    assert [number for number, _, answer, why, _ in ROW.findall(PAGE) if answer != "yes" and not why] == []
    assert [number for number, _, _, why, tests in ROW.findall(PAGE) if not why and not tests] == []


def test_every_test_that_is_named_is_there() -> None:
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    there = {name for text in texts for name in re.findall(r"^def (test_\w+)\(", text, re.MULTILINE)}
    assert set(re.findall(r"`(test_\w+)`", PAGE)) - there == set()
