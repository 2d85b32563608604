"""Intervals come from topics, marks from a test against the best."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.analysis.trust.bounds import Detail, Details
from workbench.analysis.trust.intervals import NOT_AVERAGED, all_intervals, is_level, p_to_the_best
from workbench.methods.measures import parse_measure
from workbench.methods.statistics.all_pairs import max_t_of_pairs
from workbench.methods.statistics.intervals import NO_SPREAD, TOO_FEW, t_intervals
from workbench.storage.campaign.log import log


def p_values(name: str, values: list[list[float]]) -> list[float]:
    """The p-values against the best, where there are some."""
    (found,) = all_intervals(details(name, values))
    assert found.p_values is not None
    return found.p_values.tolist()  # type: ignore[no-any-return]


def details(name: str, values: list[list[float]]) -> Details:
    table = np.array(values)
    tags = tuple(f"run{column}" for column in range(table.shape[1]))
    return Details(
        log.Head(1, b""), tags, tags, (Detail(parse_measure(name), table, table.sum(axis=0), None),)
    )


# Over ten topics run 0 is 0.1 better than run 2 on each; run 1 is better on half of them, and worse on the others.
TEN_TOPICS = [[0.5, 0.49 if topic % 2 else 0.5, 0.4] for topic in range(10)]


def test_a_run_that_is_worse_on_every_topic_is_not_level_with_the_best() -> None:
    found = p_values("AP", TEN_TOPICS)
    assert found[0] == 1.0
    # All 2^10 assignments of signs are looked at; two of them, all plus and all minus, are as extreme as this.
    assert found[2] == pytest.approx(2 / 1024, rel=0.6)
    assert [is_level(p) for p in found] == [True, True, False]


def test_where_low_is_good_the_lowest_is_what_others_are_compared_with() -> None:
    assert p_values("SetE", TEN_TOPICS).index(1.0) == 2
    low, high = (p_to_the_best(parse_measure(name), np.array(TEN_TOPICS)) for name in ("SetE", "AP"))
    assert low[0] == high[2] < 0.05


def test_runs_that_are_equal_at_the_top_are_both_the_best_one() -> None:
    tenths = np.array([[3, 1, 0, 0], [2, 2, 0, 1], [1, 3, 0, 0]] * 8)
    first, second, *others = p_values("P@10", (tenths / 10).tolist())
    assert (first, second) == (1.0, 1.0)  # rounding puts one of the means ahead
    assert max(others) < 0.05


def test_with_few_topics_every_run_is_level_with_the_best() -> None:
    for topics in (2, 3, 5):
        assert all(map(is_level, p_values("AP", [[0.9, 0.1, 0.0]] * topics)))
    six = p_values("AP", [[0.9, 0.1, 0.0]] * 6)  # 2 of 64 assignments of signs
    assert [is_level(p) for p in six] == [True, False, False]


def test_intervals_and_p_values_are_those_of_the_statistics_with_the_stated_seed() -> None:
    values = np.random.default_rng(5).random((12, 4))
    (found,) = all_intervals(details("AP", values.tolist()))
    assert found.intervals is not None
    assert found.p_values is not None
    best = int(values.mean(axis=0).argmax())
    pairs = max_t_of_pairs(values, permutations=10_000, rng=np.random.default_rng(1))
    assert found.intervals.tolist() == t_intervals(values, lowest=0, highest=1).tolist()
    assert found.p_values.tolist() == pairs[best].tolist()
    assert (found.intervals[:, 0] < values.mean(axis=0)).all()
    assert (found.intervals[:, 1] > values.mean(axis=0)).all()


@pytest.mark.parametrize("name", ["NumRel", "AP(mean=geometric)"])
def test_counts_and_other_means_have_neither(name: str) -> None:
    (found,) = all_intervals(details(name, TEN_TOPICS))
    assert (found.intervals, found.p_values, set(found.why_none)) == (None, None, {NOT_AVERAGED})
    (no_merit,) = all_intervals(details("Judged@10", TEN_TOPICS))
    assert (no_merit.intervals is None, no_merit.p_values is None) == (False, True)


def test_four_topics_have_no_interval_and_a_run_without_spread_has_none() -> None:
    (four,) = all_intervals(details("AP", TEN_TOPICS[:4]))
    assert (four.intervals, set(four.why_none)) == (None, {TOO_FEW})
    assert four.p_values is not None
    (ten,) = all_intervals(details("AP", TEN_TOPICS))
    assert ten.intervals is not None
    assert ten.why_none == (NO_SPREAD, "", NO_SPREAD)
    assert np.isnan(ten.intervals[[0, 2]]).all() and np.isfinite(ten.intervals[1]).all()


def test_no_interval_leaves_the_range_of_its_measure() -> None:
    (found,) = all_intervals(details("AP", [[0.0, 1.0]] * 5 + [[0.5, 0.4]]))
    assert found.intervals is not None
    assert (found.intervals[0, 0], found.intervals[1, 1]) == (0.0, 1.0)
    (beyond,) = all_intervals(details("DCG@10", [[0.0, 5.0]] * 5 + [[0.5, 4.0]]))
    assert beyond.intervals is not None
    assert beyond.intervals[0, 0] == 0.0 and beyond.intervals[1, 1] > 5.0


@pytest.mark.parametrize("values", [np.zeros((0, 3)), np.ones((1, 3)), np.zeros((4, 0))])
def test_one_topic_says_nothing_about_others(values: np.ndarray) -> None:
    tags = tuple("abc"[: values.shape[1]])
    only = Details(
        log.Head(1, b""), tags, tags, (Detail(parse_measure("AP"), values, values.sum(axis=0), None),)
    )
    (found,) = all_intervals(only)
    assert (found.intervals, found.p_values) == (None, None)
