"""The leaderboard under other grades, by hand.

Average precision on topics 1, 10, 2 by Ann's grades: alpha 1, 0, 1/2 and beta 1/3, 1, 1. By the campaign's own, which
are Ben's where he judged: alpha 0, 0, 1/2 and beta 1, 1, 1.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import write_run
from tests.sentences import says
from workbench.analysis.between_assessors import sheets
from workbench.analysis.between_assessors.effect import Effect, View, effect_of_disagreement
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.campaign.label_rules import choose_rule
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs, withdrawals
from workbench.storage.campaign.log import log
from workbench.web.agreement.agreement_words import lead_of_effect


def scores(view: View) -> dict[str, tuple[float, float]]:
    """The campaign's score and the view's, by run."""
    return {place.run: (place.score, place.other_score) for place in view.boards.positions}


def view(effect: Effect, name: str) -> View:
    return next(found for found in effect.views if found.name == name)


def test_the_views_are_every_assessor_the_union_and_the_intersection(disputed: Campaign) -> None:
    found = effect_of_disagreement(disputed)
    assert [(each.name, each.assessor, each.topics, each.changed) for each in found.views] == [
        ("Ann", True, 3, 3), ("Ben", True, 2, 0), ("union", False, 3, 2), ("intersection", False, 3, 1)
    ]  # fmt: skip
    assert (found.topics, found.shared_topics) == (3, 2)
    # Union: on topic 1 d1 and d4 are relevant. Intersection: neither is.
    alphas = {"Ann": 1 / 2, "Ben": 1 / 4, "union": 1 / 3, "intersection": 1 / 6}
    betas = {"Ann": 7 / 9, "Ben": 1, "union": 17 / 18, "intersection": 2 / 3}
    for name in alphas:
        own = (1, 1 / 4) if name == "Ben" else (1, 1 / 6)
        assert scores(view(found, name)) == {
            "beta": pytest.approx((own[0], betas[name])),
            "alpha": pytest.approx((own[1], alphas[name])),
        }
    assert [each.boards.tau_b for each in found.views] == pytest.approx([1, 1, 1, 1])


def test_the_union_of_grades_is_the_highest(disputed: Campaign) -> None:
    # d2, which beta has first on topic 2, is a 2 by Ann and a 1 by Ben.
    found = effect_of_disagreement(disputed, "P(rel=2)@1")
    assert scores(view(found, "union"))["beta"] == pytest.approx((0, 1 / 3))
    assert scores(view(found, "intersection"))["beta"] == pytest.approx((0, 0))


def test_ranges_are_over_choices_of_an_assessor_for_each_topic(disputed: Campaign) -> None:
    found = effect_of_disagreement(disputed, choices=200, seed=2)
    beta, alpha = found.ranges
    # Topic 1 by Ann or by Ben; on the others they make no difference to AP.
    assert (beta.run, beta.rank, beta.best_rank, beta.worst_rank) == ("beta", 1, 1, 1)
    assert (beta.lowest, beta.highest) == pytest.approx((7 / 9, 1))
    assert (alpha.lowest, alpha.low, alpha.high, alpha.highest) == pytest.approx((1 / 6, 1 / 6, 1 / 2, 1 / 2))
    assert alpha.score == pytest.approx(1 / 6)
    assert effect_of_disagreement(disputed, choices=200, seed=2) == found
    # P@1 on topics 1, 10, 2: by Ben alpha 0, 0, 0 and beta 1, 1, 1; by Ann alpha 1, 0, 0 and beta 0, 1, 1.
    found = effect_of_disagreement(disputed, "P@1", choices=50)
    assert (found.tau_mean, found.tau_low, found.tau_lowest) == pytest.approx((1, 1, 1))


def test_an_earlier_moment_has_its_own_grades(disputed: Campaign) -> None:
    before = log.newest_seq(disputed) - 3
    found = effect_of_disagreement(disputed.at(before))
    assert (found.seq, found.shared_topics) == (before, 0)
    names = [(each.name, each.changed) for each in found.views]
    assert names == [("Ann", 0), ("union", 0), ("intersection", 0)]
    assert {each.lowest for each in found.ranges} == {each.highest for each in found.ranges}


def test_where_less_is_better_the_least_stands_first(disputed: Campaign) -> None:
    first, second = effect_of_disagreement(disputed, "SetE", choices=50).ranges
    assert first.score < second.score
    assert (first.rank, second.rank) == (1, 2)


def withdraw(campaign: Campaign, tag: str) -> None:
    (run,) = [stored for stored in runs.in_force(campaign) if stored.record.tag == tag]
    with campaign.write():
        withdrawals.withdraw(campaign.by("Olga"), run.run, tag)


def taus(effect: Effect) -> list[tuple[float | None, float | None]]:
    return [(each.boards.tau_b, each.boards.tau_ap_b) for each in effect.views]


def test_the_same_order_with_tied_runs_has_tau_and_tau_ap_of_1(disputed: Campaign, tmp_path: Path) -> None:
    twin = write_run(tmp_path / "twin.run", "twin", {"1": "d4 d2 d1", "2": "d2 d5", "10": "d6"})
    add_runs(disputed.by("Olga"), [twin])  # the same as beta
    found = effect_of_disagreement(disputed, choices=20)
    assert [tau for both in taus(found) for tau in both] == pytest.approx([1.0] * 8)
    assert [row[3:5] for row in sheets.sheet_of_views(found).rows] == [(1.0, 1.0)] * 4


def test_of_one_run_no_order_is_defined(disputed: Campaign) -> None:
    withdraw(disputed, "alpha")
    found = effect_of_disagreement(disputed, choices=20)
    assert [each.run for each in found.ranges] == ["beta"]
    assert taus(found) == [(None, None)] * 4
    assert (found.tau_choices, found.tau_mean, found.tau_low, found.tau_lowest) == (0, None, None, None)
    assert [row[3:5] for row in sheets.sheet_of_views(found).rows] == [(sheets.NOT_DEFINED,) * 2] * 4
    assert "too few runs" in lead_of_effect(found)


def test_where_all_runs_are_tied_no_order_is_defined(disputed: Campaign) -> None:
    found = effect_of_disagreement(disputed, "P(rel=2)@1", choices=20)  # nothing that Ben says is a 2
    assert taus(found)[1] == (None, None)
    assert (found.tau_choices, found.tau_mean) == (0, None)
    assert says(lead_of_effect(found))


def test_choices_for_which_tau_is_not_defined_are_left_out_and_counted(disputed: Campaign) -> None:
    # d2 of topic 2, which beta has first, is a 2 by Ann alone: by Ben's choice both runs have nothing.
    choose_rule(disputed.by("Olga"), "most lenient")
    found = effect_of_disagreement(disputed, "P(rel=2)@1", choices=50)
    assert 10 < found.tau_choices < 40
    assert (found.tau_mean, found.tau_lowest) == pytest.approx((1, 1))


def test_a_withdrawn_run_is_in_no_leaderboard_and_was_in_those_of_before(disputed: Campaign) -> None:
    before, then = log.newest_seq(disputed), effect_of_disagreement(disputed, choices=20)
    withdraw(disputed, "alpha")
    assert effect_of_disagreement(disputed.at(before), choices=20) == then


def test_without_runs_or_judgments_nothing_is_defined(small: Campaign, tmp_path: Path) -> None:
    for tag in ("alpha", "beta"):
        withdraw(small, tag)
    file = tmp_path / "Ann.qrels"
    file.write_text("1 0 d1 1\n", encoding="utf-8")
    add_qrels(small.by("Olga"), [str(file)], assessor="Ann")
    found = effect_of_disagreement(small, choices=5)
    assert (found.ranges, found.tau_mean, found.shared_topics) == ((), None, 0)
    assert taus(found) == [(None, None)] * 3
