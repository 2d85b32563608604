"""A pool does not depend on the order in which runs were added: sums are the same, and ties go by document id."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.at_length import at_length
from workbench.core.ranking import Names, Rankings, starts_of
from workbench.methods.pooling import STRATEGIES, make_pool
from workbench.methods.pooling.adaptive import adaptive_sequence
from workbench.methods.pooling.strategies.fused import rank_biased_contribution, reciprocal_rank_fusion
from workbench.methods.pooling.topic_table import table_of

BY_LINE = {"mtf", "thompson", "maxmean", "cal"}
"""They draw a number for each line of the table, or need texts."""
CASES: list[tuple[str, dict[str, Any]]] = [
    *(
        (name, {"depth": 4, "budget": 3})
        for name, one in STRATEGIES.items()
        if one.kind == "static" and one.order
    ),
    *((name, {"depth": 4, "budget": 3}) for name in ("depth", "sequential-pps")),
    ("sequential-pps", {"depth": 4, "measure": "DCG@4", "budget": 2, "seed": 7}),
]
ADAPTIVE = [name for name, one in STRATEGIES.items() if one.kind == "adaptive" and name not in BY_LINE]
runs_of_one_topic = st.lists(
    st.lists(st.sampled_from("abcdefg"), unique=True, min_size=1, max_size=5), min_size=2, max_size=6
)


def rankings_of(runs: list[str] | list[list[str]]) -> Rankings:
    """Runs of one topic as a campaign has them: documents are numbered as they come."""
    number: dict[str, int] = {}
    document = np.array([number.setdefault(each, len(number)) for run in runs for each in run], np.uint32)
    start, rows = starts_of(np.array([len(run) for run in runs])), np.arange(len(runs), dtype=np.int32)
    score = np.array([1 / (3 + at) for run in runs for at in range(len(run))])
    names = Names(["1"], {"1": list(number)}, [f"r{row}" for row in rows])
    return Rankings(start, document, rows, np.zeros(len(runs), np.int32), score, names)


def pooled(runs: list[list[str]], name: str, parameters: dict[str, Any]) -> set[tuple[object, ...]]:
    rankings = rankings_of(runs)
    assert rankings.names is not None
    ids = rankings.names.document_ids["1"]
    pairs = make_pool(rankings, strategy=name, **parameters)
    return {(ids[row[1]], *row[2:]) for row in zip(*(column.tolist() for column in pairs), strict=True)}


def test_of_equal_sums_the_lower_id_is_first_whatever_comes_first() -> None:
    runs = [["a"], ["a"], ["b"], ["c", "b"], ["b", "a"]]
    for order in permutations(runs):
        assert {row[0] for row in pooled(list(order), "rrf", {"depth": 2, "budget": 1})} == {"a"}


@pytest.mark.parametrize(("name", "parameters"), CASES, ids=str)
@settings(max_examples=at_length(300, 25))
@given(runs=runs_of_one_topic, data=st.data())
def test_a_pool_is_the_same_in_any_order_of_the_runs(
    name: str, parameters: dict[str, Any], runs: list[list[str]], data: st.DataObject
) -> None:
    given_budget = {
        **parameters,
        "budget": min(parameters["budget"], len({each for run in runs for each in run[:4]})),
    }
    assert pooled(runs, name, given_budget) == pooled(data.draw(st.permutations(runs)), name, given_budget)


@pytest.mark.parametrize("name", ADAPTIVE)
@settings(max_examples=at_length(300, 25))
@given(runs=runs_of_one_topic, relevant=st.sets(st.sampled_from("abcdefg")), data=st.data())
def test_an_adaptive_order_is_the_same_in_any_order_of_the_runs(
    name: str, runs: list[list[str]], relevant: set[str], data: st.DataObject
) -> None:
    found = []
    for each in (runs, data.draw(st.permutations(runs))):
        table = table_of(rankings_of(each), depth=4)
        labels = np.array([one in relevant for one in table.document_id])
        sequence = adaptive_sequence(STRATEGIES[name].order, table, labels)
        found.append([table.document_id[place] for place in sequence.tolist()])
    assert found[0] == found[1]


@settings(max_examples=at_length(300, 50))
@given(runs=runs_of_one_topic, k=st.sampled_from([0.0, 1.0, 60.0, 0.1]), p=st.sampled_from([0.5, 0.8, 0.95]))
def test_sums_are_those_of_fractions(runs: list[list[str]], k: float, p: float) -> None:
    table = table_of(rankings_of(runs))
    ranks = [[int(rank) for rank in column if rank] for column in table.rank.T]
    share, exact_p = Fraction(str(k)), Fraction(str(p))
    reciprocal = [float(sum(1 / (share + rank) for rank in of_document)) for of_document in ranks]
    assert reciprocal_rank_fusion(table, k=k).tolist() == reciprocal
    weights = [float(sum((1 - exact_p) * exact_p ** (rank - 1) for rank in one)) for one in ranks]
    assert rank_biased_contribution(table, p=p).tolist() == weights
