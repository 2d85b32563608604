"""Grades against those that others gave the same pairs."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.agreeing.gathering import Opinions
from workbench.assessor_profiles.against_peers import against_peers

NOBODY = -1


def opinions(*labels: tuple[int, ...], grades: tuple[int, ...] = (0, 1, 2)) -> Opinions:
    """Pairs of topic 1 that Ann, Ben and Carla judged, by categories; NOBODY where one did not."""
    table = np.array(labels, np.int64)
    return Opinions(
        grades=grades,
        relevant=1,
        assessors=("Ann", "Ben", "Carla"),
        pairs=tuple(("1", f"d{number}") for number in range(1, len(labels) + 1)),
        labels=table,
        weights=np.ones(len(labels)),
        strata=np.zeros(len(labels), np.int64),
        judged=len(labels),
    )


def test_each_pair_in_common_counts_once_however_many_others_judged_it() -> None:
    found = against_peers(opinions((2, 0, 1), (1, 1, NOBODY), (0, NOBODY, 2), (NOBODY, 2, 2)), "Ann")
    assert found is not None
    assert found.peers == ("Ben", "Carla")
    assert found.own == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    # d1: half 0, half 1; d2: 1; d3: 2.
    assert found.others == pytest.approx((0.5 / 3, 1.5 / 3, 1 / 3))
    assert (found.higher, found.same, found.lower) == (1, 1, 1)
    assert (found.relevant_own, found.relevant_others) == pytest.approx((2 / 3, 2.5 / 3))
    assert [(pair.document_id, pair.grade, pair.above) for pair in found.pairs] == [
        ("d1", 2, 1.5),
        ("d2", 1, 0.0),
        ("d3", 0, -2.0),
    ]
    assert found.pairs[0].others == (("Ben", 0), ("Carla", 1))


def test_who_is_always_above_the_others_is_lenient_and_they_are_strict() -> None:
    found = opinions(*[(1, 0, NOBODY)] * 9, (0, 0, NOBODY))
    ann = against_peers(found, "Ann")
    assert ann is not None
    assert (ann.higher, ann.lower, ann.leaning) == (9, 0, ""), "nine pairs are too few"
    found = opinions(*[(1, 0, NOBODY)] * 10, (0, 0, NOBODY))
    ann, ben = against_peers(found, "Ann"), against_peers(found, "Ben")
    assert ann is not None and ben is not None
    assert ann.p == pytest.approx(2 / 2**10)
    assert (ann.leaning, ben.leaning) == ("lenient", "strict")


def test_who_differs_both_ways_leans_to_neither() -> None:
    ann = against_peers(opinions(*[(1, 0, NOBODY)] * 8, *[(0, 1, NOBODY)] * 6), "Ann")
    assert ann is not None and ann.p is not None and ann.p > 0.5
    assert ann.leaning == ""


def test_without_a_pair_in_common_there_is_nothing_to_compare() -> None:
    found = opinions((1, 1, NOBODY))
    assert against_peers(found, "Dora") is None
    assert against_peers(found.select(np.array([True])), "Carla") is None
