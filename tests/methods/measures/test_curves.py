"""Curves of single rankings: each point is what the measures say at that rank, and the areas are measures too."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.methods.measures.conftest import Row, judged_rows
from workbench.core.errors import WorkbenchError
from workbench.core.ranking import POOLED, UNJUDGED
from workbench.methods.measures import parse_measure
from workbench.methods.measures.curves import (
    Curve,
    gain_curves,
    interpolated_curve,
    precision_recall_curve,
    roc_curve,
)
from workbench.methods.measures.gains import read_gains

labels = st.sampled_from([UNJUDGED, POOLED, -2, 0, 1, 2])
rows = st.lists(
    st.tuples(st.lists(labels, max_size=12), st.lists(labels, max_size=5)), min_size=1, max_size=4
)


def points(curve: Curve) -> list[tuple[float, float]]:
    assert len(curve.rank) == len(curve.x) == len(curve.y)
    return list(zip(curve.x.tolist(), curve.y.tolist(), strict=True))


def area(curve: Curve) -> float:
    return sum((right[0] - left[0]) * (left[1] + right[1]) / 2 for left, right in pairwise(points(curve)))


def value(measure: str, row: Row) -> float:
    return float(parse_measure(measure)(judged_rows(row))[0])


def test_the_interpolated_curve_is_a_flight_of_steps_or_0_everywhere_or_none() -> None:
    # Precision 1, 2/4, 3/5 at three of four relevant documents.
    judged = judged_rows(([1, 0, 0, 1, 1], [1]))
    assert points(interpolated_curve(judged, 0)) == [
        (0, 1), (1 / 4, 1), (1 / 4, 3 / 5), (2 / 4, 3 / 5), (2 / 4, 3 / 5), (3 / 4, 3 / 5), (3 / 4, 0), (1, 0),
    ]  # fmt: skip
    whole = judged_rows(([0, 1], []))
    assert points(interpolated_curve(whole, 0)) == [(0, 1 / 2), (1, 1 / 2)]
    judged = judged_rows(([0, 0], [1]), ([], [1]), ([0, 0], []))
    assert points(precision_recall_curve(judged, 0)) == [(0, 0), (0, 0)]
    assert points(precision_recall_curve(judged, 1)) == []
    assert points(interpolated_curve(judged, 0)) == points(interpolated_curve(judged, 1)) == [(0, 0), (1, 0)]
    assert points(precision_recall_curve(judged, 2)) == points(interpolated_curve(judged, 2)) == []


@given(rows, st.integers(1, 2))
@example([([0, 1, UNJUDGED, 0, 0, 2, 0], [1])], 1)
def test_every_point_of_the_curve_is_recall_and_precision_at_its_rank(rows: list[Row], rel: int) -> None:
    judged = judged_rows(*rows)
    for number, row in enumerate(rows):
        curve = precision_recall_curve(judged, number, rel=rel)
        drawn = dict(zip(curve.rank.tolist(), points(curve), strict=True))
        relevant = sum(label >= rel for part in row for label in part)
        for rank in range(1, len(row[0]) + 1) if relevant else ():
            expected = value(f"R(rel={rel})@{rank}", row), value(f"P(rel={rel})@{rank}", row)
            if rank in drawn:
                assert drawn[rank] == expected
            else:
                # Not drawn: it lies on the line that falls from the point before to the one after.
                before = max(each for each in drawn if each < rank)
                after = min(each for each in drawn if each > rank)
                assert drawn[before][0] == expected[0] == drawn[after][0]
                assert drawn[before][1] >= expected[1] >= drawn[after][1]


@given(rows)
def test_the_area_below_the_interpolated_curve_is_iap(rows: list[Row]) -> None:
    judged = judged_rows(*rows)
    for number, row in enumerate(rows):
        assert area(interpolated_curve(judged, number)) == pytest.approx(value("IAP", row))


def test_a_roc_curve_steps_up_at_relevant_documents_and_needs_both_kinds() -> None:
    # Of 10 documents 3 are relevant, 7 are not; 3 of those 7 are retrieved.
    curve = roc_curve(judged_rows(([1, 0, 1, UNJUDGED, 0], [1])), 0, 10)
    assert points(curve) == [
        (0, 0), (0, 1 / 3), (1 / 7, 1 / 3), (1 / 7, 2 / 3), (3 / 7, 2 / 3), (1, 1),
    ]  # fmt: skip
    judged = judged_rows(([0], []), ([1], [1]), ([1], [0]), ([], [1]))
    assert [len(points(roc_curve(judged, row, 2))) for row in range(4)] == [0, 0, 3, 2]
    assert points(roc_curve(judged, 3, 2)) == [(0, 0), (1, 1)]
    with pytest.raises(WorkbenchError, match="collection"):
        roc_curve(judged_rows(([1, 0, 0], [1])), 0, 3)


@given(rows, st.integers(0, 9))
def test_the_area_below_the_roc_curve_is_auc(rows: list[Row], more: int) -> None:
    size = max(len(ranked) + len(others) for ranked, others in rows) + more + 1
    judged = judged_rows(*rows)
    expected = parse_measure(f"AUC(collection={size})")(judged)
    assert [area(roc_curve(judged, row, size)) for row in range(len(rows))] == pytest.approx(expected)


@settings(max_examples=30)
@given(rows, st.sampled_from(["linear", "exp", "{0:1,1:2,2:5}"]), st.sampled_from([2.0, 10.0]))
def test_gain_by_rank_is_what_the_measures_say_with_that_cutoff(
    rows: list[Row], gains: str, base: float
) -> None:
    judged, read = judged_rows(*rows), read_gains(gains)
    for number, row in enumerate(rows):
        plain = gain_curves(judged, number, gains=read, discount=None)
        found = gain_curves(judged, number, gains=read, discount="below-base", base=base)
        told = f"gains={gains},discount=below-base,base={base}"
        for rank in range(1, len(row[0]) + 1):
            assert plain.gain[rank - 1] == value(f"CG(gains={gains})@{rank}", row)
            assert found.gain[rank - 1] == value(f"DCG({told})@{rank}", row)
            assert found.best[rank - 1] == value(f"IDCG({told})@{rank}", row)
            assert found.share[rank - 1] == value(f"nDCG({told})@{rank}", row)
