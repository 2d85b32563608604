from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.ranking import (
    POOLED,
    UNJUDGED,
    Labels,
    Packed,
    Rankings,
    line_order,
    order_run,
    pack_rankings,
    reverse_ties,
)

Line = tuple[str, str, float]


def run(*lines: Line) -> pl.DataFrame:
    return pl.DataFrame(
        lines, schema={"topic_id": pl.String, "document_id": pl.String, "score": pl.Float64}, orient="row"
    )


def qrels(*lines: tuple[str, str, int]) -> pl.DataFrame:
    return pl.DataFrame(
        lines, schema={"topic_id": pl.String, "document_id": pl.String, "grade": pl.Int64}, orient="row"
    )


def ordered(*lines: Line) -> list[tuple[str, str]]:
    return order_run(run(*lines)).select("topic_id", "document_id").rows()


def documents_of(packed: Packed, row: int, rankings: Rankings | None = None) -> list[str]:
    """The ids of one row's documents in rank order."""
    chosen = rankings or packed.rankings
    ids = packed.pairs["document_id"].to_list()
    first = packed.labels.topic_start[chosen.topic[row]]
    start, end = chosen.row_start[row : row + 2]
    return [ids[first + number] for number in chosen.document[start:end]]


def row_lists(rankings: Rankings) -> list[tuple[int, int, list[int]]]:
    starts: Sequence[int] = rankings.row_start.tolist()
    numbers = rankings.document.tolist()
    return [
        (int(rankings.topic[row]), int(rankings.run[row]), numbers[starts[row] : starts[row + 1]])
        for row in range(len(rankings))
    ]


# order_run


def test_scores_that_only_doubles_tell_apart_are_not_equal() -> None:
    assert ordered(("1", "b", 16777216.0), ("1", "a", 16777217.0)) == [("1", "a"), ("1", "b")]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["1", "9", "10", "010"]),
            st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=3),
            st.sampled_from([0.0, -0.0, 1.0, -1.5, math.inf]),
        ),
        unique_by=lambda line: line[:2],
    )
)
def test_the_order_is_that_of_a_sort_by_bytes(lines: list[Line]) -> None:
    by_id = sorted(lines, key=lambda line: line[1].encode(), reverse=True)
    by_score = sorted(by_id, key=lambda line: -line[2])
    assert ordered(*lines) == [line[:2] for line in sorted(by_score, key=lambda line: line[0].encode())]


# line_order

SCORES = st.sampled_from([0.0, -0.0, 1.0, 1.5, -1.5, math.inf, -math.inf])
IDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=3)
ANY_RANKING = st.lists(st.tuples(SCORES, IDS), min_size=1, max_size=8, unique_by=lambda line: line[1])
FALLING = ANY_RANKING.map(lambda lines: sorted(lines, key=lambda line: -line[0]))
SOME_RANKINGS = st.lists(FALLING, max_size=4) | st.lists(ANY_RANKING, max_size=4)


def put_in_order(
    rankings: list[list[tuple[float, str]]], as_type: type[np.floating] = np.float64
) -> list[list[tuple[float, str]]]:
    """The rankings with the lines of each as `line_order` says."""
    lines = [line for ranking in rankings for line in ranking]
    starts = np.cumsum([0, *(len(ranking) for ranking in rankings)])
    scores = np.array([score for score, _ in lines], as_type)
    order = line_order(starts, scores, pl.Series([document for _, document in lines], dtype=pl.String))
    places = list(range(len(lines))) if order is None else order.tolist()
    return [[lines[place] for place in places[start:end]] for start, end in pairwise(starts.tolist())]


@given(SOME_RANKINGS)
def test_the_order_of_many_rankings_is_that_of_a_sort_of_each(
    rankings: list[list[tuple[float, str]]],
) -> None:
    by_id = [sorted(ranking, key=lambda line: line[1].encode(), reverse=True) for ranking in rankings]
    assert put_in_order(rankings) == [sorted(ranking, key=lambda line: -line[0]) for ranking in by_id]


def test_scores_that_only_doubles_tell_apart_are_equal_in_single_precision() -> None:
    starts, ids = np.array([0, 2, 3]), pl.Series(["b", "a", "c"])
    assert line_order(starts, np.array([2.0, 1.0, 3.0]), ids) is None, "they are in order"
    ranking = [(16777217.0, "a"), (16777216.0, "b")]
    assert put_in_order([ranking]) == [ranking]
    assert put_in_order([ranking], np.float32) == [ranking[::-1]]


# pack_rankings


def test_runs_and_judgments_are_joined_topic_by_topic() -> None:
    empty = pack_rankings([])
    assert (len(empty.rankings), len(empty.labels), empty.topic_ids) == (0, 0, [])
    packed = pack_rankings(
        [order_run(run(("2", "b", 2.0), ("2", "a", 1.0), ("1", "a", 5.0))), run(("2", "c", 1.0))],
        qrels(("2", "a", 1), ("2", "d", -2), ("3", "x", 0)),
    )
    assert packed.topic_ids == ["1", "2", "3"]
    assert packed.pairs.rows() == [("1", "a"), ("2", "a"), ("2", "b"), ("2", "c"), ("2", "d"), ("3", "x")]
    assert packed.labels.topic_start.tolist() == [0, 1, 5, 6]
    assert packed.labels.label.tolist() == [UNJUDGED, 1, UNJUDGED, UNJUDGED, -2, 0]
    assert row_lists(packed.rankings) == [(0, 0, [0]), (1, 0, [1, 0]), (1, 1, [2])]
    assert packed.rankings.score is not None
    assert packed.rankings.score.tolist() == [5.0, 2.0, 1.0, 1.0]


