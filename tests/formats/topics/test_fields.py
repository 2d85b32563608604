"""What fields of topics are called, and how their values become a topic."""

from __future__ import annotations

from workbench.formats.topics.fields import named_values


def test_a_name_that_a_field_has_already_is_passed_over_as_numbers_are_given() -> None:
    pairs = [("tag 2", "a"), ("tag", "b"), ("tag", "c"), ("tag", "d")]
    assert list(named_values(pairs)) == ["tag 2", "tag", "tag 3", "tag 4"]
