"""Agreement of a campaign, by topic and by pair of assessors."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sentences import says
from workbench.analysis.between_assessors.coefficients import Scope, agreement
from workbench.campaign.ingest import add_qrels
from workbench.methods.statistics.agreement import TOO_FEW_ITEMS, Coefficient
from workbench.storage.campaign import Campaign


def named(scope: Scope, name: str, *, graded: bool = False) -> Coefficient:
    return next(found for found in (scope.graded if graded else scope.binary) if found.name == name)


def test_a_campaign_by_hand(disputed: Campaign) -> None:
    found = agreement(disputed)
    (scope,) = found.scopes
    assert (found.judged, found.shared, found.relevant_from) == (4, 3, 1)
    assert (scope.name, scope.assessors, scope.pairs) == ("all pairs", ("Ann", "Ben"), 3)
    assert scope.table is not None
    assert scope.table.tolist() == [[0, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
    # d2 is relevant to both, d1 and d4 each to one: p_o = 1/3, p_e = 4/9 + 1/9.
    assert named(scope, "raw agreement").value == pytest.approx(1 / 3)
    assert named(scope, "overlap").value == pytest.approx(1 / 3)
    assert named(scope, "Cohen's kappa").value == pytest.approx((1 / 3 - 5 / 9) / (4 / 9))
    assert named(scope, "raw agreement", graded=True).value == 0
    assert named(scope, "Gwet's AC1", graded=True).value is not None


def test_each_topic_that_several_judged_has_its_own(disputed: Campaign) -> None:
    scopes = agreement(disputed, "topic").scopes
    assert [(scope.name, scope.pairs) for scope in scopes] == [("1", 2), ("2", 1)]
    assert named(scopes[0], "overlap").value == 0
    alone = named(scopes[1], "Cohen's kappa")
    assert alone.value is None
    assert says(alone.note)
    assert named(scopes[1], "raw agreement").interval is None  # of one pair


def test_each_pair_of_assessors_with_pairs_in_common_has_its_own(disputed: Campaign, tmp_path: Path) -> None:
    file = tmp_path / "Cy.qrels"
    file.write_text("10 0 d6 1\n", encoding="utf-8")
    add_qrels(disputed.by("Olga"), [str(file)], assessor="Cy")
    found = agreement(disputed, "pair")
    assert [(scope.assessors, scope.pairs) for scope in found.scopes] == [
        (("Ann", "Ben"), 3),
        (("Ann", "Cy"), 1),
    ]
    (whole,) = agreement(disputed).scopes
    assert whole.table is None
    assert named(whole, "Cohen's kappa").value is None
    assert named(whole, "raw agreement").value == pytest.approx(2 / 4)


def test_the_same_seed_gives_the_same_and_three_pairs_have_no_interval(disputed: Campaign) -> None:
    one, again = (agreement(disputed, resamples=50, seed=4).scopes[0].binary for _ in range(2))
    assert one == again
    assert named(agreement(disputed, resamples=50).scopes[0], "raw agreement").note == TOO_FEW_ITEMS
    assert named(agreement(disputed, resamples=0).scopes[0], "raw agreement").note == ""


def test_where_nothing_is_shared_nothing_is_defined(small: Campaign) -> None:
    (scope,) = agreement(small).scopes
    assert {found.value for found in (*scope.binary, *scope.graded)} == {None}
    assert agreement(small, "topic").scopes == agreement(small, "pair").scopes == ()


def test_one_scope_alone_has_the_numbers_that_it_has_among_all(disputed: Campaign) -> None:
    whole = agreement(disputed, "topic")
    (alone,) = agreement(disputed, "topic", only="1").scopes
    assert alone[:3] == whole.scopes[0][:3]
    assert (alone.binary, alone.graded) == (whole.scopes[0].binary, whole.scopes[0].graded)
