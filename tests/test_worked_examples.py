"""The page of worked examples is run, line by line, and prints what it shows."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from workbench.methods.measures import parse_measure

PAGE = Path(__file__).resolve().parent.parent / "docs" / "use" / "worked-examples.md"


def run(page: str, name: str) -> doctest.TestResults:
    """The lines of a page's blocks as one session."""
    session = doctest.DocTestParser().get_doctest(page, {}, name, name, 0)
    return doctest.DocTestRunner(verbose=False).run(session)


@pytest.mark.parametrize(("name", "lines"), [(PAGE.name, 20), ("reuse.md", 10), ("trust.md", 16)])
def test_the_worked_examples_come_out_as_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, lines: int
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(PAGE.with_name(name).read_text(encoding="utf-8"), name)
    assert (done.failed, done.attempted > lines) == (0, True)


def test_an_example_with_another_number_is_found() -> None:
    assert run(PAGE.read_text(encoding="utf-8").replace("\nAP = 0.5133\n", "\nAP = 0.5134\n"), "").failed == 1


def test_every_family_of_the_textbooks_has_an_example() -> None:
    called = re.findall(r'score\("([^"]*)"', PAGE.read_text(encoding="utf-8"))
    shown = {parse_measure(name).name for names in called for name in names.split()}
    assert set("P R AP IAP IPrec IPrec11 RR Rprec SetF SetE AUC CG DCG nDCG ERR".split()) <= shown
