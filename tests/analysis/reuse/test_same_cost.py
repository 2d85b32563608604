"""The pools that the other runs would have made."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.analysis.reuse.conftest import RUNS, Made
from tests.fixture_types import WriteRun
from workbench.analysis.reuse.origin import groups_of, origin_of
from workbench.analysis.reuse.same_cost import remake_to_depth, remakes_of
from workbench.analysis.run_profiles.table import scoring_of
from workbench.campaign.ingest import add_runs
from workbench.campaign.pools.making import add_pool
from workbench.methods.pooling import make_pool
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection.rankings import load_rankings
from workbench.storage.campaign.collection.runs import vocabulary


def without(campaign: Campaign, group: int) -> tuple[set[str], int | None]:
    """The documents of topic 1 in the pools without a team, and the depth."""
    scoring = scoring_of(campaign)
    groups = groups_of(campaign, scoring, "team")
    found = remakes_of(campaign, scoring, origin_of(campaign, scoring), groups).without(group)
    assert found is not None
    ids = vocabulary(campaign, "1")
    return {ids[cell] for cell in found.cells.tolist()}, found.depth


def test_the_others_go_down_to_the_depth_that_costs_as_much(made: Made) -> None:
    campaign = made({"a": ("A", {"1": "d1 d2"}), "b": ("B", {"1": "d3 d4 d5"})}, {}, depth=1)
    # Two pairs, so of b alone the first two.
    assert without(campaign, 0) == ({"d3", "d4"}, 2)
    assert without(campaign, 1) == ({"d1", "d2"}, 2)


def test_a_pool_goes_no_deeper_than_the_others_rankings(made: Made) -> None:
    campaign = made({"a": ("A", {"1": "d1 d2 d3"}), "b": ("B", {"1": "d4"})}, {}, depth=2)
    assert without(campaign, 0) == ({"d4"}, 2)


def test_several_pools_are_each_made_again(made: Made) -> None:
    campaign = made(RUNS, {}, depth=1)
    add_pool(campaign.by("Olga"), strategy="borda", depth=5, budget=2)
    # Without Aachen: the first pool had d1 and d7, so b1 to depth 2; the second the two best of b1, which are the same.
    assert without(campaign, 0) == ({"d7", "d1"}, None)


@pytest.mark.parametrize("strategy", ["rrf", "borda", "rbp-a", "ntcir", "document-id"])
def test_an_order_gives_what_the_strategy_gives_without_these_runs(made: Made, strategy: str) -> None:
    campaign = made(RUNS, {}, strategy=strategy, depth=5, budget=4)
    rankings = load_rankings(campaign, with_names=True, with_scores=True).rankings.of_runs([0, 1])
    pool = make_pool(rankings, strategy=strategy, depth=5, budget=4)
    ids = vocabulary(campaign, "1")
    assert without(campaign, 1)[0] == {ids[number] for number in np.asarray(pool.document).tolist()}


def test_a_pool_to_a_depth_is_that_of_the_runs_that_contribute(
    made: Made, tmp_path: Path, written_run: WriteRun
) -> None:
    campaign = made({"a": ("A", {"1": "d1 d2 d3"}), "b": ("B", {"1": "d4 d1 d5 d6"})}, {})
    late = written_run(tmp_path / "c", "c", {"1": "d7 d8 d9"})
    add_runs(campaign.by("Olga"), [late], team="C", contributes=False)
    scoring = scoring_of(campaign)
    remakes = remake_to_depth(scoring, groups_of(campaign, scoring, "team"), 1)
    ids = vocabulary(campaign, "1")
    found = [remakes.without(group) for group in range(3)]
    # d1 and d4, two pairs: as many as b or a alone has to depth 2; c has no part in it.
    assert [pool and ({ids[cell] for cell in pool.cells.tolist()}, pool.depth) for pool in found] == [
        ({"d4", "d1"}, 2),
        ({"d1", "d2"}, 2),
        ({"d1", "d4"}, 1),
    ]


def test_without_all_runs_nothing_is_in_an_ordered_pool(made: Made) -> None:
    campaign = made({"a": ("A", {"1": "d1 d2"})}, {}, strategy="rrf", depth=5, budget=2)
    assert without(campaign, 0) == (set(), None)


def test_a_pool_of_listed_pairs_has_no_order_in_which_it_could_go_on(made: Made) -> None:
    campaign = made(RUNS, {}, strategy="list", pairs=["1 d1", "1 d7"], found_by="search")
    scoring = scoring_of(campaign)
    groups = groups_of(campaign, scoring, "team")
    found = remakes_of(campaign, scoring, origin_of(campaign, scoring), groups)
    assert found.without(0) is None
    assert found.why_not == (
        "The same cost is not computed: pool 1 (list) has no order in which it could go on."
    )
