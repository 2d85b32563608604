"""The pages of promises and of reviews name tests that there are, and every promise names one."""

from __future__ import annotations

import re
from pathlib import Path

from tests.conftest import ROOT

PAGE = ROOT / "docs" / "audits" / "promises.md"
REVIEWS = ROOT / "docs" / "audits" / "reviews.md"


def defined() -> set[str]:
    """The names of all test functions."""
    texts = (path.read_text(encoding="utf-8") for path in Path(ROOT, "tests").rglob("test_*.py"))
    return {name for text in texts for name in re.findall(r"^def (test_\w+)", text, re.MULTILINE)}


def lines() -> list[tuple[str, str]]:
    """Each promise with what holds it."""
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return [(promise, held) for promise, held in rows if promise != "promise"]


def test_every_test_that_the_page_names_exists() -> None:
    named = {name for _, held in lines() for name in re.findall(r"`(test_\w+)`", held)}
    assert named - defined() == set()
    assert len(named) > 50


def test_every_promise_names_what_holds_it() -> None:
    assert [
        promise
        for promise, held in lines()
        if not re.search(r"`(test_\w+|make [a-z-]+|tests/[\w/.]+)`|\]\(", held)
    ] == []


def test_every_test_and_benchmark_that_the_reviews_name_exists() -> None:
    named = set(
        re.findall(r"`((?:tests|benchmarks)/[\w/.]+|test_\w+(?:\.py)?)`", REVIEWS.read_text(encoding="utf-8"))
    )
    files = {path.name for path in Path(ROOT, "tests").rglob("test_*.py")}
    assert {name for name in named if "/" in name and not Path(ROOT, name).exists()} == set()
    assert {name for name in named if "/" not in name} - defined() - files == set()
    assert len(named) > 25
