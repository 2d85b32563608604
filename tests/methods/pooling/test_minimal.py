"""Weights of minimal test collections by hand."""

from __future__ import annotations

import pytest

from tests.methods.pooling.three_runs import after, named, next_of, three_runs
from workbench.methods.pooling.strategies.judged_so_far import minimal_test_collection


def test_at_first_a_document_weighs_what_its_reciprocal_ranks_differ() -> None:
    scores = named(minimal_test_collection(three_runs(), after()))
    assert scores == pytest.approx(
        {"a": 1 - 1 / 4, "b": 1 - 1 / 3, "c": 1 / 3, "d": 1 / 2 - 1 / 4, "e": 1, "f": 1 / 5, "g": 1 / 5},
        abs=1e-15,
    )


def test_a_relevant_document_adds_what_it_shares_with_the_others() -> None:
    # e is at the ranks 5, none, 1: a document of the first run gains 1/5, one at rank r of the third run 1/r.
    scores = named(minimal_test_collection(three_runs(), after("e+")))
    assert scores["a"] == pytest.approx((1 + 1 / 5) - (1 / 4 + 1 / 4), abs=1e-15)
    assert scores["b"] == pytest.approx(1 - (1 / 3 + 1 / 3), abs=1e-15)
    assert scores["c"] == pytest.approx(1 / 3 + 1 / 5, abs=1e-15)
    assert scores["d"] == pytest.approx((1 / 2 + 1 / 2) - 1 / 4, abs=1e-15)
    assert scores["g"] == pytest.approx(1 / 5 + 1 / 5, abs=1e-15)
    assert next_of(minimal_test_collection(three_runs(), after("e+")), after("e+")) == "d"


def test_what_is_not_relevant_changes_nothing() -> None:
    table = three_runs()
    before = named(minimal_test_collection(table, after()))
    assert named(minimal_test_collection(table, after("e-", "a-"))) == before
    assert named(minimal_test_collection(table, after("e+", "a-"))) != before
