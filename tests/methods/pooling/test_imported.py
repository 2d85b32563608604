"""A sample that was drawn elsewhere: its candidates are read strictly, and what cannot be a sample is refused."""

from __future__ import annotations

import pytest

from tests.sentences import says
from workbench.core.errors import UnknownName
from workbench.methods.pooling.strategies.listed import (
    Candidate,
    imported_design,
    read_candidate,
    write_candidate,
)


@pytest.mark.parametrize("chance", [1.0, 0.1, 1 / 3, 5e-324])
def test_a_candidate_is_written_and_read_again_exactly(chance: float) -> None:
    candidate = Candidate("1", "d1", 12, chance, drawn=True)
    assert read_candidate(write_candidate(candidate)) == candidate


@pytest.mark.parametrize(
    "text",
    [
        "1 d1 1 0.5",
        "1 d1 1 0.5 1 1",
        "1  1 0.5 1",
        "1 d1 0 0.5 1",
        "1 d1 01 0.5 1",
        "1 d1 1 0 1",
        "1 d1 1 1.5 1",
        "1 d1 1 nan 1",
        "1 d1 1 half 1",
        "1 d1 1 0.5 2",
    ],
)
def test_what_is_no_candidate_is_refused_with_the_reason(text: str) -> None:
    with pytest.raises(UnknownName) as refused:
        imported_design(candidates=["1 d9 1 0.5 1", text])
    assert says(str(refused.value))


@pytest.mark.parametrize(
    "candidates",
    [["1 d1 1 0.5 1", "1 d1 1 0.5 0"], ["1 d1 1 0.5 0", "1 d2 1 0.5 0"], ["1 d1 1 0.5 1", "1 d2 1 0.25 1"]],
)
def test_what_is_no_sample_is_refused_with_the_way_out(candidates: list[str]) -> None:
    with pytest.raises(UnknownName) as refused:
        imported_design(candidates=candidates)
    assert says(str(refused.value))


def test_a_stratum_is_one_of_its_topic_and_chances_may_differ_where_there_are_no_strata() -> None:
    of_two_topics = ["1 d1 1 0.5 1", "2 d1 1 0.25 0", "1 d2 2 0.125 0"]
    assert [one.probability for one in imported_design(candidates=of_two_topics)] == [0.5, 0.25, 0.125]
    unequal = ["1 d1 1 0.5 1", "1 d2 1 0.25 1"]
    assert len(imported_design(candidates=unequal, strata=False)) == 2
