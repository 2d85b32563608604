"""pool-files: what it writes, and what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixture_types import Workbench
from tests.sentences import says


def test_the_lines_are_those_of_the_campaigns_pool_and_a_campaign_takes_them(done: Workbench) -> None:
    result = done("pool-files alpha.run beta.run --depth 2 -o pool.txt")
    assert (result.stdout, result.stderr) == ("", "7 pairs over 3 topics from 2 runs.\n")
    assert Path("pool.txt").read_text() == done("export pool small").stdout
    taken = done("pool small --strategy list --pairs pool.txt").stderr
    assert "Pool 2: 7 pairs over 3 topics" in taken


def test_csv_has_best_rank_and_runs_and_the_budget_is_kept(done: Workbench) -> None:
    words = ("--strategy", "rrf", "--depth", "3", "--budget", "1", "--per-topic", "--format", "csv")
    assert says(done("pool-files alpha.run beta.run", *words).stdout)


def test_standard_input_is_one_of_the_runs(done: Workbench) -> None:
    read = done("pool-files - beta.run --depth 2", given=Path("alpha.run").read_text())
    assert read.stdout == done("pool-files alpha.run beta.run --depth 2").stdout


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["gone.run", "--depth", "2"], 1),
        (["alpha.run"], 2),
        (["alpha.run", "--strategy", "mtf", "--depth", "2"], 1),
        (["alpha.run", "--strategy", "deep"], 1),
        (["-", "-", "--depth", "2"], 1),
    ],
)
def test_what_cannot_be_pooled_is_said_and_nothing_is_printed(
    workbench: Workbench, words: list[str], status: int
) -> None:
    result = workbench("pool-files", *words)
    assert (result.exit_code, result.stdout) == (status, "")
    assert says(result.stderr)
