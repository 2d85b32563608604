"""The pairs that several assessors judged, as one table."""

from __future__ import annotations

import numpy as np

from workbench.analysis.between_assessors.gathering import Drawn, gather
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


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
