"""What judgments along a random order decide about the pool judged whole."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from tests.analysis.trust.conftest import FAR_APART, ORDER, GiveGrades, Made, pooled
from tests.fixture_types import JudgeAs
from tests.sentences import refused, says
from workbench.analysis.trust.certain_pairs import certain_pairs
from workbench.analysis.trust.decisions import Decisions, _state, decide
from workbench.analysis.trust.drawn import Drawn, drawn
from workbench.analysis.trust.sentences import notes_on_decided
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.pool_job import retire_pool
from workbench.core.errors import CampaignError, UnknownName
from workbench.methods.bounds.pairs import Pairs
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools

THREE = {
    "one": {"1": "a b c d e", "2": "a b c d e"},
    "two": {"1": "b a c d f", "2": "e d c b a"},
    "three": {"1": "e d b a g", "2": "g f e d c"},
}


def decided(campaign: Campaign, measure: str | None = None) -> Decisions:
    """What is decided, where something can be."""
    found = decide(campaign, measure)
    assert found is not None
    return found


def drawn_of(campaign: Campaign) -> Drawn:
    """The order that was drawn."""
    found = drawn(campaign)
    assert found is not None
    return found


def draw_of(campaign: Campaign, number: int, **recipe: object) -> None:
    recipe = {"strategy": "sequential-pps", "depth": 5, "measure": "P@2", "seed": 2} | recipe
    add_pool(campaign.by("Olga"), budget=number, **recipe)  # type: ignore[arg-type]


def test_a_clear_difference_is_decided_long_before_it_is_certain_but_not_before_it_is_judged(
    far_apart: Campaign,
) -> None:
    found = decided(far_apart)
    (pair,) = found.pairs
    assert (pair.state, pair.run_a, pair.run_b, pair.better) == ("decided", "far", "off", "far")
    assert pair.lower < 0 < pair.difference <= pair.upper
    assert 0 < pair.risk <= 0.05
    assert pair.together
    assert pair.in_list
    assert (len(found.order.gain), len(found.order.pairs), found.order.topics) == (50, 600, 2)
    assert found.history[-1] == (50, 1)
    assert [look.decided for look in found.history] == sorted(look.decided for look in found.history)
    row = pools.all_pools(far_apart)[-1].seq
    then = decided(far_apart.at(row))
    assert (then.order.head.seq, len(then.order.gain), then.pairs[0].state) == (row, 0, "open")
    assert then.history == ()
    assert decide(far_apart.at(row - 1)) is None


def test_the_newest_order_is_looked_at_until_its_pool_is_retired(made: Made) -> None:
    campaign = made(THREE)
    add_pool(campaign.by("Olga"), strategy="random", depth=5, budget=4)
    assert decide(campaign) is None
    for seed in (5, 6):
        draw_of(campaign, 3, seed=seed)
    found = decided(campaign)
    assert (found.order.series.numbers, found.order.series.seed) == ((3,), 6)
    assert {frozenset(pair[:2]) for pair in found.pairs} == {*map(frozenset, combinations(THREE, 2))}
    for pool in (2, 3):
        retire_pool(campaign.by("Olga"), pool, reason="")
    assert drawn(campaign) is None


def test_nothing_behind_a_gap_counts_and_the_gap_is_named(made: Made, give_grades: GiveGrades) -> None:
    campaign = made(FAR_APART)
    draw_of(campaign, 50, **ORDER)
    before = drawn_of(campaign)
    assert before.gap == ()  # nothing is judged
    assert (before.pooled, before.judged, len(before.gain)) == (50, 0, 0)
    waiting = before.pairs[9]
    give_grades(campaign, dict.fromkeys({*pooled(campaign)} - {waiting}, 0))
    after = drawn_of(campaign)
    assert (len(after.gain), after.judged, after.gap[0], len(after.gap)) == (9, 49, waiting, 41)


def test_a_greater_budget_goes_on_from_what_is_judged(made: Made, give_grades: GiveGrades) -> None:
    campaign = made(FAR_APART)
    draw_of(campaign, 10, **ORDER)
    give_grades(campaign, dict.fromkeys(pooled(campaign), 1))
    draw_of(campaign, 25, **ORDER)
    found = drawn_of(campaign)
    assert (found.series.numbers, len(found.gain), found.pooled) == ((1, 2), 10, 25)
    assert list(found.pairs[:25]) == sorted(pooled(campaign), key=found.pairs.index)


def test_all_judged_decides_everything_and_the_difference_is_that_of_the_scores(
    made: Made, give_grades: GiveGrades
) -> None:
    campaign = made(THREE)
    draw_of(campaign, 11)
    relevant = {("1", "b"), ("2", "a"), ("2", "g")}
    give_grades(campaign, {pair: int(pair in relevant) for pair in pooled(campaign)})
    found = decided(campaign)
    # P@2 in topics 1 and 2: one (1, 1) / 2, two (1, 0) / 2, three (0, 1) / 2.
    named = {(pair.run_a, pair.run_b): pair for pair in found.pairs}
    assert named[("one", "two")][2:7] == (0.25, 0.25, 0.25, "certain", "one")
    assert named[("one", "three")][2:7] == (0.25, 0.25, 0.25, "certain", "one")
    level = next(pair for pair in found.pairs if "one" not in pair[:2])
    assert (level.difference, level.state, level.better, level.risk) == (0, "tied for certain", "", 0)
    assert found.number("certain", "tied for certain") == 3


@pytest.mark.parametrize("seed", range(4))
def test_bounds_are_those_of_the_whole_order_pooled(made: Made, give_grades: GiveGrades, seed: int) -> None:
    campaign = made(THREE)
    draw_of(campaign, 14, measure="RBP(p=0.5)", depth=5, seed=seed)
    rng = np.random.default_rng(seed)
    give_grades(campaign, {pair: int(rng.integers(2)) for pair in pooled(campaign) if rng.random() < 0.5})
    found, known = decided(campaign, "RBP(p=0.5)"), certain_pairs(campaign, "RBP(p=0.5)")
    bounds = {(pair.run_a, pair.run_b): (pair.lower, pair.upper) for pair in found.pairs}
    for pair in known.rows():
        one, other = pair.run_a, pair.run_b
        lower, upper = bounds.get((one, other)) or tuple(-each for each in bounds[(other, one)][::-1])
        assert (lower, upper) == pytest.approx((pair.lower, pair.upper), abs=1e-12)


def test_what_was_judged_before_the_first_draw_is_known_and_not_drawn(
    made: Made, give_grades: GiveGrades
) -> None:
    campaign = made(THREE)
    add_pool(campaign.by("Olga"), depth=1)
    first = pooled(campaign)
    give_grades(campaign, dict.fromkeys(first, 1))
    draw_of(campaign, 8)
    found = drawn_of(campaign)
    assert set(found.pairs).isdisjoint(first)
    # P@2, sums over both topics: one has a and b in the first topic and a in the second.
    weigh = dict(zip(found.tags, found.sums.known.tolist(), strict=True))
    assert weigh == {"one": 1.5, "two": 1.5, "three": 1.0}


def test_a_pair_known_before_that_lost_its_grade_stops_everything(
    small: Campaign, judging_as: JudgeAs
) -> None:
    judging_as(small, "Ann", "1", "d1", 1)
    draw_of(small, 5)
    judging_as(small, "Ann", "1", "d1", None)
    with refused(CampaignError):
        drawn(small)


def test_a_document_that_nobody_could_judge_counts_as_not_relevant(
    small: Campaign, judging_as: JudgeAs
) -> None:
    draw_of(small, 5, measure="RBP(p=0.5)")
    found = drawn_of(small)
    first = next(at for at, pair in enumerate(found.pairs) if pair == ("10", "d6"))  # it has no text
    assert first > 0
    for topic_id, document_id in found.pairs[:first]:
        judging_as(small, "Ann", topic_id, document_id, None)
    again = drawn_of(small)
    assert again.gain.tolist() == [0] * first
    assert again.judged == first


def test_withdrawn_runs_are_left_out_and_one_run_alone_is_refused(
    made: Made, give_grades: GiveGrades
) -> None:
    campaign = made(THREE)
    draw_of(campaign, 8)
    give_grades(campaign, dict.fromkeys(pooled(campaign), 1))
    order = drawn_of(campaign)
    withdraw_runs(campaign.by("Olga"), ["two"], reason="an error")
    found = decided(campaign)
    assert found.order.tags == ("one", "three")
    assert found.order.pairs == order.pairs
    withdraw_runs(campaign.by("Olga"), ["one"], reason="an error")
    with refused(CampaignError):
        decide(campaign)


def test_runs_and_pools_that_come_later_are_not_of_the_order(made: Made, give_grades: GiveGrades) -> None:
    campaign = made(THREE)
    draw_of(campaign, 4)
    add_pool(campaign.by("Olga"), depth=5)
    give_grades(campaign, dict.fromkeys(pooled(campaign), 0))
    found = drawn_of(campaign)
    # Of the 14 documents of the runs P@2 weighs 10; the 4 others tell no two runs apart.
    assert (len(found.pairs), len(found.gain), found.elsewhere) == (10, 10, 4)


@pytest.mark.parametrize("measure", ["AP", "P@5", "DCG(gains={0:-1,1:1})@2"])
def test_measures_of_which_the_order_says_nothing_are_refused(made: Made, measure: str) -> None:
    campaign = made(THREE)
    draw_of(campaign, 8)
    with refused(UnknownName):
        decide(campaign, measure)


@pytest.mark.parametrize("alpha", [0.0, 1.0, -1.0, float("nan")])
def test_a_risk_of_nothing_or_everything_is_refused(made: Made, alpha: float) -> None:
    with refused(CampaignError):
        decide(made(THREE), alpha=alpha)


def test_of_very_many_runs_the_best_are_compared_and_all_pairs_are_counted(
    made: Made, give_grades: GiveGrades, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = made(THREE)
    draw_of(campaign, 8)
    give_grades(campaign, {pair: int(pair[1] in "ab") for pair in pooled(campaign)})
    monkeypatch.setattr("workbench.analysis.trust.decisions.MOST_RUNS", 2)
    found = decided(campaign)
    assert len(found.pairs) == 1
    assert set(found.left_out) | {found.pairs[0].run_a, found.pairs[0].run_b} == set(THREE)
    assert says(notes_on_decided(found, "c")[-1])


@pytest.mark.parametrize(
    ("lower", "upper", "risks", "state"),
    [
        (0.1, 0.2, (1.0, 1.0), ("certain", 0)),
        (-0.2, -0.1, (1.0, 1.0), ("certain", 1)),
        (0.0, 0.0, (0.0, 1.0), ("tied for certain", None)),
        (-0.1, 0.1, (0.05, 0.9), ("decided", 0)),
        (-0.1, 0.1, (0.9, 0.05), ("decided", 1)),
        (-0.1, 0.1, (0.01, 0.01), ("decided", 0)),
        (-0.1, 0.1, (0.06, 0.9), ("open", None)),
    ],
)
def test_a_pair_is_certain_or_decided_at_a_risk_or_open(
    lower: float, upper: float, risks: tuple[float, float], state: tuple[str, int | None]
) -> None:
    square = [
        np.array([[0.0, one], [other, 0.0]]) for one, other in ((lower, -upper), (upper, -lower), risks)
    ]
    bounds = Pairs((square[0] + square[1]) / 2, square[0], square[1])
    assert _state(bounds, square[2], 0.05, 0, 1) == state
