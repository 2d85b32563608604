from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.fixture_types import MakeJudged
from workbench.core.ranking import POOLED, UNJUDGED
from workbench.methods.measures import parse_measure


@pytest.mark.parametrize(
    ("ranked", "cutoff", "value"),
    [
        ([1, 0, UNJUDGED, 2], 2, 1.0),
        ([1, 0, UNJUDGED, 2], 3, 2 / 3),
        ([1, 0, UNJUDGED, 2], 10, 3 / 4),
        ([1, 0, UNJUDGED, 2], 10**15, 3 / 4),
        ([1, 0, UNJUDGED, 2], None, 3 / 4),
        ([UNJUDGED], 10, 0.0),
        ([], 10, 0.0),
        ([], None, 0.0),
    ],
)
def test_the_judged_share_is_of_the_documents_that_are_there(
    judge: MakeJudged, ranked: Sequence[int], cutoff: int | None, value: float
) -> None:
    measure = parse_measure("Judged" if cutoff is None else f"Judged@{cutoff}")
    assert measure(judge(ranked, [1])).tolist() == [value]


def test_counts_are_per_topic(judge: MakeJudged) -> None:
    judged = judge([([1, 2, 0], [3, 0]), ([], [1]), ([UNJUDGED], [])])
    assert parse_measure("NumRet")(judged).tolist() == [3, 0, 1]
    assert parse_measure("NumRel")(judged).tolist() == [3, 1, 0]
    assert parse_measure("NumRelRet")(judged).tolist() == [2, 0, 0]
    assert parse_measure("NumRel(rel=2)")(judged).tolist() == [2, 0, 0]
    assert parse_measure("NumRelRet(rel=2)")(judged).tolist() == [1, 0, 0]
    assert parse_measure("NumQ")(judged).tolist() == [1, 1, 1]


def test_retrieved_documents_below_the_relevant_grades_are_judged_non_relevant(judge: MakeJudged) -> None:
    judged = judge([([1, 2, 0, UNJUDGED, POOLED, -1, 0], [0]), ([], [0]), ([1], [])])
    assert parse_measure("num_nonrel_judged_ret")(judged).tolist() == [2, 0, 0]
    assert parse_measure("NumNonrelJudgedRet(rel=2)")(judged).tolist() == [3, 0, 1]
