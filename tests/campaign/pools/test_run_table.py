"""Pools to a depth of their own for runs, with priorities within teams, as an organiser makes them of a table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.conftest import write_run
from tests.found_wrong import wrong
from tests.sentences import refused, says
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_runs
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.listing import runs_of_file
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.plan import RunPlan, plan_pool
from workbench.cli import main
from workbench.core.errors import InputError
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools

TABLE = "run,team,depth,priority\na1,A,3,2\na2,A,,1\nb1,B,1,1\n"


@pytest.fixture
def teams(tmp_path: Path) -> Iterator[Campaign]:
    """Topic 1: abcde of the run a1 and bcadf of a2, both of team A, and gedba of b1 of team B."""
    with new_campaign(tmp_path / "c.db", title="C", actor="Olga") as campaign:
        for tag, ids in {"a1": "a b c d e", "a2": "b c a d f", "b1": "g e d b a"}.items():
            path = write_run(tmp_path / f"{tag}.run", tag, {"1": ids})
            add_runs(campaign.by("Olga"), [path], team=tag[0].upper())
        yield campaign


def pooled(campaign: Campaign) -> str:
    return "".join(pair.pooled.document_id for pair in pools.pooled_pairs(campaign))


def run(campaign: Campaign, *words: str, table: str = TABLE) -> Result:
    given = ["pool", str(campaign.path), *words]
    return CliRunner().invoke(main, given, input=table, catch_exceptions=False)


def test_the_table_of_runs_takes_two_more_columns(teams: Campaign, tmp_path: Path) -> None:
    words = ["runs", str(teams.path), "--format", "csv"]
    lines = CliRunner().invoke(main, words, catch_exceptions=False).output.splitlines()
    more = zip(lines, ("depth,priority", "3,2", ",1", "1,"), strict=True)
    (tmp_path / "runs.csv").write_text("".join(f"{line},{cells}\n" for line, cells in more))
    assert runs_of_file(teams, tmp_path / "runs.csv")[0] == {
        "run_depths": ["a1:3", "b1:1"],
        "priorities": ["a1:2", "a2:1"],
    }


def test_the_plan_shows_what_each_run_brings_down_to_its_depth(teams: Campaign) -> None:
    plan = plan_pool(teams, depth=1, run_depths=["b1:3", "a2:2"])
    # a1: a; a2: b, c; b1: g, e, d. In whole rankings a2 has d before b1 has a, which plays no part.
    assert plan.by_run == (
        RunPlan("a1", "A", brings=1, alone=1, new=1),
        RunPlan("a2", "A", brings=2, alone=2, new=2),
        RunPlan("b1", "B", brings=3, alone=3, new=3),
    )
    assert (plan.depth, plan.total) == (None, 6)
    shown = run(teams, "--depth", "1", "--set", "run_depths=b1:3,a2:2", "--dry-run").output
    assert says(" ".join(shown.split()))


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["--depth", "3", "--budget", "-4"], 2),
        (["--depth", "3", "--budget", "0%"], 2),
        (["--depth", "3", "--budget", "7"], 1),
        (["--depth", "3", "--runs-file", "-"], 1),
        (["--depth", "3", "--runs-per-team", "1"], 1),
        (["--depth", "3", "--runs-per-team", "0"], 2),
        (["--strategy", "rrf", "--depth", "3", "--runs-file", "-"], 2),
        (["--depth", "3", "--set", "run_depths=b:1"], 1),
        (["--depth", "3", "--set", "run_depths=b"], 2),
    ],
)
def test_what_cannot_be_is_refused_and_not_made(teams: Campaign, words: list[str], status: int) -> None:
    result = run(teams, *words)
    assert (result.exit_code, says(" ".join(result.stderr.split()))) == (status, True)
    assert pools.all_pools(teams) == []


def test_a_table_is_compared_with_the_runs_line_by_line(teams: Campaign, tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text("run,depth\na1,3\nzz,4\n")
    with refused(InputError, "runs.csv:3", "zz"):
        runs_of_file(teams, tmp_path / "runs.csv")


def test_a_run_that_is_withdrawn_is_passed_over_and_its_older_pool_stays_right(teams: Campaign) -> None:
    add_pool(teams.by("Olga"), depth=1, run_depths=["a1:3"], priorities=["a1:1", "a2:2"], runs_per_team=1)
    assert pooled(teams) == "abcg"
    withdraw_runs(teams.by("Olga"), ["a1"], reason="a bug")
    assert wrong(teams) == []
    result = run(teams, "--depth", "2", "--runs-file", "-", "--runs-per-team", "1")
    assert says(result.output)
    assert pools.all_pools(teams)[-1].record.parameters["priorities"] == ["a2:1", "b1:1"]
    assert wrong(teams) == []
