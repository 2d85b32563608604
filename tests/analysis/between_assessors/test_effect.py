"""The leaderboard under other grades, by hand.

Average precision on topics 1, 10, 2 by Ann's grades: alpha 1, 0, 1/2 and beta 1/3, 1, 1. By the campaign's own, which
are Ben's where he judged: alpha 0, 0, 1/2 and beta 1, 1, 1.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.analysis.between_assessors.effect import Effect, View, effect_of_disagreement
from workbench.campaign.ingest import add_qrels
from workbench.core.errors import UnknownName
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


def scores(view: View) -> dict[str, tuple[float, float]]:
    """The campaign's score and the view's, by run."""
    return {place.run: (place.score, place.other_score) for place in view.boards.positions}


def view(effect: Effect, name: str) -> View:
    return next(found for found in effect.views if found.name == name)


def test_the_views_are_every_assessor_the_union_and_the_intersection(disputed: Campaign) -> None:
    found = effect_of_disagreement(disputed)
    assert [(each.name, each.assessor, each.topics, each.changed) for each in found.views] == [
        ("Ann", True, 3, 3),
        ("Ben", True, 2, 0),
        ("union", False, 3, 2),
        ("intersection", False, 3, 1),
    ]
    assert (found.topics, found.shared_topics) == (3, 2)


def test_scores_under_an_assessor_are_on_the_topics_that_the_assessor_judged(disputed: Campaign) -> None:
    found = effect_of_disagreement(disputed)
    assert scores(view(found, "Ann")) == {
        "beta": pytest.approx((1, 7 / 9)),
        "alpha": pytest.approx((1 / 6, 1 / 2)),
    }
    assert scores(view(found, "Ben")) == {
        "beta": pytest.approx((1, 1)),
        "alpha": pytest.approx((1 / 4, 1 / 4)),
    }


def test_scores_under_union_and_intersection(disputed: Campaign) -> None:
    found = effect_of_disagreement(disputed)
    # Union: on topic 1 d1 and d4 are relevant. Intersection: neither is.
    assert scores(view(found, "union")) == {
        "beta": pytest.approx((1, 17 / 18)),
        "alpha": pytest.approx((1 / 6, 1 / 3)),
    }
    assert scores(view(found, "intersection")) == {
        "beta": pytest.approx((1, 2 / 3)),
        "alpha": pytest.approx((1 / 6, 1 / 6)),
    }
    assert [each.boards.tau_b for each in found.views] == pytest.approx([1, 1, 1, 1])


def test_the_union_of_grades_is_the_highest(disputed: Campaign) -> None:
    # d2, which beta has first on topic 2, is a 2 by Ann and a 1 by Ben.
    found = effect_of_disagreement(disputed, "P(rel=2)@1")
    assert scores(view(found, "union"))["beta"] == pytest.approx((0, 1 / 3))
    assert scores(view(found, "intersection"))["beta"] == pytest.approx((0, 0))


def test_ranges_are_over_choices_of_an_assessor_for_each_topic(disputed: Campaign) -> None:
    beta, alpha = effect_of_disagreement(disputed, choices=200, seed=2).ranges
    # Topic 1 by Ann or by Ben; on the others they make no difference to AP.
    assert (beta.run, beta.rank, beta.best_rank, beta.worst_rank) == ("beta", 1, 1, 1)
    assert (beta.lowest, beta.highest) == pytest.approx((7 / 9, 1))
    assert (alpha.lowest, alpha.low, alpha.high, alpha.highest) == pytest.approx((1 / 6, 1 / 6, 1 / 2, 1 / 2))
    assert alpha.score == pytest.approx(1 / 6)


def test_the_order_of_a_choice_is_held_against_the_campaigns_own(disputed: Campaign) -> None:
    # P@1 on topics 1, 10, 2: by Ben alpha 0, 0, 0 and beta 1, 1, 1; by Ann alpha 1, 0, 0 and beta 0, 1, 1.
    found = effect_of_disagreement(disputed, "P@1", choices=50)
    assert (found.tau_mean, found.tau_low, found.tau_lowest) == pytest.approx((1, 1, 1))


def test_own_scores_are_those_of_the_leaderboard(disputed: Campaign) -> None:
    rows = score_campaign(disputed, ["AP"]).rows
    found = {each.run: each.score for each in effect_of_disagreement(disputed).ranges}
    assert found == {row.tag: row.values[0] for row in rows}


def test_the_same_seed_gives_the_same(disputed: Campaign) -> None:
    assert effect_of_disagreement(disputed, seed=3) == effect_of_disagreement(disputed, seed=3)


def test_an_earlier_moment_has_its_own_grades(disputed: Campaign) -> None:
    before = log.newest_seq(disputed) - 3
    found = effect_of_disagreement(disputed.at(before))
    assert (found.seq, found.shared_topics) == (before, 0)
    assert [(each.name, each.changed) for each in found.views] == [
        ("Ann", 0),
        ("union", 0),
        ("intersection", 0),
    ]
    assert {each.lowest for each in found.ranges} == {each.highest for each in found.ranges}


def test_where_nothing_is_judged_nothing_changes(small: Campaign) -> None:
    found = effect_of_disagreement(small, choices=5)
    assert (found.topics, found.tau_mean) == (0, None)
    assert [each.name for each in found.views] == ["union", "intersection"]
    assert {each.score for each in found.ranges} == {0}


def test_a_measure_that_does_not_exist_is_refused(disputed: Campaign) -> None:
    with pytest.raises(UnknownName):
        effect_of_disagreement(disputed, "nDGC@10")


def test_who_agrees_changes_nothing(disputed: Campaign, tmp_path: Path) -> None:
    file = tmp_path / "Ann.qrels"
    file.write_text("1 0 d1 0\n1 0 d4 1\n2 0 d2 1\n", encoding="utf-8")
    add_qrels(disputed.by("Olga"), [str(file)], assessor="Ann")  # Ann is of Ben's mind now
    found = effect_of_disagreement(disputed, choices=50)
    assert {each.changed for each in found.views} == {0}
    for each in found.ranges:
        assert (each.lowest, each.highest) == pytest.approx((each.score, each.score))
        assert each.best_rank == each.rank == each.worst_rank


def test_where_less_is_better_the_least_stands_first(disputed: Campaign) -> None:
    first, second = effect_of_disagreement(disputed, "SetE", choices=50).ranges
    assert first.score < second.score
    assert (first.rank, second.rank) == (1, 2)
