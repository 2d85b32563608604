from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from tests.fixture_types import MakeJudged
from workbench.core.ranking import POOLED, UNJUDGED
from workbench.methods.measures import parse_measure
from workbench.methods.measures.judged import log2_discount, power


def test_hits_know_row_rank_number_and_grade_and_are_cut_at_ranks(judge: MakeJudged) -> None:
    hits = judge([([0, 2, 1], []), ([], [3]), ([UNJUDGED, 1], [])]).hits(1)
    assert hits.row.tolist() == [0, 0, 2]
    assert hits.rank.tolist() == [2, 3, 2]
    assert hits.nth.tolist() == [1, 2, 1]
    assert hits.grade.tolist() == [2, 1, 1]
    hits = judge([([1, 1, 1], []), ([1, 1], [])]).hits(1)
    assert hits.within(2).rank.tolist() == [1, 2, 1, 2]
    assert hits.within(np.array([3, 1])).rank.tolist() == [1, 2, 3, 1]


def test_documents_are_counted_down_to_one_rank_or_to_one_per_row(judge: MakeJudged) -> None:
    judged = judge([([1, 0, 2, -1, UNJUDGED], [1]), ([], [2]), ([POOLED, 1], [])])
    assert judged.num_found(1).tolist() == [2, 0, 1]
    assert judged.num_found(1, 1).tolist() == [1, 0, 0]
    assert judged.num_found(1, 10**30).tolist() == [2, 0, 1]
    assert judged.num_found(1, np.array([2, 5, 2])).tolist() == [1, 0, 1]
    assert judged.num_found(0).tolist() == [3, 0, 1]
    assert judged.num_judged(None).tolist() == [4, 0, 1]
    assert judged.num_judged(2).tolist() == [2, 0, 1]


def test_what_stands_above_a_hit_is_counted_by_its_label(judge: MakeJudged) -> None:
    # Relevant documents on ranks 1, 4 and 7; the others judged non-relevant, pooled, unknown.
    judged = judge([([1, 0, POOLED, 1, UNJUDGED, 0, 2], []), ([0, -1, 1], [])])
    assert judged.known_above(1).tolist() == [0, 3, 5, 2]
    assert judged.nonrel_above(1).tolist() == [0, 1, 2, 1]
    assert judged.nonrel_above(2).tolist() == [4]


@pytest.mark.parametrize("after", [UNJUDGED, POOLED, 0, 3])
@pytest.mark.parametrize("place", [0, 2, 3, 4])
def test_a_document_with_another_label_is_as_if_it_had_always_had_it(
    judge: MakeJudged, place: int, after: int
) -> None:
    ranked = [1, 0, POOLED, UNJUDGED, 2]
    judged = judge(ranked)
    for name in ("AP", "Bpref", "infAP", "Judged@3"):
        parse_measure(name)(judged)
    ranked[place] = judged.labels.label[place] = after
    changed, expected = judged.relabelled(np.array([place]), after), judge(ranked)
    assert changed.label.tolist() == ranked
    for name in ("AP", "Bpref", "infAP", "Judged@3", "NumRel", "nDCG", "AP(bound=upper)", "RBPResidual"):
        assert parse_measure(name)(changed).tolist() == parse_measure(name)(expected).tolist()


def test_weights_are_added_in_rank_order(judge: MakeJudged) -> None:
    judged = judge([1] * 1000)
    weights = np.random.default_rng(2).random(1000)
    total = 0.0
    for weight in weights.tolist():
        total += weight
    assert judged.add_up(judged.hits(1), weights).tolist() == [total]


def test_logarithms_and_powers_are_the_c_librarys() -> None:
    ranks, exponents = np.arange(1, 5000), np.arange(1000)
    assert log2_discount(ranks).tolist() == [math.log2(rank + 1) for rank in ranks.tolist()]
    assert power(0.95, exponents).tolist() == [0.95**n for n in exponents.tolist()]


@pytest.mark.parametrize(
    ("ranked", "cutoff", "value"),
    [
        ([1, 0, UNJUDGED, 2], 2, 1.0), ([1, 0, UNJUDGED, 2], 3, 2 / 3), ([1, 0, UNJUDGED, 2], 10, 3 / 4),
        ([1, 0, UNJUDGED, 2], 10**15, 3 / 4), ([1, 0, UNJUDGED, 2], None, 3 / 4), ([UNJUDGED], 10, 0.0),
        ([], 10, 0.0), ([], None, 0.0),
    ],
)  # fmt: skip
def test_the_judged_share_is_of_the_documents_that_are_there(
    judge: MakeJudged, ranked: Sequence[int], cutoff: int | None, value: float
) -> None:
    measure = parse_measure("Judged" if cutoff is None else f"Judged@{cutoff}")
    assert measure(judge(ranked, [1])).tolist() == [value]
