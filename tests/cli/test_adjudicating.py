"""workbench judging conflicts."""

from __future__ import annotations

import csv
import json
from importlib import import_module
from pathlib import Path

import pytest

from tests.fixture_types import Workbench
from tests.sentences import says


@pytest.fixture
def disputed(done: Workbench) -> None:
    """Ann and Ben differ on d1 and d4 of topic 1, on d2 of topic 2, and on d6 of topic 10, which has no text."""
    Path("ann.txt").write_text("1 0 d1 1\n1 0 d4 0\n10 0 d6 1\n2 0 d2 2\n", encoding="utf-8")
    Path("ben.txt").write_text("1 0 d1 0\n1 0 d4 1\n10 0 d6 0\n2 0 d2 1\n", encoding="utf-8")
    done("add", "qrels", "small", "ann.txt", "--assessor", "Ann")
    done("add", "qrels", "small", "ben.txt", "--assessor", "Ben")


@pytest.mark.usefixtures("disputed")
def test_conflicts_are_listed_and_counted(done: Workbench) -> None:
    result = done("conflicts", "small")
    assert sorted(line.split()[:2] for line in result.stdout.splitlines()[1:]) == [
        ["1", "d1"],
        ["1", "d4"],
        ["2", "d2"],
    ]
    assert "3 conflicts open, 0 settled." in result.stderr
    assert says(result.stderr)
    assert "1 more conflict cannot be shown" in result.stderr


@pytest.mark.usefixtures("disputed")
def test_csv_and_json_have_the_same_conflicts(done: Workbench) -> None:
    rows = list(csv.DictReader(done("conflicts", "small", "--format", "csv").stdout.splitlines()))
    found = json.loads(done("conflicts", "small", "-m", "nDCG@5", "--format", "json").stdout)
    assert {(row["topic"], row["document"]) for row in rows} == {
        (each["topic"], each["document"]) for each in found["open"]
    }
    assert (found["measure"], found["hidden"]) == ("nDCG@5", 1)


def test_no_conflicts_are_no_rows(done: Workbench) -> None:
    result = done("conflicts", "small")
    assert (result.stdout, result.stderr.splitlines()) == (
        "",
        [
            "0 conflicts open, 0 settled.",
            "Conflicts arise on pairs with several judgments: workbench assign double CAMPAIGN --share 0.1 --seed 1",
        ],
    )


def test_a_measure_that_does_not_exist_is_refused(workbench: Workbench) -> None:
    assert workbench("conflicts", "small", "-m", "nonsense").exit_code == 1


@pytest.mark.usefixtures("disputed")
def test_that_only_the_widest_conflicts_are_scored_is_said(
    done: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("workbench.analysis.adjudication.conflicts"), "MOST_SCORED", 2)
    said = done("conflicts", "small").stderr.splitlines()
    assert says(said[-1])


@pytest.mark.usefixtures("disputed")
def test_of_one_run_there_is_no_order_that_a_conflict_could_change(done: Workbench) -> None:
    done("withdraw", "small", "alpha")
    said = done("conflicts", "small").stderr.splitlines()
    assert [line.partition(":")[0] for line in said] == [
        "3 conflicts open, 0 settled.",
        "1 more conflict cannot be shown",
    ]
