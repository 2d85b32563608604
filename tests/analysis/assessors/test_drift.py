"""Judgments in their order: in parts of equal size, and whether grades move against those of others."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.sentences import says
from workbench.analysis.assessors.against_peers import SharedPair
from workbench.analysis.assessors.drift import Drift, Part, drift_of, parts_of
from workbench.storage.campaign.counts.assessor_activity import GradingEvent


def made(
    number: int, grade: int | None = 1, seconds: float | None = 4.0, document: str | None = None
) -> GradingEvent:
    at = f"2026-03-{1 + number // 30:02d}T12:00:00.000+00:00"
    return GradingEvent(number, at, "1", document or f"d{number}", grade, seconds, document is not None)


def test_few_judgments_are_one_part() -> None:
    rows = [made(1, 1, 2.0), made(2, 0, 4.0), made(3, None, None)]
    at = "2026-03-01"
    assert parts_of(rows, 1, {("1", "d2"): -1.0}) == [Part(1, 3, at, at, 3.0, 0.5, 1, -1.0)]
    assert parts_of([], 1, {}) == []


def test_many_are_at_most_eight_parts_of_equal_size() -> None:
    parts = parts_of([made(number) for number in range(100)], 1, {})
    assert [(part.first, part.last) for part in parts] == [(1, 25), (26, 50), (51, 75), (76, 100)]
    parts = parts_of([made(number) for number in range(1001)], 1, {})
    assert len(parts) == 8 and parts[-1].last == 1001
    assert {part.last - part.first + 1 for part in parts} == {125, 126}


def test_a_change_in_the_history_is_seen() -> None:
    rows = [made(number, 1 if number < 25 else 0, 2.0 if number < 25 else 8.0) for number in range(50)]
    above = {("1", f"d{number}"): 0.5 if number < 25 else -0.5 for number in range(0, 50, 5)}
    parts = parts_of(rows, 1, above)
    assert [(part.seconds, part.relevant, part.shared, part.above) for part in parts] == [
        (2.0, 1.0, 5, 0.5),
        (8.0, 0.0, 5, -0.5),
    ]


def test_a_pair_counts_where_its_judgment_in_force_was_given() -> None:
    rows = [made(1, document="d1"), *(made(number) for number in range(2, 50)), made(50, document="d1")]
    parts = parts_of(rows, 1, {("1", "d1"): 1.0})
    assert [part.shared for part in parts] == [0, 1]


AT = "2026-03-01T12:00:00.000+00:00"


def drift(categories: Sequence[int], topics: Sequence[str]) -> Drift:
    """Of pairs judged one after another on four grades, which the others gave 1."""
    grading, pairs = [], []
    for number, (category, topic_id) in enumerate(zip(categories, topics, strict=True)):
        document_id = f"d{number:03d}"
        grading.append(GradingEvent(number, AT, topic_id, document_id, category, 4.0, False))
        pairs.append(SharedPair(topic_id, document_id, category, category, (("Ben", 1),), category - 1.0))
    return drift_of(grading, pairs[::-1], grades=4)


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
    falls = drift([2, 2, 1, 1, 0, 0] * 11 + [1, 2, 1, 1, 0, 1], TWELVE).within
    assert falls.high is not None and falls.high < 0
    assert not falls.is_certain
    assert says(Drift(falls, falls).in_words[1])


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
    assert all(sentence.endswith("not defined: the differences do not vary.") for sentence in words)


def test_a_pair_stands_where_its_grade_in_force_was_given() -> None:
    """d0 is judged first, changed last; d1 was imported with another grade afterwards, and has no place."""
    grading = [GradingEvent(number, AT, "1", f"d{number}", 1, 4.0, False) for number in range(12)]
    grading.append(GradingEvent(12, AT, "1", "d0", 2, 4.0, True))
    pairs = [SharedPair("1", f"d{number}", 1, 1, (("Ben", 1),), 0.0) for number in range(2, 12)]
    pairs += [
        SharedPair("1", "d0", 2, 2, (("Ben", 1),), 1.0),
        SharedPair("1", "d1", 2, 2, (("Ben", 1),), 1.0),
        SharedPair("1", "imported", 2, 2, (("Ben", 1),), 1.0),
    ]
    found = drift_of(grading, pairs, grades=4)
    assert found.within.n == 11
    assert found.within.change == pytest.approx(1 / 3)  # one of the last three of eleven


def test_a_change_that_chance_may_have_made_says_so() -> None:
    up_and_down = [0, 2, 1, 2, 0, 1, 1, 0, 2, 2, 1, 2, 0, 1, 1, 0, 2, 0] * 4
    found = drift(up_and_down, TWELVE)
    assert not found.between.is_certain and not found.within.is_certain
    for sentence in found.in_words:
        assert says(sentence)
