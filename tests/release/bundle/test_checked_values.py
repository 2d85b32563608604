"""What a bundle says is taken as it is, or refused with the value and what it is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

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
    ("check", "value", "why"),
    [
        (text, 7, "7 is not a text"),
        (text, None, "None is not a text"),
        (text, "\ud800", "surrogates not allowed"),
        (sha256, HASH[1:], "is not a SHA-256"),
        (sha256, HASH + "0", "is not a SHA-256"),
        (sha256, HASH.upper(), "is not a SHA-256"),
        (sha256, 7, "7 is not a text"),
        (name, " ", "' ' is not a name"),
        (name, "a\nb", "is not a name"),
        (decimal, float("nan"), "nan is not a number"),
        (decimal, float("inf"), "inf is not a number"),
        (decimal, "1", "'1' is not a number"),
        (probability, 0, "0.0 is not a probability of a pair that was drawn"),
        (probability, 1.0000001, "is not a probability of a pair that was drawn"),
        (number, 1.0, "1.0 is not a whole number"),
        (number, True, "True is not a whole number"),
        (number, 1 << 63, "is not a whole number"),
        (number, -(1 << 63), "is not a whole number"),
        (within(1, 3), 0, "0 is not from 1 to 3"),
        (within(1, 3), 4, "4 is not from 1 to 3"),
        (listing, "ab", "'ab' is not a list"),
        (listing, {"a": 1}, "is not a list"),
        (one_of({"a", "b"}), "c", "'c' is not known here"),
        (parameter, {"a": 1}, "is not a whole number"),
        (parameter, [1, "\ud800"], "surrogates not allowed"),
        (parameter, float("nan"), "nan is not a number"),
        (grade, checked_values.LOWEST_GRADE - 1, "is out of range"),
        (grade, checked_values.HIGHEST_GRADE + 1, "is out of range"),
        (identifier("topic"), "a b", "holds blanks"),
        (identifier("topic"), "", "a topic has no id"),
        (list_of(number), [1, "2"], "'2' is not a whole number"),
        (row(text, number), ["a"], "shorter"),
        (row(text, number), ["a", 1, 2], "longer"),
        (optional(number), "2", "'2' is not a whole number"),
        (record(DrawnPair), ["7", "d1", "1", 0.5], "indices must be"),
        (record(DrawnPair), {"topic_id": ""}, "a topic has no id"),
        (record(DrawnPair, topic_id=number), {"topic_id": "7"}, "'7' is not a whole number"),
    ],
)
def test_what_cannot_be_is_refused_with_what_it_is_not(check: Check, value: object, why: str) -> None:
    with pytest.raises((TypeError, ValueError), match=why):
        check(value)
