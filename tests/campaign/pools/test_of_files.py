"""The pool of run files: the same pairs as in a campaign with these runs, whatever is cut on the way."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.clusters import without_processes
from tests.scoring.evaluation.test_parts import TOPICS, made
from tests.sentences import refused
from workbench.campaign.ingest import add_runs, add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.of_files import pool_files
from workbench.core.errors import InputError, UnknownName
from workbench.jobs.cluster import Workers
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import pools

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
STRATEGIES: list[dict[str, Any]] = [
    {"strategy": "depth", "depth": 3},
    {"strategy": "depth", "depth": 3, "ties": "ascending"},
    {"strategy": "depth", "depth": 20, "budget": 30},
    {"strategy": "depth", "depth": 2, "run_depths": ["tag1:9", "tag2:0"]},
    {"strategy": "rrf", "depth": 5, "budget": 20, "burn_in": 1},
    {"strategy": "borda", "depth": 5, "percent": 40.0},
    {"strategy": "combsum", "depth": 5, "budget": 4, "per_topic": True},
    {"strategy": "random", "depth": 5, "percent": 40.0, "seed": 3},
    {"strategy": "sequential-pps", "depth": 5, "budget": 20, "seed": 3},
    {"strategy": "uniform", "depth": 5, "percent": 40.0, "seed": 3},
    {"strategy": "strata", "strata": "1-3:100%,4-9:20%", "seed": 3},
]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Four runs of some 25 documents on each topic, with many equal scores; all topics are in a campaign's file."""
    return made(tmp_path_factory.mktemp("runs"), 4)[1]


@pytest.fixture(scope="module")
def unpooled(runs: list[str]) -> Path:
    """The file of a campaign with these runs."""
    folder = Path(runs[0]).parent
    (folder / "topics.tsv").write_text("".join(f"{topic}\tTopic {topic}\n" for topic in (*TOPICS, "other")))
    path = folder / "four.db"
    with new_campaign(path, title="Four", actor="Olga", now=NOW) as campaign:
        add_topics(campaign.by("Olga", NOW), [str(folder / "topics.tsv")])
        add_runs(campaign.by("Olga", NOW), runs)
    return path


@pytest.mark.parametrize("pool", STRATEGIES, ids=lambda pool: " ".join(map(str, pool.values())))
def test_the_pairs_are_those_of_a_campaign_with_these_runs(
    unpooled: Path, runs: list[str], tmp_path: Path, pool: dict[str, Any]
) -> None:
    with open_campaign(shutil.copy(unpooled, tmp_path / "four.db")) as campaign:
        add_pool(campaign.by("Olga", NOW), **pool)
        expected = [tuple(pair.pooled) for pair in pools.each_pair(campaign)]
    strategy, ties = pool["strategy"], pool.get("ties", "descending")
    parameters = {name: value for name, value in pool.items() if name not in {"strategy", "ties"}}
    found = pool_files(runs, strategy=strategy, ties=ties, parameters=parameters)
    assert found.pairs.rows() == expected
    assert len(expected) > 5


@pytest.mark.parametrize("strategy", ["hedge", "cal", "list", "imported"])
def test_strategies_that_need_more_than_runs_are_refused(runs: list[str], strategy: str) -> None:
    with refused(UnknownName):
        pool_files(runs, strategy=strategy, parameters={})


def test_where_tags_count_two_runs_of_one_tag_are_refused(runs: list[str]) -> None:
    twice = [runs[0], runs[0]]
    assert pool_files(twice, parameters={"depth": 2, "budget": 7}).pairs.height == 7
    assert pool_files(twice, parameters={"depth": 2}).pairs["runs"].to_list() == [2] * 2 * len(TOPICS)
    with refused(InputError):
        pool_files(twice, parameters={"depth": 2, "run_depths": ["tag0:1"]})


def test_runs_that_others_cut_give_the_same_pool_and_the_same_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = without_processes(monkeypatch, "workbench.campaign.pools.of_files")
    _, runs = made(tmp_path)
    alone, elsewhere = (
        pool_files(runs, strategy="depth", parameters={"depth": 3}, workers=workers)
        for workers in (None, Workers(number=2))
    )
    assert elsewhere.pairs.equals(alone.pairs)
    assert elsewhere.warnings == alone.warnings
    assert asked == [Workers(number=2)]
    Path(runs[1]).write_text("9 Q0 d1 0 x t\n")
    Path(runs[3]).unlink()
    problems = []
    for workers in (None, Workers(number=2)):
        with pytest.raises(InputError) as raised:
            pool_files(runs, strategy="depth", parameters={"depth": 3}, workers=workers)
        problems.append(raised.value.problems)
    assert problems[0] == problems[1]
