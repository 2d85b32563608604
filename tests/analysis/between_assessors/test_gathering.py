"""The pairs that several assessors judged, weights of drawn ones, and the leaderboard under what was adjudicated."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np

from tests.log_rows import row
from workbench.analysis.between_assessors.coefficients import agreement
from workbench.analysis.between_assessors.declared import AGREEMENT, DISAGREEMENT
from workbench.analysis.between_assessors.effect import effect_of_disagreement
from workbench.analysis.between_assessors.gathering import Drawn, drawn_sample, gather
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
    # Ann and Ben agree on d2 of topic 2 alone, which stands for six of eight.
    sample = {("1", "d1"): Drawn(1.0), ("1", "d4"): Drawn(1.0), ("2", "d2"): Drawn(6.0)}
    raw = agreement(disputed, sample=sample).scopes[0].binary[0]
    assert (raw.name, raw.value) == ("raw agreement", 6 / 8)


def test_what_was_adjudicated_is_a_view_of_its_own(disputed: Campaign) -> None:
    """d1 of topic 1 back to relevant, as Ann says: alpha 1 and not 0 on it, d4 stays relevant as Ben says."""
    names = [view.name for view in DISAGREEMENT.answer(disputed, {}).views]
    assert names == ["Ann", "Ben", "union", "intersection"]
    before = effect_of_disagreement(disputed).views[2]
    with disputed.write():
        log.append_judgments(disputed, [row("Olga", "1", "d1", 1, kind="adjudication")])
    found = DISAGREEMENT.answer(disputed, {})
    assert [view.name for view in found.views] == [*names, "adjudicated"]
    assert found.views[-1].topics == before.topics == 3
    assert adjudications.in_force(disputed)["1", "d1"].grade == 1


def test_only_pairs_with_several_grades_are_gathered(disputed: Campaign) -> None:
    found = gather(disputed)
    assert found.grades == (-2, 0, 1, 2)
    assert found.relevant == 2  # the third category is the first relevant one
    assert found.assessors == ("Ann", "Ben")
    assert found.pairs == (("1", "d1"), ("1", "d4"), ("2", "d2"))
    assert found.labels.tolist() == [[2, 1], [1, 2], [3, 2]]
    assert found.judged == 4


def test_before_the_second_assessor_nothing_is_shared(disputed: Campaign) -> None:
    found = gather(disputed.at(log.newest_seq(disputed) - 3))
    assert (found.assessors, found.pairs, found.judged) == ((), (), 4)


def test_a_choice_of_pairs_has_those_who_judged_them_alone(disputed: Campaign) -> None:
    some = gather(disputed).select(np.array([False, False, True]))
    assert (some.pairs, some.labels.tolist(), some.judged) == ((("2", "d2"),), [[3, 2]], 1)
    none = some.select(np.array([False]))
    assert (none.assessors, none.labels.shape) == ((), (0, 0))


def test_of_a_sample_only_the_pairs_drawn_count_with_their_weights(disputed: Campaign) -> None:
    found = gather(
        disputed, sample={("1", "d1"): Drawn(4.0, 1), ("2", "d2"): Drawn(2.0), ("2", "d1"): Drawn(2.0)}
    )
    assert found.pairs == (("1", "d1"), ("2", "d2"))
    assert (found.weights.tolist(), found.strata.tolist()) == ([4, 2], [1, 0])
