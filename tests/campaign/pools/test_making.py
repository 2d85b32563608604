"""Pools are made from the runs of a campaign, and grow without losing anything."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.judged_pairs import judge_as
from tests.sentences import refused
from workbench.campaign.ingest import RunOptions, add_runs
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.plan import plan_pool
from workbench.core.errors import CampaignError, NotThere, UnknownName
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools
from workbench.storage.campaign.log import log


def pool_of(campaign: Campaign) -> dict[tuple[str, str], int]:
    return {pair.pooled[:2]: pair.pool for pair in pools.pooled_pairs(campaign)}


@pytest.fixture
def unpooled(tmp_path: Path) -> Iterator[Campaign]:
    """Two runs, of which `manual` does not contribute; `alpha` has three documents with one score for topic 1."""
    for tag, lines in {
        "alpha": "1 Q0 a 1 9 alpha\n1 Q0 b 2 9 alpha\n1 Q0 c 3 9 alpha\n2 Q0 a 1 1 alpha\n",
        "manual": "1 Q0 z 1 5 manual\n",
    }.items():
        (tmp_path / f"{tag}.run").write_text(lines, encoding="utf-8")
    with new_campaign(tmp_path / "c.db", title="C", actor="Olga") as campaign:
        add_runs(campaign.by("Olga"), [str(tmp_path / "alpha.run")])
        add_runs(campaign.by("Olga"), [str(tmp_path / "manual.run")], contributes=False)
        yield campaign


@pytest.mark.parametrize("depth", [1, 2, 3, 100])
@pytest.mark.parametrize("tags", [None, ["alpha"], ["beta", "beta"], ["beta", "alpha"]])
def test_the_pool_is_the_one_that_was_planned(small: Campaign, depth: int, tags: list[str] | None) -> None:
    plan = plan_pool(small, depth=depth, tags=tags)
    before = set(pool_of(small))
    made = add_pool(small.by("Olga"), depth=depth, tags=tags)
    assert (made.pairs, made.topics) == (plan.total, sum(row.pairs > 0 for row in plan.by_topic))
    assert made.pool.record.runs == plan.tags
    assert made.pool.pairs == plan.total - plan.pooled_already == len(set(pool_of(small)) - before)


def test_a_first_pool_is_shuffled(unpooled: Campaign) -> None:
    record = add_pool(unpooled.by("Olga"), depth=1).pool.record
    assert (record.viewing, record.seed) == ("shuffle", 0)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"depth": 0}, UnknownName),
        ({"depth": -3}, UnknownName),
        ({"viewing_seed": -(2**63)}, CampaignError),
        ({"tags": ["alpha", "nobody"]}, NotThere),
        ({"tags": []}, CampaignError),
        ({"strategy": "dept"}, UnknownName),
        ({"ties": "up"}, UnknownName),
        ({"viewing": "suffle"}, UnknownName),
    ],
)
def test_a_pool_that_cannot_be_is_refused_with_a_reason(
    small: Campaign, wrong: dict[str, object], error: type[Exception]
) -> None:
    before = log.head(small)
    with refused(error):
        add_pool(small.by("Olga"), **{"depth": 2, **wrong})  # type: ignore[arg-type]
    assert log.head(small) == before


@pytest.mark.slow
@pytest.mark.data
def test_pools_of_robust03_have_the_known_sizes(data_folder: Path, tmp_path: Path) -> None:
    files = sorted(str(path) for path in (data_folder / "robust03" / "runs").iterdir())
    with new_campaign(tmp_path / "robust.db", title="Robust 2003", actor="Olga") as campaign:
        add_runs(campaign.by("Olga"), files)
        sizes = {1: 843, 5: 3_270, 10: 6_107, 20: 11_235, 50: 25_951, 100: 49_528}
        plan = plan_pool(campaign, depth=10)
        assert {depth: plan.at(depth).pairs for depth in sizes} == sizes
        made = add_pool(campaign.by("Olga"), depth=10)
        assert made.pool.pairs == sizes[10]
        deeper = add_pool(campaign.by("Olga"), depth=100)
        assert deeper.pool.pairs == sizes[100] - sizes[10]
        alone = sum(pair.pooled.runs == 1 for pair in pools.pooled_pairs(campaign) if pair.pool == 2)
        assert len(pools.pooled_pairs(campaign)) == sizes[100]
        assert alone > 0


@pytest.mark.data
@pytest.mark.parametrize(
    ("ties", "pairs", "with_manual"), [("ascending", 3_563, 3_717), ("descending", 3_564, 3_718)]
)
def test_the_pool_of_wows_is_the_organisers_own(
    data_folder: Path, tmp_path: Path, ties: str, pairs: int, with_manual: int
) -> None:
    folder = data_folder / "wows"
    files = sorted(str(path) for path in (folder / "runs").iterdir())
    judged = json.loads((folder / "judgment-pool.json").read_text(encoding="utf-8"))
    organisers = {(topic_id, document_id) for topic_id, ids in judged.items() for document_id in ids}
    with (folder / "manual.csv").open(encoding="utf-8") as file:
        manual = {(row["qid"], row["doc_id"]) for row in csv.DictReader(file)}
    with new_campaign(tmp_path / "wows.db", title="WOWS", actor="Olga") as campaign:
        add_runs(campaign.by("Olga"), files, options=RunOptions(name="file"))
        tags = [run for run in plan_pool(campaign, depth=11).tags if run.startswith("ows-")]
        made = add_pool(campaign.by("Olga"), depth=11, ties=ties, tags=tags)
        assert made.pool.pairs == pairs
        found = set(pool_of(campaign)) | manual
        assert (len(found), found == organisers) == (with_manual, ties == "ascending")


def test_a_deeper_pool_adds_pairs_and_old_ones_keep_their_pool_and_judgments(small: Campaign) -> None:
    judged = judge_as(small, "Ann", "1", "d1", 2).judgment
    before = pools.pooled_pairs(small)
    made = add_pool(small.by("Olga"), depth=3)
    assert made.pool.pool == 2
    assert made.pool.pairs == 1
    assert pool_of(small)["1", "d3"] == 2
    assert [pair for pair in pools.pooled_pairs(small) if pair.pool == 1] == before
    assert judge_as(small, "Ann", "1", "d1", 1).judgment.replaces == judged.seq
