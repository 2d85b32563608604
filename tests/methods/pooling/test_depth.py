"""Pools to a depth, and the orders in which pairs are viewed."""

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
from workbench.core.records import Pooled
from workbench.formats.runs import read_run
from workbench.methods.pooling import ORDERS, PoolPairs, make_pool, order_pairs

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
def test_the_sizes_of_a_real_pool_are_known(robust03: tuple[list[str], Packed]) -> None:
    pairs = make_pool(robust03[1].rankings, depth=100)
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


PAIRS = [
    Pooled("1", "d10", best_rank=2, runs=1),
    Pooled("1", "d2", best_rank=1, runs=3),
    Pooled("1", "D3", best_rank=2, runs=2),
    Pooled("10", "é", best_rank=5, runs=1),
    Pooled("2", "a", best_rank=9, runs=1),
]
MANY = [Pooled("1", f"d{number}", best_rank=number % 7 + 1, runs=1) for number in range(200)]

every_order = pytest.mark.parametrize("order", ORDERS)


def ids(pairs: list[Pooled]) -> list[str]:
    return [pair.document_id for pair in pairs]


def test_pairs_go_by_ids_by_best_rank_or_by_a_shuffle_that_stays() -> None:
    assert ids(order_pairs(PAIRS, order="document id")) == ["D3", "d10", "d2", "é", "a"]
    assert ids(order_pairs(PAIRS, order="best rank")) == ["d2", "D3", "d10", "é", "a"]
    with pytest.raises(UnknownName, match="there is no viewing order 'shufle'; did you mean shuffle"):
        order_pairs(PAIRS, order="shufle")
    first = order_pairs(MANY, order="shuffle", seed=7, assessor="ann")
    assert first == order_pairs(reversed(MANY), order="shuffle", seed=7, assessor="ann")
    shuffled = order_pairs(MANY[:6], order="shuffle", seed=42, assessor="ann")
    assert ids(shuffled) == ["d5", "d3", "d4", "d2", "d1", "d0"]


@pytest.mark.parametrize(("seed", "assessor"), [(8, "ann"), (7, "bob"), (7, "Ann"), (7, "")])
def test_a_shuffle_is_each_seeds_and_each_assessors_own(seed: int, assessor: str) -> None:
    first = order_pairs(MANY, order="shuffle", seed=7, assessor="ann")
    other = order_pairs(MANY, order="shuffle", seed=seed, assessor=assessor)
    assert sorted(first) == sorted(other)
    assert sum(a != b for a, b in zip(first, other, strict=True)) > 150


def test_a_shuffle_shows_nothing_of_ranks_or_ids() -> None:
    shuffled = order_pairs(MANY, order="shuffle", seed=1, assessor="ann")
    first_half = shuffled[:100]
    assert 3 < sum(pair.best_rank for pair in first_half) / 100 < 5
    assert 30 < sum(pair in MANY[:100] for pair in first_half) < 70


@every_order
@given(kept=st.sets(st.integers(0, 199)), seed=st.integers())
def test_a_pool_that_grows_keeps_the_order_it_had(order: str, kept: set[int], seed: int) -> None:
    before = [MANY[number] for number in sorted(kept)]
    grown = order_pairs(MANY, order=order, seed=seed, assessor="ann")
    assert [pair for pair in grown if pair in before] == order_pairs(
        before, order=order, seed=seed, assessor="ann"
    )


@every_order
def test_topics_stay_together_in_byte_order(order: str) -> None:
    assert [pair.topic_id for pair in order_pairs(PAIRS, order=order)] == ["1", "1", "1", "10", "2"]
