"""Costs are added and asked for on the command line."""

from __future__ import annotations

import csv
from pathlib import Path

from tests.fixture_types import Fails, Workbench
from tests.sentences import says


def test_a_table_is_tried_and_added_and_then_stands_beside_the_scores(done: Workbench) -> None:
    Path("costs.csv").write_text("run,energy_J\nalpha,4\n", encoding="utf-8")
    assert says(done("add run-costs small costs.csv --dry-run").stderr)
    assert says(done("add run-costs small costs.csv").stdout, "alpha", "4 J")
    rows = list(csv.DictReader(done("analyse costs small --format csv").stdout.splitlines()))
    assert {row["run"]: (row["cost"], row["front"]) for row in rows} == {
        "alpha": ("4.0", "yes"),
        "beta": ("", ""),
    }


def test_times_are_shown_by_run_and_a_small_log_has_no_interval_at_its_end(done: Workbench) -> None:
    lines = "".join(f"alpha,{number}\n" for number in range(1, 101))
    Path("times.csv").write_text(f"run,seconds\n{lines}", encoding="utf-8")
    rows = list(csv.DictReader(done("analyse latency times.csv --format csv").stdout.splitlines()))
    found = {row["figure"]: (float(row["seconds"]), row["interval_from"], row["interval_to"]) for row in rows}
    assert found["mean"] == (50.5, "", "") and found["p50"] == (50.5, "40.0", "61.0")
    assert found["p95"] == (95.05, "90.0", "100.0")
    assert found["p99"][1:] == ("", "")
    assert says(done("add run-costs small times.csv --times").stdout, "50.5 s")


def test_a_day_or_a_field_that_has_none_is_refused(fails: Fails) -> None:
    assert says(fails("analyse freshness small --on May"), "May")
    assert says(fails("analyse freshness small --field published"), "published")
