"""The page of worked examples is run, line by line, and prints what it shows."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from workbench.methods.measures import parse_measure

PAGE = Path(__file__).resolve().parent.parent / "docs" / "use" / "worked-examples.md"


def examples(page: str) -> doctest.DocTest:
    """All lines of the page's blocks as one session, with their places in the page."""
    return doctest.DocTestParser().get_doctest(page, {}, PAGE.name, str(PAGE), 0)


def test_the_worked_examples_come_out_as_written() -> None:
    told: list[str] = []
    session = examples(PAGE.read_text(encoding="utf-8"))
    done = doctest.DocTestRunner(verbose=False).run(session, out=told.append)
    assert done.failed == 0, "".join(told)
    assert done.attempted > 20


def test_the_example_of_leaving_out_comes_out_as_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told: list[str] = []
    session = examples(PAGE.with_name("reuse.md").read_text(encoding="utf-8"))
    done = doctest.DocTestRunner(verbose=False).run(session, out=told.append)
    assert done.failed == 0, "".join(told)
    assert done.attempted > 10


def test_an_example_with_another_number_is_found() -> None:
    page = PAGE.read_text(encoding="utf-8").replace("\nAP = 0.5133\n", "\nAP = 0.5134\n")
    done = doctest.DocTestRunner(verbose=False).run(examples(page), out=lambda _: None)
    assert done.failed == 1


def test_every_family_of_the_textbooks_has_an_example() -> None:
    called = re.findall(r'score\("([^"]*)"', PAGE.read_text(encoding="utf-8"))
    shown = {parse_measure(name).name for names in called for name in names.split()}
    wanted = {
        "P",
        "R",
        "AP",
        "IAP",
        "IPrec",
        "IPrec11",
        "RR",
        "Rprec",
        "SetF",
        "SetE",
        "AUC",
        "CG",
        "DCG",
        "nDCG",
        "ERR",
    }
    assert wanted <= shown
