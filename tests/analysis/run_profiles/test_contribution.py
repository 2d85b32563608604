"""What runs brought to the pools, counted by hand.

In `small` the pool has depth 2. Topic 1: alpha d1 d2, beta d4 d2; topic 2: alpha d1 d2, beta d2 d5; topic 10: beta d6.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.fixture_types import JudgeAs, WriteRun
from tests.sentences import says
from workbench.analysis.run_profiles.contribution import Contribution, contributions, found_alone
from workbench.analysis.run_profiles.table import run_table
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_runs
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Topic
from workbench.methods.pooling import STRATEGIES
from workbench.scoring.board.past_boards import scoring_of
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.collection import topics


def told(campaign: Campaign, as_of: int | None = None) -> dict[int, Contribution]:
    return contributions(campaign.at(as_of), scoring_of(campaign.at(as_of)))


def test_pairs_are_counted_down_to_the_depth_of_the_pool_and_named_if_relevant_and_alone(
    small: Campaign, judging_as: JudgeAs
) -> None:
    assert told(small) == {1: Contribution(4, 2, 0), 2: Contribution(5, 3, 0)}
    judging_as(small, "Ann", "1", "d1", 1)
    seq = judging_as(small, "Ann", "1", "d2", 2).judgment.seq
    judging_as(small, "Ann", "2", "d5", 2)
    judging_as(small, "Ann", "1", "d4", 0)
    assert told(small) == {1: Contribution(4, 2, 1), 2: Contribution(5, 3, 1)}
    assert told(small, seq) == {1: Contribution(4, 2, 1), 2: Contribution(5, 3, 0)}
    judging_as(small, "Ann", "2", "d1", 1)
    scoring = scoring_of(small)
    assert found_alone(small, scoring, 1) == [("1", "d1", 1), ("2", "d1", 1)]
    assert found_alone(small, scoring, 2) == [("2", "d5", 2)]


def test_a_pool_by_a_strategy_that_is_not_here_is_left_out_and_said(small: Campaign) -> None:
    make = replace(STRATEGIES["depth"], name="of a later version")
    STRATEGIES[make.name] = make
    try:
        add_pool(small.by("Olga"), strategy=make.name, depth=3)
    finally:
        del STRATEGIES[make.name]
    assert told(small) == {1: Contribution(4, 2, 0), 2: Contribution(5, 3, 0)}
    (said,) = run_table(small).not_counted
    assert says(said.partition("; there are ")[0], "pool 2", make.name)


def test_a_second_pool_adds_to_the_first(small: Campaign) -> None:
    add_pool(small.by("Olga"), depth=3, tags=["alpha"])
    # d3 of topic 1 is new; beta has d1 of topic 1 at rank 3, but was pooled to depth 2 only.
    assert told(small) == {1: Contribution(5, 3, 0), 2: Contribution(5, 3, 0)}
    add_pool(small.by("Olga"), depth=10**30)
    assert told(small) == {1: Contribution(5, 2, 0), 2: Contribution(6, 3, 0)}


def test_a_withdrawn_run_has_brought_what_it_brought(small: Campaign) -> None:
    before = told(small)
    withdraw_runs(small.by("Olga"), ["beta"])
    assert told(small) == before
    add_pool(small.by("Olga"), depth=3)
    assert told(small) == {1: Contribution(5, 3, 0), 2: Contribution(5, 3, 0)}


def test_a_campaign_without_a_pool_has_no_contributions(small: Campaign, tmp_path: Path) -> None:
    assert told(small, 3) == {}
    with create_campaign(tmp_path / "empty.db") as empty:
        assert told(empty) == {}


def test_ties_are_pooled_in_the_order_of_the_pool(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text("1 Q0 a 1 9 a\n1 Q0 b 2 9 a\n1 Q0 c 3 1 a\n")
    (tmp_path / "b.run").write_text("1 Q0 a 1 9 b\n")
    with create_campaign(tmp_path / "tied.db") as campaign:
        with campaign.write():
            topics.put(campaign.by("Olga"), [Topic("1", "")], files=[])
        add_runs(campaign.by("Olga"), [str(tmp_path / "a.run"), str(tmp_path / "b.run")])
        add_pool(campaign.by("Olga"), depth=1, ties="ascending")
        assert told(campaign) == {1: Contribution(1, 0, 0), 2: Contribution(1, 0, 0)}
        add_pool(campaign.by("Olga"), depth=1)
        assert told(campaign) == {1: Contribution(2, 1, 0), 2: Contribution(1, 0, 0)}


def test_topics_that_come_later_do_not_move_what_was_pooled(
    small: Campaign, written_run: WriteRun, tmp_path: Path
) -> None:
    with small.write():
        topics.put(small.by("Olga"), [Topic("0", "first of all")], files=[])
    path = written_run(tmp_path / "c.run", "gamma", {"0": "d1", "1": "d4"})
    add_runs(small.by("Olga"), [path])
    assert told(small) == {1: Contribution(4, 2, 0), 2: Contribution(5, 3, 0)}
    add_pool(small.by("Olga"), depth=1, tags=["gamma"])
    assert told(small) == {1: Contribution(4, 2, 0), 2: Contribution(5, 2, 0), 3: Contribution(2, 1, 0)}
