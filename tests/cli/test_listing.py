"""runs: what is in a campaign, as a list."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable

from click.testing import Result

Workbench = Callable[..., Result]


def test_the_runs_are_listed_with_what_they_brought(done: Workbench) -> None:
    head, alpha, beta = done("runs", "small").stdout.splitlines()
    names = ["Run", "Topics", "Lines", "Warnings", "Pooled", "Unique", "Relevant", "Judged@10", "State"]
    assert head.split() == names
    assert alpha.split() == ["alpha", "2", "5", "1", "4", "2", "0", "0.0000", "in"]
    assert beta.split() == ["beta", "3", "6", "1", "5", "3", "0", "0.0000", "in"]


def test_a_withdrawn_run_is_listed_as_such(done: Workbench) -> None:
    done("withdraw", "small", "beta")
    assert done("runs", "small").stdout.splitlines()[2].split()[-1] == "withdrawn"
    assert done("runs", "small", "--as-of", "6").stdout.splitlines()[2].split()[-1] == "in"


def test_the_runs_are_listed_for_other_programs(done: Workbench) -> None:
    rows = list(
        csv.DictReader(done("runs", "small", "--format", "csv", "--judged-at", "5").stdout.splitlines())
    )
    assert [(row["run"], row["unique"], row["judged_at_5"]) for row in rows] == [
        ("alpha", "2", "0.0"),
        ("beta", "3", "0.0"),
    ]
    assert len(json.loads(done("runs", "small", "--format", "json").stdout)["runs"]) == 2


def test_a_campaign_without_runs_says_how_to_add_some(done: Workbench) -> None:
    done("new", "empty")
    told = done("runs", "empty")
    assert (told.stdout, told.stderr) == (
        "",
        "There are no runs yet. Add some: workbench add runs instance/empty.db FILE...\n",
    )
