"""The lists of pages that compare runs: topics with scores and differences, and pairs with p-values."""

from __future__ import annotations

import numpy as np
import pytest
from werkzeug.datastructures import MultiDict

from tests.web.analysis.test_compare_words import scored
from workbench.analysis.comparing.all_pairs import AllPairs
from workbench.analysis.comparing.runs import compare
from workbench.methods.measures import parse_measure
from workbench.web.analysis.compare_words import PairRow, pair_rows, pairs_list, topics_list

P_VALUES = np.array([[1.0, 0.05, 0.01], [0.05, 1.0, 0.3], [0.01, 0.3, 1.0]])
PAIRS = AllPairs(
    seq=9,
    measure=parse_measure("AP"),
    topics=1,
    tags=("run10", "run9", "base"),
    values=np.array([[0.75, 0.5, 0.125]]),
    means=np.array([0.75, 0.5, 0.125]),
    randomised_tukey=P_VALUES,
    baseline=None,
    max_t=None,
    alpha=0.05,
    seed=1,
    permutations=100,
)
ROWS = [
    PairRow("run10", "run9", 0.25, 0.05),
    PairRow("run10", "base", 0.625, 0.01),
    PairRow("run9", "base", 0.375, 0.3),
]


def test_every_pair_stands_there_once_with_the_better_run_first() -> None:
    assert pair_rows(PAIRS, P_VALUES) == ROWS


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ({}, [0, 1, 2]),
        ({"pair-state": "differ"}, [0, 1]),
        ({"pair-state": "level"}, [2]),
        ({"pair-q": "RUN9 base"}, [2]),
        ({"pair-sort": "ahead"}, [2, 0, 1]),
        ({"pair-sort": "-behind"}, [0, 1, 2]),
        ({"pair-sort": "-difference"}, [1, 2, 0]),
        ({"pair-sort": "p"}, [1, 0, 2]),
    ],
)
def test_pairs_are_filtered_searched_and_sorted(address: dict[str, str], found: list[int]) -> None:
    assert pairs_list(PAIRS).matching(ROWS, MultiDict(address)) == [ROWS[place] for place in found]


def test_a_pair_is_named_by_both_of_its_runs() -> None:
    assert pairs_list(PAIRS).ident(ROWS[0]) == "run10\nrun9"


def test_topics_have_a_column_for_each_run_and_for_each_difference_from_the_first() -> None:
    listing = topics_list(
        compare(scored("AP", base=[0.5, 0.2, 0, 0], run=[0.25, 0.5, 0, 0]), permutations=10)
    )
    rows = [("10", (0.5, 0.25), (-0.25,)), ("9", (0.2, 0.5), (0.3,))]
    assert [(each.word, each.title) for each in listing.columns] == [
        ("id", "Topic"),
        ("score0", "base"),
        ("score1", "run"),
        ("difference0", "Difference of run"),
    ]
    assert [[each.key(row) for each in listing.columns[1:]] for row in rows] == [
        [0.5, 0.25, -0.25],
        [0.2, 0.5, 0.3],
    ]
    assert listing.matching(rows, MultiDict({"topic-sort": "id"})) == rows[::-1]
    assert listing.matching(rows, MultiDict({"topic-q": "10"})) == rows[:1]
    assert listing.ident(rows[1]) == "9"
