from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from workbench.measures import JudgedRankings, parse_measure
from workbench.ranking import POOLED, UNJUDGED

Judge = Callable[..., JudgedRankings]

# Ten retrieved documents and two more; -1 is "pooled, not judged". R = 4, N = 4.
RANKED = [1, 0, -1, 1, UNJUDGED, 0, 1, -1, UNJUDGED, 0]
OTHERS = [1, 0]


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("P@5", 2 / 5),
        ("P@20", 3 / 20),
        ("R@5", 2 / 4),
        ("R@20", 3 / 4),
        ("AP", (1 / 1 + 2 / 4 + 3 / 7) / 4),
        ("AP@5", (1 / 1 + 2 / 4) / 4),
        ("AP@6", (1 / 1 + 2 / 4) / 4),
        ("RR", 1.0),
        ("Rprec", 2 / 4),
        ("Bpref", (1 + (1 - 1 / 4) + (1 - 2 / 4)) / 4),
        ("RBP(p=0.5)", 0.5 * (1 + 0.5**3 + 0.5**6)),
    ],
)
def test_values_worked_out_by_hand(judge: Judge, measure: str, value: float) -> None:
    assert parse_measure(measure)(judge(RANKED, OTHERS)).tolist() == [value]


@pytest.mark.parametrize(("p", "printed"), [(0.5, "0.5703"), (0.8, "0.3548"), (0.95, "0.1296")])
def test_rank_biased_precision_by_persistence(judge: Judge, p: float, printed: str) -> None:
    (value,) = parse_measure(f"RBP(p={p})")(judge(RANKED, OTHERS))
    assert f"{value:.4f}" == printed


def test_rank_biased_precision_can_be_cut(judge: Judge) -> None:
    (value,) = parse_measure("RBP(p=0.5)@4")(judge(RANKED, OTHERS))
    assert value == 0.5 * (1 + 0.5**3)


@pytest.mark.parametrize(
    ("ranked", "measure", "value"),
    [
        ([0, 0, 1], "RR", 1 / 3),
        ([0, 0, 1, 1], "RR@3", 1 / 3),
        ([0, 0, 1], "RR@2", 0.0),
        ([0, 0, 0], "RR", 0.0),
    ],
)
def test_reciprocal_rank_looks_at_the_first_relevant_document(
    judge: Judge, ranked: Sequence[int], measure: str, value: float
) -> None:
    assert parse_measure(measure)(judge(ranked)).tolist() == [value]


@pytest.mark.parametrize("measure", ["P(rel=2)@4", "AP(rel=2)", "RR(rel=2)", "R(rel=2)@2", "Rprec(rel=2)"])
def test_grades_below_rel_are_not_relevant(judge: Judge, measure: str) -> None:
    bound = parse_measure(measure)
    assert bound(judge([1, 2, 1, 3], [2])).tolist() == bound(judge([0, 2, 0, 2], [2])).tolist()


@pytest.mark.parametrize("measure", ["P@3", "R@3", "AP", "RR", "Rprec", "Bpref", "RBP"])
@pytest.mark.parametrize("label", [UNJUDGED, POOLED, -1, -2])
def test_labels_that_are_no_relevance_count_as_not_relevant(judge: Judge, measure: str, label: int) -> None:
    bound = parse_measure(measure)
    assert bound(judge([label, label])).tolist() == [0.0]
    assert bound(judge([label, 1, label, 1])) == bound(judge([UNJUDGED, 1, UNJUDGED, 1]))


def test_short_rankings_are_divided_by_the_cutoff(judge: Judge) -> None:
    assert parse_measure("P@10")(judge([1, 1])).tolist() == [0.2]


def test_r_precision_divides_by_r_where_fewer_were_retrieved(judge: Judge) -> None:
    assert parse_measure("Rprec")(judge([1, 1], [1, 1])).tolist() == [0.5]


# Bpref


@pytest.mark.parametrize(
    ("ranked", "others", "value"),
    [
        ([1, 1], [0, 0], 1.0),
        ([1, 1], [], 1.0),
        ([0, 1], [], 0.0),
        ([0, 1], [0, 0, 0], 0.0),
        ([0, 1], [1, 0], (1 - 1 / 2) / 2),
        ([0, 0, 0, 1], [1, 1], (1 - 3 / 3) / 3),
        ([UNJUDGED, POOLED, -1, 1], [0], 1.0),
        ([0, 0], [0], 0.0),
    ],
)
def test_bpref_counts_judged_non_relevant_documents_above(
    judge: Judge, ranked: Sequence[int], others: Sequence[int], value: float
) -> None:
    assert parse_measure("Bpref")(judge(ranked, others)).tolist() == [value]


def test_bpref_takes_grades_below_rel_as_judged_non_relevant(judge: Judge) -> None:
    assert parse_measure("Bpref(rel=2)")(judge([1, 0, 2], [2, 1])).tolist() == [(1 - 2 / 2) / 2]
    assert parse_measure("Bpref(rel=2)")(judge([1, 2], [2, 1])).tolist() == [(1 - 1 / 2) / 2]
