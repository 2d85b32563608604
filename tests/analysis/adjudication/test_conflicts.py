"""Which conflicts there are, and which come first.

By AP and Ben's grades, the newest: topic 1 has d2 relevant, topic 2 has d1, d2 and d5. alpha ranks d1 d2 d3 and d1 d2,
beta d4 d2 d1 and d2 d5: alpha has 1/2 and 2/3, beta 1/2 and 2/3, so both are level, and whatever moves one of them
alone changes their order.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from tests.fixture_types import JudgeAs
from workbench.analysis.adjudication.conflicts import Conflicts, cached_conflicts, conflicts, settled_by_topic
from workbench.analysis.adjudication.deciding import Decision, adjudicate
from workbench.analysis.dashboard.progress import state_of
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.pools.making import add_pool
from workbench.core.errors import UnknownName
from workbench.storage.campaign import Campaign

Decide = Callable[..., Decision]

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def pairs(found: Conflicts) -> list[tuple[str, str]]:
    return [conflict.pair for conflict in found.open]


def test_what_could_change_the_order_comes_first_then_the_widest_gap(disputed: Campaign) -> None:
    found = conflicts(disputed)
    assert pairs(found) == [("1", "d1"), ("1", "d4"), ("2", "d1"), ("2", "d5")]
    assert [(each.grades, each.gap, each.influence.swaps > 0) for each in found.open] == [
        ((0, 2), 2, True),
        ((0, 1), 1, True),
        ((0, 1), 1, True),
        ((1, 2), 1, False),
    ]
    assert (found.changing, found.runs, found.top, found.hidden) == (3, 2, 2, 0)
    # With d1 relevant too, topic 1 gives alpha (1 + 1) / 2 and beta (1/2 + 2/3) / 2: 5/12 more, over two topics.
    assert found.open[0].influence.shift == pytest.approx(5 / 24)


def test_another_measure_may_put_others_first(disputed: Campaign) -> None:
    """By nDCG beta leads, whose topic 2 has the higher grades first; d1 of topic 1 alone weighs more than that."""
    found = conflicts(disputed, "nDCG@10")
    assert {each.pair for each in found.open if each.influence.swaps} == {("1", "d1")}
    with pytest.raises(UnknownName):
        conflicts(disputed, "no such measure")


def test_a_settled_conflict_is_listed_as_such_and_reopened_by_another_grade(
    disputed: Campaign, decided: Decide, judging_as: JudgeAs
) -> None:
    adjudicate(disputed.by("Olga"), decided(disputed, "1", "d1", 2))
    found = conflicts(disputed)
    assert ("1", "d1") not in pairs(found)
    assert [(each.document_id, each.grade, each.adjudicator) for each in found.settled] == [("d1", 2, "Olga")]
    judging_as(disputed, "Ben", "1", "d1", 2)
    judging_as(disputed, "Ann", "1", "d1", 1)
    assert ("1", "d1") in pairs(conflicts(disputed))
    assert conflicts(disputed).settled == ()


def test_settled_conflicts_need_no_look_and_the_others_keep_their_order(
    disputed: Campaign, decided: Decide
) -> None:
    def needing() -> dict[str, int]:
        return {topic.topic_id: topic.conflicts for topic in state_of(disputed, now=NOW).topics}

    before = cached_conflicts(disputed, refresh=True)
    assert needing() == {"1": 2, "2": 2, "10": 0}
    adjudicate(disputed.by("Olga"), decided(disputed, "1", "d1", 2))
    assert settled_by_topic(disputed) == {"1": 1}
    assert needing() == {"1": 1, "2": 2, "10": 0}
    assert cached_conflicts(disputed).open == before.open[1:]
    assert cached_conflicts(disputed, refresh=True) == conflicts(disputed)


def test_without_runs_no_conflict_changes_an_order_and_the_widest_gap_comes_first(disputed: Campaign) -> None:
    withdraw_runs(disputed.by("Olga"), ["alpha", "beta"])
    found = conflicts(disputed)
    assert pairs(found) == [("1", "d1"), ("1", "d4"), ("2", "d1"), ("2", "d5")]
    assert {each.influence for each in found.open} == {(0, 0.0)}
    assert (found.changing, found.runs, found.top, found.unscored) == (0, 0, 0, 0)


def test_a_conflict_over_a_document_that_no_run_has_changes_no_order(
    disputed: Campaign, judging_as: JudgeAs
) -> None:
    add_pool(disputed.by("Olga", NOW), strategy="list", pairs=["1 d5"])
    judging_as(disputed, "Ann", "1", "d5", 2)
    judging_as(disputed, "Ben", "1", "d5", 0)
    found = conflicts(disputed)
    assert {each.pair: each.influence for each in found.open}["1", "d5"] == (0, 0.0)
    assert pairs(found) == [("1", "d1"), ("1", "d4"), ("2", "d1"), ("1", "d5"), ("2", "d5")]
    assert (found.changing, found.unscored) == (3, 0)