def test_packed_arrays_are_compact() -> None:
    rankings, labels = pack_rankings([run(("1", "a", 1.0))], qrels(("1", "a", 1)))[:2]
    arrays = (rankings.row_start, rankings.document, rankings.run, rankings.topic, labels.label)
    assert [array.dtype.name for array in arrays] == ["int64", "uint32", "int32", "int32", "int16"]


# Rankings


def some_rankings() -> Rankings:
    """Three runs, two topics; run 1 lacks topic 0."""
    return Rankings(
        row_start=np.array([0, 2, 5, 6, 8, 8], np.int64),
        document=np.array([1, 0, 4, 2, 3, 7, 5, 6], np.uint32),
        run=np.array([0, 0, 1, 2, 2], np.int32),
        topic=np.array([0, 1, 1, 0, 1], np.int32),
        score=np.array([2, 1, 3, 2, 1, 9, 8, 7], np.float64),
    )


def test_rows_are_selected_by_number_topic_run_and_depth() -> None:
    chosen = some_rankings().select(np.array([3, 0]))
    assert row_lists(chosen) == [(0, 2, [5, 6]), (0, 0, [1, 0])]
    assert chosen.score is not None
    assert chosen.score.tolist() == [8, 7, 2, 1]
    assert row_lists(some_rankings().of_topic(1)) == [(1, 0, [4, 2, 3]), (1, 1, [7]), (1, 2, [])]
    assert row_lists(some_rankings().of_runs([1, 2])) == [(1, 1, [7]), (0, 2, [5, 6]), (1, 2, [])]
    assert [row for *_, row in row_lists(some_rankings().to_depth(2))] == [[1, 0], [4, 2], [7], [5, 6], []]
    assert row_lists(some_rankings().to_depth(10**30)) == row_lists(some_rankings())
    rankings = some_rankings()
    chosen = rankings.rows_between(1, 3)
    assert row_lists(chosen) == [(1, 0, [4, 2, 3]), (1, 1, [7])]
    assert np.shares_memory(chosen.document, rankings.document)
    assert row_lists(some_rankings().as_grid(n_topics=3, n_runs=3)) == [
        *((0, run, row) for run, row in enumerate([[1, 0], [], [5, 6]])),
        *((1, run, row) for run, row in enumerate([[4, 2, 3], [7], []])),
        *((2, run, []) for run in range(3)),
    ]


# reverse_ties


def test_equal_scores_are_turned_round_within_their_row_only() -> None:
    first = order_run(run(*(("1", document, 1.0) for document in "abc"), ("1", "d", 2.0), ("2", "e", 1.0)))
    second = order_run(run(("1", "x", 1.0), ("1", "y", 1.0), ("1", "z", 0.5)))
    packed = pack_rankings([first, second])
    turned = reverse_ties(packed.rankings)
    assert [documents_of(packed, row) for row in range(3)] == [list("dcba"), ["e"], list("yxz")]
    assert [documents_of(packed, row, turned) for row in range(3)] == [list("dabc"), ["e"], list("xyz")]


def test_turning_ties_twice_changes_nothing() -> None:
    scores = (-0.0, 0.0, 1.0, 2.0)
    rankings = pack_rankings([order_run(run(*(("1", str(n), scores[n % 4]) for n in range(20))))]).rankings
    assert reverse_ties(rankings).document.tolist() != rankings.document.tolist()
    again = reverse_ties(reverse_ties(rankings))
    assert again.document.tolist() == rankings.document.tolist()
    grid = some_rankings().as_grid(4, 4)
    assert row_lists(reverse_ties(grid)) == row_lists(grid), "rows without documents"


def test_ties_cannot_be_turned_without_scores() -> None:
    rankings = Rankings(
        np.array([0, 1], np.int64), np.zeros(1, np.uint32), np.zeros(1, np.int32), np.zeros(1, np.int32)
    )
    with pytest.raises(ValueError, match="without scores"):
        reverse_ties(rankings)


# Labels


def test_a_topic_is_judged_when_any_of_its_documents_has_a_grade() -> None:
    labels = Labels(
        np.array([0, 2, 4, 4, 6], np.int64), np.array([UNJUDGED, 0, POOLED, UNJUDGED, -2, POOLED], np.int16)
    )
    assert labels.judged_topics().tolist() == [True, False, False, True]
    assert labels.num_judged().tolist() == [1, 0, 0, 1]


def test_labels_of_a_topic_share_memory_with_those_of_all() -> None:
    labels = Labels(np.array([0, 2, 3], np.int64), np.array([1, 2, 3], np.int16))
    labels.of_topic(1).label[0] = 9
    assert labels.label.tolist() == [1, 2, 9]
