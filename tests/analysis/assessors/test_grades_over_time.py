"""Whether grades move against those of others over time: from the judgments in their order to sentences."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.sentences import says
from workbench.analysis.assessors.against_peers import SharedPair
from workbench.analysis.assessors.drift import Drift, drift_of
from workbench.storage.campaign.counts.assessor_activity import GradingEvent

AT = "2026-03-01T12:00:00.000+00:00"


def drift(categories: Sequence[int], topics: Sequence[str]) -> Drift:
    """Of pairs judged one after another on four grades, which the others gave 1."""
    made, pairs = [], []
    for number, (category, topic_id) in enumerate(zip(categories, topics, strict=True)):
        document_id = f"d{number:03d}"
        made.append(GradingEvent(number, AT, topic_id, document_id, category, 4.0, False))
        pairs.append(SharedPair(topic_id, document_id, category, category, (("Ben", 1),), category - 1.0))
    return drift_of(made, pairs[::-1], grades=4)


TWELVE = [f"{number:02d}" for number in range(12) for _ in range(6)]
"""Twelve topics of six pairs."""


def test_grades_that_fall_over_the_topics_become_stricter() -> None:
    found = drift(([2, 2, 2, 1, 2, 2] + [2] * 6) * 3 + ([0, 0, 0, 1, 0, 0] + [0] * 6) * 3, TWELVE)
    assert (found.between.n, found.between.groups) == (72, 12)
    # Means by topic: 11/6 and 2 in turn in the first four, 1/6 and 0 in the last four.
    assert found.between.change == pytest.approx((1 / 6 + 0) / 2 - (11 / 6 + 2) / 2)
    assert found.between.is_certain
    first, second = found.in_words
    assert says(first)
    assert first.endswith("72 pairs in 12 topics). The grades become stricter than the others’.")
    assert says(second)


def test_a_change_that_one_look_would_find_is_chance_where_one_looks_after_every_topic() -> None:
    found = drift([0, 0, 1, 1, 2, 2] * 11 + [1, 0, 1, 1, 2, 1], TWELVE).within
    assert found.low is not None and found.low > 0
    assert not found.is_certain
    said = Drift(found, found).in_words[1]
    assert says(said)


def test_grades_that_rise_within_each_topic_become_more_lenient() -> None:
    found = drift([0, 0, 1, 1, 2, 2] * 6 + [1, 0, 1, 1, 2, 1] * 6, TWELVE)
    assert found.within.change == pytest.approx((6 * 2 + 6 * 1) / 12)
    assert found.in_words[1].endswith("The grades become more lenient than the others’.")
    assert not found.between.is_certain


def test_few_topics_and_few_pairs_say_what_is_missing() -> None:
    words = drift([0, 1, 2], ["1", "1", "2"]).in_words
    assert says("\n".join(words))


def test_all_the_same_grade_is_no_drift() -> None:
    words = drift([1] * 72, TWELVE).in_words
    assert all(sentence.endswith("not defined: the differences do not spread.") for sentence in words)


def test_a_pair_stands_where_its_grade_in_force_was_given() -> None:
    """d0 is judged first, changed last; d1 was imported with another grade afterwards, and has no place."""
    made = [GradingEvent(number, AT, "1", f"d{number}", 1, 4.0, False) for number in range(12)]
    made.append(GradingEvent(12, AT, "1", "d0", 2, 4.0, True))
    pairs = [SharedPair("1", f"d{number}", 1, 1, (("Ben", 1),), 0.0) for number in range(2, 12)]
    pairs += [
        SharedPair("1", "d0", 2, 2, (("Ben", 1),), 1.0),
        SharedPair("1", "d1", 2, 2, (("Ben", 1),), 1.0),
        SharedPair("1", "imported", 2, 2, (("Ben", 1),), 1.0),
    ]
    found = drift_of(made, pairs, grades=4)
    assert found.within.n == 11
    assert found.within.change == pytest.approx(1 / 3)  # one of the last three of eleven


def test_a_change_that_chance_may_have_made_says_so() -> None:
    up_and_down = [0, 2, 1, 2, 0, 1, 1, 0, 2, 2, 1, 2, 0, 1, 1, 0, 2, 0] * 4
    found = drift(up_and_down, TWELVE)
    assert not found.between.is_certain and not found.within.is_certain
    for sentence in found.in_words:
        assert says(sentence)
