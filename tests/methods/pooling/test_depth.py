from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sentences import refused
from workbench.core.errors import UnknownName
from workbench.core.ranking import Packed, order_run, pack_rankings
from workbench.formats.runs import read_run
from workbench.methods.pooling import PoolPairs, make_pool

RUN = {"topic_id": pl.String, "document_id": pl.String, "score": pl.Float64}
Pair = tuple[str, str]
Lines = list[tuple[str, str, float]]

run_lines = st.lists(
    st.tuples(st.sampled_from("12"), st.sampled_from("abcdefgh"), st.integers(0, 3).map(float)),
    unique_by=lambda line: line[:2],
)
several_runs = st.lists(run_lines, min_size=1, max_size=4)


def packed(*runs: Lines) -> Packed:
    return pack_rankings([order_run(pl.DataFrame(run, RUN, orient="row")) for run in runs])


def named(joined: Packed, pairs: PoolPairs) -> dict[Pair, tuple[int, int]]:
    """Best rank and number of runs, by topic id and document id."""
    ids = joined.pairs["document_id"].to_list()
    cells = joined.labels.topic_start[pairs.topic] + pairs.document
    keys = [(joined.topic_ids[topic], ids[cell]) for topic, cell in zip(pairs.topic, cells, strict=True)]
    ranks_and_runs = zip(pairs.best_rank.tolist(), pairs.runs.tolist(), strict=True)
    return dict(zip(keys, ranks_and_runs, strict=True))


def pool(*runs: Lines, depth: int, ties: str = "descending") -> dict[Pair, tuple[int, int]]:
    joined = packed(*runs)
    return named(joined, make_pool(joined.rankings, depth=depth, ties=ties))


def test_the_first_documents_of_every_run_are_pooled_once_in_the_order_of_ties() -> None:
    first = [("1", "a", 3.0), ("1", "b", 2.0), ("1", "c", 1.0), ("2", "a", 1.0)]
    second = [("1", "b", 3.0), ("1", "d", 2.0), ("1", "a", 1.0)]
    expected = {("1", "a"): (1, 1), ("1", "b"): (1, 2), ("1", "d"): (2, 1), ("2", "a"): (1, 1)}
    assert pool(first, second, depth=2) == expected
    pairs = make_pool(packed(first, second).rankings, depth=2)
    assert (set(pairs.stratum.tolist()), set(pairs.inclusion_probability.tolist())) == ({1}, {1.0})
    run = [("1", "a", 1.0), ("1", "b", 1.0), ("1", "c", 1.0)]
    assert pool(run, depth=1) == {("1", "c"): (1, 1)}
    assert pool(run, depth=1, ties="ascending") == {("1", "a"): (1, 1)}


@pytest.mark.parametrize("depth", [0, -1])
def test_a_depth_below_one_makes_no_sense(depth: int) -> None:
    with refused(UnknownName):
        make_pool(packed().rankings, depth=depth)


@given(runs=several_runs, depth=st.integers(2, 9), ties=st.sampled_from(["ascending", "descending"]))
def test_a_pool_contains_the_pools_of_smaller_depth(runs: list[Lines], depth: int, ties: str) -> None:
    deeper, smaller = pool(*runs, depth=depth, ties=ties), pool(*runs, depth=depth - 1, ties=ties)
    assert smaller.keys() == {pair for pair, (rank, _) in deeper.items() if rank < depth}
    assert all(deeper[pair][0] == rank for pair, (rank, _) in smaller.items())


@given(runs=several_runs, depth=st.integers(1, 9))
def test_a_pool_is_the_union_of_the_pools_of_its_runs(runs: list[Lines], depth: int) -> None:
    alone = [pool(run, depth=depth) for run in runs]
    expected = {
        pair: (min(one[pair][0] for one in alone if pair in one), sum(pair in one for one in alone))
        for pair in set().union(*alone)
    }
    assert pool(*runs, depth=depth) == expected


def real_runs(folder: Path, pattern: str) -> Packed:
    return pack_rankings([order_run(read_run(file).frame) for file in sorted(folder.glob(pattern))])


@pytest.mark.data
def test_the_sizes_of_a_real_pool_are_known(data_folder: Path) -> None:
    pairs = make_pool(real_runs(data_folder / "robust03" / "runs", "*.gz").rankings, depth=100)
    known = {1: 843, 5: 3270, 10: 6107, 20: 11235, 50: 25951, 100: 49528}
    assert {depth: int(np.sum(pairs.best_rank <= depth)) for depth in known} == known
    assert round(float(np.mean(pairs.runs == 1)), 2) == 0.51


@pytest.mark.data
@pytest.mark.parametrize(
    ("ties", "pooled", "with_manual", "same"),
    [("ascending", 3563, 3717, True), ("descending", 3564, 3718, False)],
)
def test_a_campaigns_own_pool_is_found_again_with_its_order_of_ties(
    data_folder: Path, ties: str, pooled: int, with_manual: int, same: bool
) -> None:
    joined = real_runs(data_folder / "wows" / "runs", "ows-*.gz")
    found = named(joined, make_pool(joined.rankings, depth=11, ties=ties)).keys()
    with (data_folder / "wows" / "manual.csv").open(encoding="utf-8") as file:
        manual = {(row["qid"], row["doc_id"]) for row in csv.DictReader(file)}
    text = (data_folder / "wows" / "judgment-pool.json").read_text(encoding="utf-8")
    theirs = {(topic_id, document) for topic_id, ids in json.loads(text).items() for document in ids}
    assert (len(found), len(found | manual), found | manual == theirs) == (pooled, with_manual, same)
