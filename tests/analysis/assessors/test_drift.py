"""Judgments in their order, in parts of equal size."""

from __future__ import annotations

from workbench.analysis.assessors.drift import Part, parts_of
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
