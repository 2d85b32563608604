"""The examples by hand in documents are run, line by line, and print what they show."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parent.parent / "docs" / "use"


@pytest.mark.parametrize(("name", "lines"), [("trust.md", 16)])
def test_the_example_by_hand_comes_out_as_written(
    name: str, lines: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page, told = DOCS / name, []
    session = doctest.DocTestParser().get_doctest(page.read_text(encoding="utf-8"), {}, name, str(page), 0)
    done = doctest.DocTestRunner(verbose=False).run(session, out=told.append)
    assert done.failed == 0, "".join(told)
    assert done.attempted > lines
