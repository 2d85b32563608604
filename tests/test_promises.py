"""The pages of promises and of reviews name tests that there are, and every promise names one."""

from __future__ import annotations

import re
from pathlib import Path

from tests.conftest import ROOT
from tests.test_tables_of_documents import HELD

PAGE = ROOT / "docs" / "audits" / "promises.md"


def lines() -> list[tuple[str, str]]:
    """Each promise with what holds it."""
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return [(promise, held) for promise, held in rows if promise != "promise"]


def test_every_test_and_benchmark_that_a_page_or_a_table_names_exists() -> None:
    paths = list(Path(ROOT, "tests").rglob("test_*.py"))
    texts = [path.read_text(encoding="utf-8") for path in paths]
    there = {name for text in texts for name in re.findall(r"^def (test_\w+)", text, re.MULTILINE)}
    there |= {path.name for path in paths}
    pages = [page.read_text(encoding="utf-8") for page in ROOT.glob("docs/**/*.md")]
    named = {name for page in pages for name in re.findall(r"`(test_\w+(?:\.py)?)`", page)} | {*HELD.values()}
    assert named - there == set()
    assert len(named) > 100
    files = {name for page in pages for name in re.findall(r"`((?:tests|benchmarks)/[\w/.]+\.py)`", page)}
    assert {name for name in files if not Path(ROOT, name).exists()} == set()


def test_every_promise_names_what_holds_it() -> None:
    assert [
        promise
        for promise, held in lines()
        if not re.search(r"`(test_\w+|make [a-z-]+|tests/[\w/.]+)`|\]\(", held)
    ] == []
