"""`workbench battles`: records in, strengths out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fixture_types import Fails, Workbench
from tests.sentences import says


@pytest.fixture(autouse=True)
def battles(folder: Path) -> None:
    """30 wins of x to 10 of y on one topic, and x over z."""
    winners = ["left"] * 30 + ["right"] * 10
    lines = [f"b{n},1,x,y,{winner}\n" for n, winner in enumerate(winners)]
    head = "battle_id,topic_id,left_run,right_run,winner\n"
    (folder / "xy.csv").write_text(head + "".join(lines))
    (folder / "xyz.csv").write_text(head + "".join(lines) + "c,1,x,z,left\n")


def test_csv_has_strengths_intervals_and_battles(done: Workbench) -> None:
    lines = done("battles xy.csv --format csv --no-position").stdout.splitlines()
    assert [line.split(",") for line in lines] == [
        ["run", "strength", "low", "high", "battles"],
        ["x", lines[1].split(",")[1], "", "", "40"],
        ["y", lines[2].split(",")[1], "", "", "40"],
    ]
    assert [round(float(line.split(",")[1]), 4) for line in lines[1:]] == [0.5493, -0.5493]


def test_a_strength_that_is_not_finite_is_printed_as_such_and_said(done: Workbench) -> None:
    result = done("battles xyz.csv --format csv --precision 0.5")
    assert result.stdout.splitlines()[3] == "z,-inf,,,1"
    assert says(result.stderr, "z: ")
    assert says(result.stderr, "± 0.5")
    runs = json.loads(done("battles xyz.csv --format json").stdout)["strengths"]["runs"]
    assert [(run["run"], run["strength"] is None, run["limit"]) for run in runs][-1] == ("z", True, "-inf")


def test_the_same_seed_gives_the_same_values_and_bad_battles_are_refused(
    done: Workbench, fails: Fails, folder: Path
) -> None:
    assert done("battles xyz.csv --seed 7").stdout == done("battles xyz.csv --seed 7").stdout
    (folder / "bad.csv").write_text((folder / "xy.csv").read_text().replace("b0,1,x,y", "b0,1,x,x"))
    assert says(fails("battles bad.csv"), "bad.csv:2", "'x'")
    assert says(fails("battles xy.csv --class model"), "model")
