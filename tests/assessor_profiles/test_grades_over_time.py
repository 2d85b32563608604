"""Whether grades move against those of others over time: from the judgments in their order to sentences."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from workbench.assessor_profiles.against_peers import SharedPair
from workbench.assessor_profiles.grades_over_time import Drift, drift_in_words, drift_of
from workbench.campaign.at_work import Made


def drift(above: Sequence[float], topics: Sequence[str] | None = None) -> Drift:
    """Of pairs judged one after another, one on each day, whose grade 1 is so far above that of the others."""
    made, pairs = [], []
    for number, (steps, topic_id) in enumerate(zip(above, topics or "1" * len(above), strict=True)):
        document_id = f"d{number:03d}"
        made.append(Made(number, "2026-03-01T12:00:00.000+00:00", topic_id, document_id, 1, 4.0, False))
        pairs.append(SharedPair(topic_id, document_id, 1, (("Ben", 0),), steps))
    return drift_of(made, pairs[::-1])


def test_grades_that_fall_against_the_others_become_stricter() -> None:
    found = drift([1.0] * 12 + [-1.0] * 12)
    assert (found.whole.n, found.whole.note) == (24, "B = 2,000")
    # The places less their mean sum up to -72 and 72, their squares to 24 (24^2 - 1) / 12: -144 / 1150 over 23 steps.
    assert found.whole.change == pytest.approx(-144 / 1150 * 23)
    assert found.whole.p_value == 1 / 2001
    (first, second) = drift_in_words(found)
    assert "p = below 0.001 by shuffling their order (B = 2,000, seed 1)" in first
    assert first.endswith("Chance hardly explains that: the grades become stricter.")
    assert second.startswith("Within topics alone")


def test_grades_that_differ_by_topic_alone_do_not_drift_within_topics() -> None:
    found = drift([1.0, 0.9] * 6 + [-1.0, -0.9] * 6, "1" * 12 + "2" * 12)
    assert found.whole.p_value == 1 / 2001
    assert found.within.p_value is not None and found.within.p_value > 0.5


def test_who_goes_up_and_down_does_not_drift() -> None:
    words = drift_in_words(drift([1.0, -1.0] * 10))
    assert words[0].endswith("That may well be chance.")


@pytest.mark.parametrize(
    ("above", "why"),
    [
        ([], "not defined: 0 pairs in common were judged on the screen, and 10 are needed"),
        ([1.0] * 9, "not defined: 9 pairs in common were judged on the screen, and 10 are needed"),
        ([0.5] * 30, "not defined: all values are the same"),
    ],
)
def test_too_little_to_tell_is_not_defined(above: list[float], why: str) -> None:
    found = drift(above)
    assert (found.whole.change, found.whole.p_value) == (None, None)
    assert drift_in_words(found) == [f"Drift against the others: {why}."]


def test_where_no_topic_has_two_pairs_nothing_is_defined_within_topics() -> None:
    found = drift([0.0, 1.0] * 5, [str(number) for number in range(10)])
    assert found.within.p_value is None
    assert drift_in_words(found)[1] == (
        "Within topics alone it is not defined: no topic has two pairs that differ."
    )


def test_a_pair_stands_where_its_grade_in_force_was_given() -> None:
    """d0 is judged first, changed last; d1 was imported with another grade afterwards, and has no place."""
    at = "2026-03-01T12:00:00.000+00:00"
    made = [Made(number, at, "1", f"d{number}", 1, 4.0, False) for number in range(12)]
    made.append(Made(12, at, "1", "d0", 2, 4.0, True))
    pairs = [SharedPair("1", f"d{number}", 1, (("Ben", 0),), 0.0) for number in range(2, 12)]
    pairs += [
        SharedPair("1", "d0", 2, (("Ben", 0),), 1.0),
        SharedPair("1", "d1", 2, (("Ben", 0),), 9.0),
        SharedPair("1", "imported", 2, (("Ben", 0),), 9.0),
    ]
    found = drift_of(made, pairs)
    assert found.whole.n == 11
    # One 1 at the last of eleven places: slope 5 / 110, over ten steps.
    assert found.whole.change == pytest.approx(5 / 110 * 10)
