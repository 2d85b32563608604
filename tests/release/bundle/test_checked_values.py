"""What a bundle says is taken as it is, or refused with the value and what it is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.sentences import refused
from workbench.release.bundle import checked_values
from workbench.release.bundle.checked_values import (
    decimal,
    grade,
    identifier,
    list_of,
    listing,
    name,
    number,
    one_of,
    optional,
    parameter,
    probability,
    record,
    row,
    sha256,
    text,
    within,
)
from workbench.storage.campaign.assigning.draws import DrawnPair

HASH = "0123456789abcdef" * 4
Check = Callable[[Any], Any]


@pytest.mark.parametrize(
    ("check", "value"),
    [
        (text, ""),
        (text, "ice\n"),
        (sha256, HASH),
        (name, "Zoë"),
        (decimal, -0.5),
        (probability, 1),
        (probability, 1e-9),
        (number, (1 << 63) - 1),
        (number, -(1 << 63) + 1),
        (within(1, 3), 1),
        (within(1, 3), 3),
        (listing, [1, "a"]),
        (one_of({"a", "b"}), "b"),
        (parameter, None),
        (parameter, True),
        (parameter, [1, 0.5, ["a", False]]),
        (grade, checked_values.LOWEST_GRADE),
        (grade, checked_values.HIGHEST_GRADE),
        (identifier("topic"), "7"),
        (list_of(number), [1, 2]),
        (optional(number), None),
    ],
)
def test_what_can_be_is_given_back_as_it_is(check: Check, value: object) -> None:
    assert (check(value), type(check(value))) in [(value, type(value)), (value, float)]


def test_a_record_is_read_by_the_names_and_types_of_its_fields() -> None:
    content = {"topic_id": "7", "document_id": "d1", "stratum": "1", "inclusion_probability": 1, "more": None}
    assert record(DrawnPair)(content) == DrawnPair("7", "d1", "1", 1.0)


@pytest.mark.parametrize(
    ("check", "value"),
    [
        (text, 7),
        (text, None),
        (text, "\ud800"),
        (sha256, HASH[1:]),
        (sha256, HASH + "0"),
        (sha256, HASH.upper()),
        (sha256, 7),
        (name, " "),
        (name, "a\nb"),
        (decimal, float("nan")),
        (decimal, float("inf")),
        (decimal, "1"),
        (probability, 0),
        (probability, 1.0000001),
        (number, 1.0),
        (number, True),
        (number, 1 << 63),
        (number, -(1 << 63)),
        (within(1, 3), 0),
        (within(1, 3), 4),
        (listing, "ab"),
        (listing, {"a": 1}),
        (one_of({"a", "b"}), "c"),
        (parameter, {"a": 1}),
        (parameter, [1, "\ud800"]),
        (parameter, float("nan")),
        (grade, checked_values.LOWEST_GRADE - 1),
        (grade, checked_values.HIGHEST_GRADE + 1),
        (identifier("topic"), "a b"),
        (identifier("topic"), ""),
        (list_of(number), [1, "2"]),
        (row(text, number), ["a"]),
        (row(text, number), ["a", 1, 2]),
        (optional(number), "2"),
        (record(DrawnPair), ["7", "d1", "1", 0.5]),
        (record(DrawnPair), {"topic_id": ""}),
        (record(DrawnPair, topic_id=number), {"topic_id": "7"}),
        (list_of(number, 1), [1, 2]),
        (within(0, 1, decimal), -0.1),
    ],
)
def test_what_cannot_be_is_refused_with_what_it_is_not(check: Check, value: object) -> None:
    with refused((TypeError, ValueError)):
        check(value)
