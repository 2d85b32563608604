"""How fast somebody judges, alone and beside the others."""

from __future__ import annotations

import math

import pytest

from workbench.analysis.assessors.speed import Pace, is_unusual, pace_of


def person(typical: float, topics: int = 10, each: int = 5) -> Pace:
    """An assessor whose topics take from .8 to 1.25 times as long as is typical."""
    factors = [0.8 * 1.5625 ** (topic / max(topics - 1, 1)) for topic in range(topics)]
    return pace_of({str(topic): [typical * factor] * each for topic, factor in enumerate(factors)})


def test_the_pace_is_reported_by_median_quartiles_and_judgments_an_hour() -> None:
    assert pace_of({"1": [2, 4, 6], "2": [8, 100]}) == Pace(5, 120 / 3600, 6.0, 4.0, 8.0, 150.0)
    assert pace_of({}) == Pace(0, 0.0, None, None, None, None)


def test_topics_are_the_observations_of_the_interval_of_a_pace() -> None:
    """Logarithms to base 2 of the medians 1, 2, 4, 8, 16: mean 2, standard deviation 1.581, t 4.604 with 4 degrees."""
    found = pace_of({str(power): [1.0, 2.0**power, 99.0] for power in range(5)}).interval
    assert found is not None
    reach = 4.604095 * math.sqrt(2.5 / 5)
    assert (math.log2(found.low), math.log2(found.high)) == pytest.approx((2 - reach, 2 + reach), rel=1e-6)


@pytest.mark.parametrize(("seconds", "word"), [(3, "faster"), (4.9, ""), (10, ""), (21, ""), (35, "slower")])
def test_a_pace_is_unusual_surely_below_half_or_above_twice_that_of_the_others(
    seconds: float, word: str
) -> None:
    assert is_unusual(person(seconds), [person(typical) for typical in (2, 10, 60)]) == word


@pytest.mark.parametrize("topics", [1, 2, 4])
def test_few_topics_make_nobody_unusual_however_many_judgments_they_have(topics: int) -> None:
    assert is_unusual(person(1, topics, each=500), [person(10)]) == ""
    assert is_unusual(person(1), [person(10, topics, each=500)]) == ""
    assert is_unusual(person(1), []) == ""
    assert is_unusual(person(1), [person(10)]) == "faster"


def test_one_topic_that_takes_long_makes_nobody_slow() -> None:
    seconds = {str(topic): [10.0 + topic] * 5 for topic in range(10)}
    assert is_unusual(pace_of(seconds | {"0": [500.0] * 500}), [pace_of(seconds)]) == ""
