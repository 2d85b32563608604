from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from tests.sentences import says
from workbench.formats.rank_column import RankColumn, contradicting_pairs, plainly_in_order, topic_numbers
from workbench.formats.text.lines import Layout

FOLLOWS = "the order comes from the scores"


def warned(*rows: tuple[str, str, str, float]) -> list[str]:
    """The warnings about rows of topic, document, rank, score."""
    topic_ids, document_ids, ranks = (pl.Series([row[number] for row in rows]) for number in range(3))
    scores = np.array([row[3] for row in rows])
    column = RankColumn("a.run", topic_ids, document_ids, ranks, scores, Layout())
    return [str(warning) for warning in column.warnings()]


def test_ranks_that_follow_the_scores_are_not_remarked_on() -> None:
    assert warned(("1", "a", "1", 3.0), ("1", "b", "2", 2.0), ("2", "a", "1", 9.0)) == []


def test_the_order_of_the_lines_does_not_matter() -> None:
    assert warned(("1", "b", "2", 2.0), ("2", "a", "1", 9.0), ("1", "a", "1", 3.0)) == []


def test_equal_scores_may_have_any_ranks() -> None:
    assert warned(("1", "a", "2", 3.0), ("1", "b", "1", 3.0), ("1", "c", "3", 2.0)) == []


def test_a_contradiction_is_reported_once_with_both_documents() -> None:
    rows = (
        ("1", "a", "1", 3.0),
        ("2", "x", "1", 1.0),
        ("2", "y", "2", 2.0),
        ("3", "x", "1", 1.0),
        ("3", "y", "2", 2.0),
    )
    assert says("\n".join(warned(*rows)))


def test_a_contradiction_hidden_behind_equal_scores_is_found() -> None:
    rows = ("1", "a", "1", 5.0), ("1", "b", "7", 4.0), ("1", "c", "2", 4.0), ("1", "d", "5", 3.0)
    [warning] = warned(*rows)
    assert says(warning, "b", "d")


def test_equal_ranks_of_different_scores_are_distinguished_from_a_contradiction() -> None:
    [warning] = warned(("1", "a", "1", 3.0), ("1", "b", "1", 2.0))
    assert says(warning, "a.run:2")


def test_ranks_from_zero_are_reported_once() -> None:
    rows = ("1", "a", "0", 3.0), ("1", "b", "1", 2.0), ("2", "a", "0", 3.0)
    assert says("\n".join(warned(*rows)))


def test_ranks_that_are_no_numbers_are_reported_once() -> None:
    assert says("\n".join(warned(("1", "a", "1", 3.0), ("1", "b", "B", 2.0), ("1", "c", "2.5", 1.0))))


def test_ranks_may_start_anywhere_and_leave_gaps() -> None:
    assert warned(("1", "a", "2", 3.0), ("1", "b", "70", 2.0)) == []


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


def test_ranks_of_another_topic_are_not_compared() -> None:
    rows = ("1", "a", "5", 3.0), ("1", "b", "6", 2.0), ("2", "a", "1", 1.0), ("3", "a", "1", 1.0)
    assert warned(*rows) == []
    assert warned(rows[3], rows[1], rows[2], rows[0]) == []
