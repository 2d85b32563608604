from __future__ import annotations

from itertools import accumulate

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.fixture_types import MakeJudged
from workbench.core.ranking import POOLED, UNJUDGED, starts_of
from workbench.methods.measures.bounds import Undecided, running_sums_up

groups = st.lists(st.lists(st.floats(-10, 10), max_size=20), max_size=6)


@given(parts=groups)
def test_sums_from_the_right_restart_in_each_group(parts: list[list[float]]) -> None:
    values = np.array([value for part in parts for value in part])
    start = starts_of(np.array([len(part) for part in parts], np.int64))
    from_right = [total for part in parts for total in [*accumulate(part[::-1])][::-1]]
    assert running_sums_up(values, start).tolist() == from_right


def test_undecided_documents_are_those_pooled_and_not_judged(judge: MakeJudged) -> None:
    rows = [([POOLED, 1, UNJUDGED, POOLED], [POOLED, 0, -2]), ([0, UNJUDGED], [POOLED]), ([-1, POOLED], [])]
    undecided = Undecided.of(judge(rows), None)
    assert undecided.hits.row.tolist() == [0, 0, 2]
    assert undecided.hits.rank.tolist() == [1, 4, 2]
    assert undecided.hits.nth.tolist() == [1, 2, 1]
    assert undecided.from_bottom.tolist() == [2, 1, 1]
    assert undecided.outside.tolist() == [1, 1, 0]


def test_a_row_may_have_candidates_or_its_own_value_alone(judge: MakeJudged) -> None:
    undecided = Undecided.of(judge([([1], []), ([POOLED, POOLED], []), ([], []), ([POOLED], [])]), None)
    values, candidates = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 5.0, 0.0])
    assert undecided.most(values, candidates).tolist() == [1.0, 5.0, 3.0, 4.0]
    assert undecided.least(values, candidates).tolist() == [1.0, 1.0, 3.0, 0.0]
    assert values.tolist() == [1.0, 2.0, 3.0, 4.0]
