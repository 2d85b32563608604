"""The order of judging in a simulation."""

from __future__ import annotations

import numpy as np
import pytest

from tests.methods.pooling.three_runs import DOCUMENTS, three_runs
from workbench.core.ranking import FloatArray
from workbench.methods.pooling.adaptive import adaptive_sequence
from workbench.methods.pooling.topic_table import Seen, TopicTable

RELEVANT = np.array([document in "bd" for document in DOCUMENTS])


def next_letter_after_a_find(table: TopicTable, seen: Seen) -> FloatArray:
    """After a relevant document that which follows it; else the last letter that is open."""
    scores = np.arange(7.0)
    if len(seen.sequence) and seen.relevant[seen.sequence[-1]]:
        scores[(seen.sequence[-1] + 1) % 7] = 10
    return scores


def walked(budget: int | None = None, burn_in: int = 0) -> str:
    places = adaptive_sequence(
        next_letter_after_a_find, three_runs(), RELEVANT, budget=budget, burn_in=burn_in
    )
    return "".join(DOCUMENTS[place] for place in places)


def test_each_choice_knows_the_labels_of_those_before() -> None:
    assert walked() == "gfedcba"  # e is judged already when d is found
    assert walked(burn_in=1) == "abegfdc"


@pytest.mark.parametrize(("budget", "judged"), [(0, ""), (2, "gf"), (7, "gfedcba"), (9, "gfedcba")])
def test_a_walk_ends_with_the_budget(budget: int, judged: str) -> None:
    assert walked(budget) == judged


def test_a_burn_in_comes_first_by_best_rank_and_ends_with_the_budget_too() -> None:
    assert walked(burn_in=2).startswith("abed")
    assert walked(2, burn_in=2) == "ab"
    assert walked(5, burn_in=2) == "abedg"
