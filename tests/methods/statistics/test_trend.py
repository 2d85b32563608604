"""Change of one assessor against others: small cases by hand, scipy's Welch interval, and what holds always."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from workbench.methods.statistics.trend import change_between, change_within

NINE = [f"t{number}" for number in range(9)]


def test_the_change_between_topics_is_that_of_thirds_with_one_observation_a_topic() -> None:
    above = [0.0, 0.2, 0.1, 9.0, 9.0, 9.0, -0.5, -0.9, -0.4]
    found = change_between(above, [0.0] * 9, NINE, largest=3)
    reference = stats.ttest_ind(above[6:], above[:3], equal_var=False).confidence_interval(0.99)
    assert found.change == pytest.approx(-0.6 - 0.1)
    assert (found.low, found.high) == pytest.approx((reference.low, reference.high))
    assert (found.n, found.groups, found.is_certain) == (9, 9, False)
    above = [0.0, 0.2, 0.1, 9.0, 9.0, 9.0, -0.5, -0.9, -0.4]
    once = change_between(above, [0.0] * 9, NINE, largest=9)
    often = change_between(np.repeat(above, 50), np.zeros(450), np.repeat(NINE, 50).tolist(), largest=9)
    assert (often.change, often.low, often.high) == pytest.approx((once.change, once.low, once.high))


def test_the_change_within_topics_is_that_of_their_thirds_by_their_sizes() -> None:
    above = [0.0, 0.2, 5.0, 5.0, 1.0, 1.4]
    found = change_within(above, [0.0] * 6, ["one"] * 6, largest=3)
    reference = stats.ttest_ind(above[4:], above[:2], equal_var=False).confidence_interval(0.99)
    assert found.change == pytest.approx(1.1)
    assert (found.low, found.high) == pytest.approx((max(reference.low, -3), min(reference.high, 3)))
    above = [0.0, 0.1, 0.0, 0.1, 0.0, 0.1, 2.0, 2.1, 2.0, 2.1, 2.0, 2.1]
    found = change_within(above, [0.0] * 12, ["one"] * 6 + ["two"] * 6, largest=3)
    assert found.change == pytest.approx(0)
    # Twelve pairs change by 1, in thirds of four; six by nothing, in thirds of two; five are too few.
    own = [0.0, 0.1, 0.0, 0.1, *([9.0] * 4), 1.0, 1.1, 1.0, 1.1, *([0.0, 0.1] * 3), *([5.0] * 5)]
    found = change_within(own, [0.0] * 23, ["one"] * 12 + ["two"] * 6 + ["few"] * 5, largest=3)
    assert (found.change, found.n, found.groups) == (pytest.approx((4 * 1 + 2 * 0) / 6), 18, 2)


def test_where_relevance_falls_the_interval_holds_for_who_follows_it_by_half() -> None:
    """The others' grades fall from 2 to 0 over the topics; own grades are half of them, up to noise: no change."""
    rng = np.random.default_rng(1)
    others = np.repeat(np.linspace(2, 0, 30), 10)
    own = others / 2 + rng.normal(0, 0.1, 300)
    found = change_between(own, others, np.repeat(np.arange(30), 10).tolist(), largest=3)
    assert found.change is not None and found.change > 0.5
    assert not found.is_certain


@pytest.mark.parametrize(
    ("own", "topics", "why"),
    [
        ([], [], "not defined with 0 topics in common; 9 are needed"),
        ([1.0] * 8, NINE[:8], "not defined with 8 topics in common; 9 are needed"),
        ([1.0] * 9, NINE, "not defined: the differences do not vary"),
    ],
)
def test_too_little_to_tell_is_not_defined(own: list[float], topics: list[str], why: str) -> None:
    found = change_between(own, [0.0] * len(own), topics, largest=3)
    assert (found.change, found.low, found.high, found.is_certain) == (None, None, None, False)
    assert found.note == why


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 9)), min_size=6, max_size=60),
    st.booleans(),
)
def test_no_change_is_larger_than_the_scale(rows: list[tuple[int, int, int]], between: bool) -> None:
    own, others, topics = (list(column) for column in zip(*rows, strict=True))
    found = (change_between if between else change_within)(own, others, topics, largest=3)
    if found.change is None:
        assert (found.low, found.high, found.note[:11]) == (None, None, "not defined")
    else:
        assert found.low is not None
        assert found.high is not None
        assert -3 <= found.low <= found.change <= found.high <= 3


def test_the_case_that_was_printed_as_18_steps_is_cut_off_at_the_scale() -> None:
    """Forty topics of six pairs, own grades 0 and then 3 in each: by a line 39.5 times the length of a topic."""
    own, topics = [0, 0, 0, 3, 3, 3] * 40, np.repeat(np.arange(40), 6).tolist()
    noise = np.random.default_rng(1).normal(0, 0.01, 240)
    found = change_within(np.array(own) + noise, [1.0] * 240, topics, largest=3)
    assert (found.change, found.high) == (pytest.approx(3, abs=0.01), 3)


@pytest.mark.parametrize(
    ("rise", "leaves_out", "certain"), [(0.5, False, False), (1.0, True, False), (1.6, True, True)]
)
def test_a_change_is_certain_where_an_interval_for_many_looks_leaves_out_nothing(
    rise: float, leaves_out: bool, certain: bool
) -> None:
    """Nine topics, three in a third, each a half above or below the mean of its third, or at it."""
    own = [level + apart for level in (0, rise / 2, rise) for apart in (-0.2, 0.0, 0.2)]
    found = change_between(own, [0.0] * 9, range(9), largest=3)
    assert found.low is not None
    assert (found.low > 0, found.is_certain) == (leaves_out, certain)


def test_no_change_within_fewer_than_five_topics_is_certain() -> None:
    own = [0, 0, 0.1, 1, 1, 2, 2, 2, 2.1]
    four, five = (
        change_within(own * topics, [1.0] * 9 * topics, [at // 9 for at in range(9 * topics)], largest=3)
        for topics in (4, 5)
    )
    assert four.low is not None and four.low > 0
    assert (four.is_certain, five.is_certain) == (False, True)
