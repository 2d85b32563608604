"""A pool of a list holds pairs that no run has: planned, made, made again, and judged like all others."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from tests.found_wrong import wrong
from tests.judged_pairs import judge_as
from tests.sentences import refused, says
from workbench.campaign.ingest import add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.listing import pairs_of_file
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.plan import PoolTopic, plan_pool
from workbench.cli import main
from workbench.core.errors import CampaignError, InputError
from workbench.core.records import Pooled
from workbench.release.export import pool_csv
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools
from workbench.storage.campaign.log import log

# d1 is pooled for topic 1; runs have d3 for it, not pooled; no run has d5 for topic 1 or d9 for topic 2.
PAIRS = ["1 d1", "1 d3", "1 d5", "2 d9"]


def written(folder: Path, text: str) -> str:
    (folder / "pairs.txt").write_text(text)
    return str(folder / "pairs.txt")


def test_the_reader_of_lists_is_loaded_by_pools_of_lists_alone() -> None:
    code = "import sys, workbench.campaign.pools; sys.exit('polars' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_plan_counts_pairs_that_no_run_has(small: Campaign) -> None:
    add_pool(small.by("Olga"), strategy="list", pairs=["1 d5"])
    judge_as(small, "Ann", "1", "d5", 1)
    plan = plan_pool(small, strategy="list", pairs=PAIRS)
    assert (plan.total, plan.at_depth.new, plan.at_depth.judged, plan.at_depth.to_judge) == (4, 2, 1, 9)
    assert plan.by_topic == (
        PoolTopic("1", pairs=3, new=1, before=4, judged=1, to_judge=4, waiting=3),
        PoolTopic("2", pairs=1, new=1, before=3, judged=0, to_judge=4, waiting=3),
        PoolTopic("10", pairs=0, new=0, before=1, judged=0, to_judge=1, waiting=1),
    )
    assert [(run.tag, run.brings, run.alone, run.new) for run in plan.by_run] == [
        ("alpha", 2, 1, 1),
        ("beta", 1, 0, 0),
    ]
    assert add_pool(small.by("Olga"), strategy="list", pairs=PAIRS).pool.pairs == plan.at_depth.new


def test_a_campaign_without_runs_takes_a_list(tmp_path: Path) -> None:
    (tmp_path / "topics.tsv").write_text("1\tone\n")
    with new_campaign(tmp_path / "new.db", title="New", actor="Olga") as campaign:
        add_topics(campaign.by("Olga"), [str(tmp_path / "topics.tsv")])
        assert plan_pool(campaign, strategy="list", pairs=["1 d1"]).total == 1
        add_pool(campaign.by("Olga"), strategy="list", pairs=["1 d1"])
        assert [pair.pooled for pair in pools.pooled_pairs(campaign)] == [Pooled("1", "d1", 0, 0)]
        assert "1,d1,1,0,0,1,1.0" in "".join(pool_csv(campaign))
        assert wrong(campaign) == []


def test_a_topic_that_is_not_there_is_refused_and_nothing_is_made(small: Campaign) -> None:
    before = log.head(small)
    with refused(CampaignError, "3, 4"):
        plan_pool(small, strategy="list", pairs=["4 d1", "1 d3", "3 d1"])
    with refused(CampaignError, "3, 4"):
        add_pool(small.by("Olga"), strategy="list", pairs=["4 d1", "1 d3", "3 d1"])
    assert log.head(small) == before


def test_a_file_is_compared_with_the_campaign_line_by_line(small: Campaign, tmp_path: Path) -> None:
    read = pairs_of_file(small, written(tmp_path, "# by hand\n1 d1\n1 d3\n2 nowhere\n"))
    assert read.pairs == ["1 d1", "1 d3", "2 nowhere"]
    (warning,) = read.warnings
    assert (warning.line, says(warning.message)) == (4, True)
    assert says(warning.message)
    with refused(InputError, "pairs.txt:2"):
        pairs_of_file(small, written(tmp_path, "1 d1\n7 d1\n"))


def test_the_command_reads_a_list_from_a_file_and_standard_input(small: Campaign, tmp_path: Path) -> None:
    words = ["pool", str(small.path), "--strategy", "list", "--pairs"]
    result = CliRunner().invoke(main, [*words, written(tmp_path, "1 d3\n2 d9\n")], catch_exceptions=False)
    assert (
        result.exit_code,
        "Pool 2: 2 pairs over 2 topics from 2 runs, 2 of them new." in result.output,
    ) == (0, True)
    result = CliRunner().invoke(main, [*words, "-"], input="1 0 d5 1\n", catch_exceptions=False)
    assert (result.exit_code, "Pool 3: 1 pair over 1 topic" in result.output) == (0, True)
    twice = CliRunner().invoke(main, [*words, "-", "--set", "pairs=1 d1"], input="1 d5\n")
    assert (twice.exit_code, says(twice.output)) == (2, True)
    other = CliRunner().invoke(main, [*words[:2], "--pairs", "-", "--depth", "3"], input="1 d5\n")
    assert (other.exit_code, "depth has no parameter 'pairs'" in other.output) == (2, True)


def test_a_long_list_is_shown_shortened(small: Campaign) -> None:
    many = [f"1 x{number}" for number in range(2000)]
    plan = plan_pool(small, strategy="list", pairs=many)
    assert plan.how == "by list (pairs 1 x0,1 x1,1 x2,1 x3,1 x4 and 1,995 more)"
    assert plan.total == add_pool(small.by("Olga"), strategy="list", pairs=many).pool.pairs == 2000
    assert wrong(small) == []
