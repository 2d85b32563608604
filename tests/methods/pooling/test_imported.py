"""A sample that was drawn elsewhere: its candidates are read strictly, and what cannot be a sample is refused."""

from __future__ import annotations

import pytest

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
    ("text", "reason"),
    [
        ("1 d1 1 0.5", "'1 d1 1 0.5' is not a candidate of a sample"),
        ("1 d1 1 0.5 1 1", "is not a candidate of a sample"),
        ("1  1 0.5 1", "is not a candidate of a sample"),
        ("1 d1 0 0.5 1", "has the stratum 0; strata are numbered from 1"),
        ("1 d1 01 0.5 1", "has the stratum 01; strata are numbered from 1"),
        ("1 d1 1 0 1", "has the probability 0; it must be above 0 and at most 1"),
        ("1 d1 1 1.5 1", "has the probability 1.5; it must be above 0 and at most 1"),
        ("1 d1 1 nan 1", "has the probability nan; it must be above 0 and at most 1"),
        ("1 d1 1 half 1", "has the probability half; it must be above 0 and at most 1"),
        ("1 d1 1 0.5 2", "ends in 2; write 1 if it was drawn, else 0"),
    ],
)
def test_what_is_no_candidate_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(UnknownName) as refused:
        imported_design(candidates=["1 d9 1 0.5 1", text])
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("candidates", "reason"),
    [
        (
            ["1 d1 1 0.5 1", "1 d1 1 0.5 0"],
            "topic 1, document d1 is twice in the sample; keep one of the two",
        ),
        (["1 d1 1 0.5 0", "1 d2 1 0.5 0"], "nothing of the sample was drawn"),
        (
            ["1 d1 1 0.5 1", "1 d2 1 0.25 1"],
            "stratum 1 of topic 1 have several probabilities, one of them 0.25",
        ),
    ],
)
def test_what_is_no_sample_is_refused_with_the_way_out(candidates: list[str], reason: str) -> None:
    with pytest.raises(UnknownName) as refused:
        imported_design(candidates=candidates)
    assert reason in str(refused.value)


def test_a_stratum_is_one_of_its_topic_and_chances_may_differ_where_there_are_no_strata() -> None:
    of_two_topics = ["1 d1 1 0.5 1", "2 d1 1 0.25 0", "1 d2 2 0.125 0"]
    assert [one.probability for one in imported_design(candidates=of_two_topics)] == [0.5, 0.25, 0.125]
    unequal = ["1 d1 1 0.5 1", "1 d2 1 0.25 1"]
    assert len(imported_design(candidates=unequal, strata=False)) == 2
