from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sentences import says
from workbench.formats.rank_column import RankColumn, contradicting_pairs, plainly_in_order, topic_numbers
from workbench.formats.text.lines import Layout


def warned(rows: str) -> list[str]:
    """The warnings about rows of topic, document, rank, score."""
    topic_ids, document_ids, ranks, scores = zip(*(row.split() for row in rows.split(", ")), strict=True)
    found = np.array([float(score) for score in scores])
    column = RankColumn(
        "a.run", pl.Series(topic_ids), pl.Series(document_ids), pl.Series(ranks), found, Layout()
    )
    return [str(warning) for warning in column.warnings()]


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ("1 a 1 3, 2 x 1 1, 2 y 2 2, 3 x 1 1, 3 y 2 2", 3),  # a contradiction, in two topics
        ("1 a 1 5, 1 b 7 4, 1 c 2 4, 1 d 5 3", 4),  # and one behind equal scores
        ("1 a 1 3, 1 b 1 2", 2),  # one rank for two scores
        ("1 a 0 3, 1 b 1 2, 2 a 0 3", 1),  # from zero
        ("1 a 1 3, 1 b B 2, 1 c 2.5 1", 2),  # no numbers
    ],
)
def test_ranks_that_do_not_are_reported_once(rows: str, line: int) -> None:
    (warning,) = warned(rows)
    assert says(warning, f"a.run:{line}: ")


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=12))
def test_rows_have_the_same_number_exactly_when_they_have_the_same_topic(topics: list[str]) -> None:
    numbers = topic_numbers(pl.Series(topics)).tolist()
    pairs = [(one, other) for one in range(len(topics)) for other in range(len(topics))]
    assert all((numbers[one] == numbers[other]) == (topics[one] == topics[other]) for one, other in pairs)


ROWS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 4), st.sampled_from([0.0, 1.0, 2.0])), min_size=1, max_size=9
)


@given(ROWS)
def test_contradictions_are_found_exactly_where_two_rows_disagree(rows: list[tuple[int, int, float]]) -> None:
    topics, ranks = (np.array([row[column] for row in rows]) for column in (0, 1))
    scores = np.array([row[2] for row in rows])
    above, below = contradicting_pairs(topics, ranks, scores)
    wrong = {
        one[0]
        for one in rows
        for other in rows
        if one[0] == other[0] and one[2] > other[2] and one[1] >= other[1]
    }
    assert set(topics[below].tolist()) == wrong
    assert bool(np.all(scores[above] > scores[below]) and np.all(ranks[above] >= ranks[below]))
    numbers = topic_numbers(pl.Series([str(topic) for topic in topics]))
    if plainly_in_order(numbers, ranks, scores):
        assert not wrong


@given(ROWS)
def test_a_file_in_the_usual_order_is_plainly_in_order_unless_its_ranks_contradict(
    rows: list[tuple[int, int, float]],
) -> None:
    rows = sorted(rows, key=lambda row: (row[0], -row[2]))
    topics, ranks = (np.array([row[column] for row in rows]) for column in (0, 1))
    scores = np.array([row[2] for row in rows])
    assert plainly_in_order(topics, ranks, scores) == (not len(contradicting_pairs(topics, ranks, scores)[0]))
