"""What disagreement does to the leaderboard where runs are tied, alone, or withdrawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import write_run
from tests.sentences import says
from workbench.analysis.between_assessors import sheets
from workbench.analysis.between_assessors.effect import Effect, effect_of_disagreement
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.campaign.label_rules import choose_rule
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs, withdrawals
from workbench.storage.campaign.log import log
from workbench.web.agreement.agreement_words import lead_of_effect


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


def test_counts_over_choices_are_whole_numbers(disputed: Campaign) -> None:
    found = effect_of_disagreement(disputed, "num_rel_ret", choices=50)
    assert found.ranges
    for each in found.ranges:
        assert {each.lowest % 1, each.highest % 1, each.score % 1} == {0.0}


def test_without_runs_or_judgments_nothing_is_defined(small: Campaign, tmp_path: Path) -> None:
    for tag in ("alpha", "beta"):
        withdraw(small, tag)
    file = tmp_path / "Ann.qrels"
    file.write_text("1 0 d1 1\n", encoding="utf-8")
    add_qrels(small.by("Olga"), [str(file)], assessor="Ann")
    found = effect_of_disagreement(small, choices=5)
    assert (found.ranges, found.tau_mean, found.shared_topics) == ((), None, 0)
    assert taus(found) == [(None, None)] * 3
