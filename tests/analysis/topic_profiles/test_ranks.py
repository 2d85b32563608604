"""The map of ranks and grades."""

from __future__ import annotations

import pytest

from tests.fixture_types import JudgeAs
from workbench.analysis.topic_profiles import Stretch, rank_map
from workbench.core.errors import UnknownName
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


def test_the_best_run_is_on_top_and_ranks_of_one_grade_are_one_stretch(judged: Campaign) -> None:
    found = rank_map(judged, "1")
    assert found.tags == ("alpha", "beta")
    assert found.stretches == (
        Stretch("alpha", 1, 1, 1),
        Stretch("alpha", 2, 2, 0),
        Stretch("alpha", 3, 3, None),
        Stretch("beta", 1, 1, None),
        Stretch("beta", 2, 2, 0),
        Stretch("beta", 3, 3, 1),
    )
    assert {one.last for one in rank_map(judged, "1", depth=1).stretches} == {1}
    assert rank_map(judged, "2").tags == ("beta", "alpha")
    found = rank_map(judged, "10")
    assert (found.tags, found.stretches) == (("beta",), (Stretch("beta", 1, 1, None),))
    with pytest.raises(UnknownName, match="there is no topic '7' in small"):
        rank_map(judged, "7")


def test_the_best_run_is_on_top_also_where_the_lowest_value_is_best(
    judged: Campaign, judging_as: JudgeAs
) -> None:
    judging_as(judged, "Ann", "2", "d5", 1)
    # Relevant are d2 and d5, which beta retrieves; alpha retrieves d1 and d2. SetE is an error.
    found = rank_map(judged, "2", measure="SetE")
    assert found.tags == ("beta", "alpha")


def test_pooled_or_not_a_document_without_a_grade_is_unjudged(judged: Campaign) -> None:
    # d5 of beta is pooled; d3 of topic 1 is not: both are without a grade.
    assert rank_map(judged, "2").stretches[-1] == Stretch("beta", 2, 2, None)
    assert rank_map(judged.at(log.newest_seq(judged) - 3), "1").stretches == (
        Stretch("alpha", 1, 3, None),
        Stretch("beta", 1, 3, None),
    )
