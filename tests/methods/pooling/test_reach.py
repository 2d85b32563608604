"""Two ranks and one run for every document answer for pools of all depths."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.ranking import Rankings, order_run, pack_rankings, starts_of
from workbench.methods.pooling import TIES, make_pool
from workbench.methods.pooling.reach import (
    NOWHERE,
    added_by,
    alone_at,
    cell_starts,
    pairs_by_depth,
    pairs_by_topic,
    reach_of,
)

RUN = {"topic_id": pl.String, "document_id": pl.String, "score": pl.Float64}

run_lines = st.lists(
    st.tuples(st.sampled_from("12"), st.sampled_from("abcdefgh"), st.integers(0, 3).map(float)),
    unique_by=lambda line: line[:2],
)
several_runs = st.lists(run_lines, min_size=2, max_size=4)


def rankings_of(*rows: tuple[int, int, list[int]]) -> Rankings:
    """Rankings from (run, topic, documents)."""
    return Rankings(
        starts_of(np.array([len(documents) for _, _, documents in rows], np.int64)),
        np.array([document for _, _, documents in rows for document in documents], np.uint32),
        np.array([run for run, _, _ in rows], np.int32),
        np.array([topic for _, topic, _ in rows], np.int32),
    )


@pytest.fixture
def three_runs() -> Rankings:
    """Topic 0 has four documents, topic 1 two, topic 2 none; run 2 has topic 0 alone."""
    return rankings_of((0, 0, [0, 1, 2]), (0, 1, [0, 1]), (1, 0, [3, 1]), (1, 1, [0]), (2, 0, [3, 0]))


def test_cells_are_counted_topic_by_topic(three_runs: Rankings) -> None:
    assert cell_starts(three_runs, 3).tolist() == [0, 4, 6, 6]
    assert cell_starts(rankings_of(), 2).tolist() == [0, 0, 0]
    assert cell_starts(rankings_of((0, 0, []), (0, 1, [4]), (1, 1, [])), 2).tolist() == [0, 0, 5]


def test_every_document_knows_its_two_best_ranks_and_the_run_that_has_it_first(three_runs: Rankings) -> None:
    reach = reach_of(three_runs, cell_starts(three_runs, 3), [0, 1, 2])
    assert reach.best.tolist() == [1, 2, 3, 1, 1, 2]
    assert reach.second.tolist() == [2, 2, NOWHERE, 1, 1, NOWHERE]
    assert reach.run.tolist() == [0, 0, 0, 1, 0, 0]
    starts = cell_starts(three_runs, 3)
    reach = reach_of(three_runs, starts, [0, 1, 2])
    assert pairs_by_depth(reach.best, 4).tolist() == [0, 3, 5, 6, 6]
    assert pairs_by_topic(reach.best <= 2, starts).tolist() == [3, 2, 0]


@given(several_runs, st.integers(1, 9), st.sampled_from(["descending", "ascending"]))
def test_the_counts_are_those_of_the_pools_themselves(
    runs: list[list[tuple[str, str, float]]], depth: int, ties: str
) -> None:
    joined = pack_rankings([order_run(pl.DataFrame(run, RUN, orient="row")) for run in runs])
    ordered = TIES[ties](joined.rankings)
    starts, everyone = cell_starts(ordered, len(joined.topic_ids)), range(len(runs))
    reach = reach_of(ordered, starts, everyone)

    def size(chosen: list[int]) -> int:
        return len(make_pool(joined.rankings.of_runs(chosen), depth=depth, ties=ties).topic)

    whole = size(list(everyone))
    assert pairs_by_depth(reach.best, depth)[depth] == whole
    without = [[other for other in everyone if other != run] for run in everyone]
    alone = np.bincount(reach.run[alone_at(reach, depth)], minlength=len(runs))
    assert alone.tolist() == [whole - size(others) for others in without]
    for run, others in zip(everyone, without, strict=True):
        less = reach_of(ordered, starts, others)
        assert added_by(ordered, starts, less, [run], depth) == [whole - size(others)]
