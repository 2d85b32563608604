"""workbench judging conflicts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fixture_types import Fails, Rows, Workbench
from tests.sentences import says


@pytest.fixture
def disputed(done: Workbench) -> None:
    """Ann and Ben differ on d1 and d4 of topic 1, on d2 of topic 2, and on d6 of topic 10, which has no text."""
    Path("ann.txt").write_text("1 0 d1 1\n1 0 d4 0\n10 0 d6 1\n2 0 d2 2\n", encoding="utf-8")
    Path("ben.txt").write_text("1 0 d1 0\n1 0 d4 1\n10 0 d6 0\n2 0 d2 1\n", encoding="utf-8")
    done("add qrels small ann.txt --assessor Ann")
    done("add qrels small ben.txt --assessor Ben")


@pytest.mark.usefixtures("disputed")
def test_conflicts_are_listed_and_counted(done: Workbench, rows: Rows, fails: Fails) -> None:
    result = done("conflicts small")
    pairs = {("1", "d1"), ("1", "d4"), ("2", "d2")}
    assert {tuple(line.split()[:2]) for line in result.stdout.splitlines()[1:]} == pairs
    assert says(result.stderr)
    assert {(row["topic"], row["document"]) for row in rows("conflicts small")} == pairs
    found = json.loads(done("conflicts small -m nDCG@5 --format json").stdout)
    assert {(each["topic"], each["document"]) for each in found["open"]} == pairs
    assert (found["measure"], found["hidden"]) == ("nDCG@5", 1)
    fails("conflicts small -m nonsense")


def test_no_conflicts_are_no_rows(done: Workbench) -> None:
    result = done("conflicts small")
    assert (result.stdout, says(result.stderr)) == ("", True)
