"""Weights of drawn pairs, and the leaderboard under what was adjudicated."""

from __future__ import annotations

from datetime import UTC, datetime

from tests.log_rows import row
from workbench.analysis.between_assessors.coefficients import agreement
from workbench.analysis.between_assessors.declared import AGREEMENT, DISAGREEMENT
from workbench.analysis.between_assessors.effect import effect_of_disagreement
from workbench.analysis.between_assessors.gathering import Drawn, drawn_sample
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import draws
from workbench.storage.campaign.assigning.draws import DrawnPair, DrawRecord
from workbench.storage.campaign.grades import adjudications
from workbench.storage.campaign.log import log

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def draw(campaign: Campaign) -> None:
    record = DrawRecord(share=0.5, seed=1, stratify="grade", allocate="evenly", pairs=8)
    pairs = [DrawnPair("1", "d1", "relevant", 0.5), DrawnPair("1", "d4", "not", 0.25)]
    with campaign.write():
        draws.put(campaign.by("Olga", NOW), record, pairs)


def test_a_drawn_pair_stands_for_as_many_as_its_probability_says(disputed: Campaign) -> None:
    assert drawn_sample(disputed) == {}
    draw(disputed)
    assert drawn_sample(disputed) == {("1", "d1"): Drawn(2.0, 0), ("1", "d4"): Drawn(4.0, 1)}
    assert drawn_sample(disputed.at(log.newest_seq(disputed) - 1)) == {}


def test_only_drawn_pairs_count_by_their_weights(disputed: Campaign) -> None:
    draw(disputed)
    found = AGREEMENT.answer(disputed, {})
    assert (found.weighted, found.shared) == (True, 2)
    assert AGREEMENT.answer(disputed, {"pairs": "all"}).shared == agreement(disputed).shared == 3


def test_what_was_adjudicated_is_a_view_of_its_own(disputed: Campaign) -> None:
    """d1 of topic 1 back to relevant, as Ann says: alpha 1 and not 0 on it, d4 stays relevant as Ben says."""
    names = [view.name for view in DISAGREEMENT.answer(disputed, {}).views]
    assert names == ["Ann", "Ben", "union", "intersection"]
    before = effect_of_disagreement(disputed).views[2]
    settle(disputed, "1", "d1", 1)
    found = DISAGREEMENT.answer(disputed, {})
    assert [view.name for view in found.views] == [*names, "adjudicated"]
    assert found.views[-1].topics == before.topics == 3
    assert adjudications.in_force(disputed)["1", "d1"].grade == 1


def settle(campaign: Campaign, topic_id: str, document_id: str, grade: int) -> None:
    with campaign.write():
        log.append_judgments(campaign, [row("Olga", topic_id, document_id, grade, kind="adjudication")])
