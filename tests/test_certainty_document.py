"""The example of docs/certainty.md is run, line by line, and prints what it shows."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parent.parent / "docs" / "certainty.md"


def test_the_example_by_hand_comes_out_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told: list[str] = []
    session = doctest.DocTestParser().get_doctest(
        PAGE.read_text(encoding="utf-8"), {}, PAGE.name, str(PAGE), 0
    )
    done = doctest.DocTestRunner(verbose=False).run(session, out=told.append)
    assert done.failed == 0, "".join(told)
    assert done.attempted > 12
