"""Grades against those that others gave the same pairs."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.analysis.assessors.against_peers import AgainstPeers, against_peers
from workbench.analysis.between_assessors.gathering import GradedPairs
from workbench.methods.statistics.intervals import TOO_FEW

NOBODY = -1


def compared(found: GradedPairs, assessor: str) -> AgainstPeers:
    """An assessor against the others, where all grades are compared."""
    peers = against_peers(found, assessor, found.labels != NOBODY)
    assert peers is not None
    return peers


def graded_pairs(*labels: tuple[int, ...], grades: tuple[int, ...] = (0, 1, 2)) -> GradedPairs:
    """Pairs of topic 1 that Ann, Ben and Carla judged, by categories; NOBODY where one did not."""
    table = np.array(labels, np.int64)
    return GradedPairs(
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
    found = compared(graded_pairs((2, 0, 1), (1, 1, NOBODY), (0, NOBODY, 2), (NOBODY, 2, 2)), "Ann")
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


def by_topic(*labels: list[tuple[int, ...]]) -> GradedPairs:
    """The pairs of topics 1, 2, ... that Ann, Ben and Carla judged."""
    rows = [row for some in labels for row in some]
    topics = [str(number) for number, some in enumerate(labels, start=1) for _ in some]
    pairs = tuple((topic_id, f"d{number:03d}") for number, topic_id in enumerate(topics))
    return graded_pairs(*rows)._replace(pairs=pairs)


def test_who_is_above_the_others_on_every_topic_is_lenient_and_they_are_strict() -> None:
    high, some = [(1, 0, NOBODY)] * 3, [(1, 0, NOBODY), (1, 0, NOBODY), (0, 0, NOBODY)]
    found = by_topic(*[high, some] * 5)
    ann, ben = compared(found, "Ann"), compared(found, "Ben")
    assert ann.above == pytest.approx(5 / 6)
    assert (ann.leaning, ben.leaning) == ("lenient", "strict")
    few = compared(by_topic(high, some, high, some), "Ann")
    assert (few.leaning, few.interval, few.why_none) == ("", None, TOO_FEW)


def test_grades_that_are_not_compared_are_listed_and_change_nothing() -> None:
    found = by_topic(*[[(0, 0, NOBODY), (2, 0, 2), (2, 0, NOBODY)]] * 10)
    usable = found.labels != NOBODY
    usable[1::3, 1] = False  # where Ann and Carla differ from Ben, Ben's grade alone
    usable[2::3] = False
    ann = against_peers(found, "Ann", usable)
    assert ann is not None
    assert (ann.compared, ann.left_out, ann.higher, ann.same) == (20, 10, 0, 20)
    assert (ann.above, ann.leaning, ann.own) == (0, "", (0.5, 0.0, 0.5))
    assert [(pair.counts, pair.above) for pair in ann.pairs[:3]] == [(True, 0), (True, 0), (False, 2)]
    none = against_peers(found, "Ann", np.zeros_like(usable))
    assert none is not None
    assert (none.compared, none.left_out, none.leaning, none.interval) == (0, 30, "", None)


def test_one_topic_that_is_read_differently_makes_nobody_strict() -> None:
    """Thirty pairs of one topic differ, of the four others none: by pairs that is no chance, by topics it may be."""
    same = [(1, 1, NOBODY)] * 30
    ann = compared(by_topic([(0, 1, NOBODY)] * 30, same, same, same, same), "Ann")
    assert (ann.lower, ann.higher, ann.leaning) == (30, 0, "")


def test_a_low_grade_where_one_of_three_others_is_high_makes_nobody_strict() -> None:
    """Each of four is alone with a 1 as often: Ann is below the others' mean three times as often as above it."""
    turns = [tuple(int(place == who) for place in range(3)) for who in range(3)]
    ann = compared(by_topic(*[turns * 4] * 8), "Ann")
    assert (ann.lower, ann.higher) == (64, 32)
    assert ann.above == pytest.approx(0)
    assert ann.leaning == ""


def test_no_interval_is_longer_than_the_scale() -> None:
    far = [[(2, 0, NOBODY)] * 3, [(0, 2, NOBODY)] * 3]
    ann = compared(by_topic(*far, *far, far[0]), "Ann")
    assert ann.interval is not None
    assert (ann.interval.low, ann.interval.high) == (-2, 2)


def test_without_a_pair_in_common_there_is_nothing_to_compare() -> None:
    found = graded_pairs((1, 1, NOBODY))
    assert against_peers(found, "Dora", found.labels != NOBODY) is None
    some = found.select(np.array([True]))
    assert against_peers(some, "Carla", some.labels != NOBODY) is None
