"""Whether chance decided which pairs are judged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pytest import approx
from scipy.sparse import csr_array

from workbench.analysis.reuse.by_chance import FEWEST_FOR_OTHERS, apart, why_not
from workbench.analysis.reuse.pair_features import Unjudged
from workbench.core.ranking import IntArray
from workbench.methods.statistics.relevance_priors import Features


def pooled(topics: int, waits: Sequence[bool], pool: IntArray | None = None) -> Unjudged:
    """Topics of eight documents at ranks 1 to 8, each from one run; the same of each topic wait."""
    rank = np.tile(np.arange(1, 9), topics)
    own = np.column_stack([np.ones(len(rank)), np.log(rank), np.log(2.0) * np.ones(len(rank))])
    features = Features(own, csr_array((len(rank), 0)))
    return Unjudged(
        np.arange(len(rank)), np.repeat(np.arange(topics), 8), features, np.tile(waits, topics), pool
    )


def test_distances_by_hand() -> None:
    # Two topics with the means 2 and 5; from these -1 and 1, and -2, 0 and 2 away: a deviation of sqrt(10 / 5).
    value = np.array([1.0, 3.0, 3.0, 5.0, 7.0])
    found = apart(value, np.array([0, 0, 1, 1, 1]), np.array([False, True, False, False, True]))
    assert found.judged == approx((-1 - 2 + 0) / 3 / np.sqrt(2))
    assert found.waiting == approx((1 + 2) / 2 / np.sqrt(2))
    # One of two drawn with a variance of 2, and one of three with 4: 2 * 1 * 1 / 2 + 4 * 1 * 2 / 3.
    assert found.errors == approx(3 / np.sqrt(1 + 8 / 3))


def test_where_the_first_ranks_are_judged_it_was_not_chance() -> None:
    first = [False] * 4 + [True] * 4
    assert why_not(pooled(12, first)).startswith(
        "judged pairs have other ranks than those of their topic that"
    )
    assert why_not(pooled(12, first[::-1])).startswith("judged pairs have other ranks")
    balanced = [True, False, False, True, False, True, True, False]
    assert why_not(pooled(12, balanced)) == ""


def test_of_a_draw_it_says_chance() -> None:
    pairs = pooled(60, [True] * 8)
    for seed in range(200):
        drawn = np.random.default_rng(seed).random(len(pairs.cell)) < 0.3
        assert why_not(pairs._replace(waits=drawn)) == ""


def test_topics_judged_whole_differ_in_nothing_from_those_of_which_nothing_is() -> None:
    pairs = pooled(50, [True] * 8)
    assert why_not(pairs._replace(waits=pairs.topic >= 30)) == ""
    assert why_not(pairs._replace(waits=pairs.topic >= 29)) == (
        "nothing is judged of 21 of 50 topics; how runs differ there is drawn only where something is judged of 60% of "
        "the topics, and of 25 at least"
    )
    few = pooled(26, [True] * 8)
    assert why_not(few._replace(waits=few.topic >= FEWEST_FOR_OTHERS)) == ""
    assert why_not(few._replace(waits=few.topic >= FEWEST_FOR_OTHERS - 1)).startswith(
        "nothing is judged of 2 of 26"
    )
    assert why_not(pairs._replace(waits=pairs.topic >= 9)) == "only 9 topics of 10 are judged"


def test_a_pool_that_is_judged_to_the_end_tells_nothing_of_the_next() -> None:
    # Ranks 1 to 3 are a pool of their own, and judged. Of the other pool the second and fourth wait.
    pool = np.tile([1, 1, 1, 2, 2, 2, 2, 2], 60)
    pairs = pooled(60, [False, False, False, False, True, False, True, False], pool)
    assert why_not(pairs).startswith("a pool was judged to the end before the others")
    assert why_not(pairs._replace(waits=pairs.waits | (pairs.cell % 8 == 1))) == ""


def test_a_probe_is_compared_with_what_waits_and_needs_fifty_pairs_of_ten_topics() -> None:
    # Ranks 1 and 2 were judged first; the probe has one more of each topic, or the first ranks that were left.
    before = [False] * 2 + [True] * 6
    pairs = pooled(110, before)
    rank = np.tile(np.arange(1, 9), 110)
    by_chance = rank == 3 + pairs.topic % 6
    first = rank == 3

    def said(probe: NDArray[np.bool_]) -> str:
        return why_not(pairs._replace(waits=pairs.waits & ~probe, probe=probe))

    assert said(by_chance) == ""
    assert said(first) == (
        "the pairs of the probe have other ranks than those of their topic that wait, as chance hardly gives"
    )
    assert said(by_chance & (pairs.topic < 49)) == "the probe has 49 pairs of what was left, and it takes 50"
    assert said(by_chance & (pairs.topic < 50)) == ""
    of_nine = pairs._replace(
        topic=pairs.topic % 9, waits=pairs.waits & ~by_chance, probe=pairs.waits & by_chance
    )
    assert why_not(of_nine) == "the probe has pairs of 9 topics, and it takes 10"


def test_a_tenth_of_the_pairs_has_to_be_judged() -> None:
    pairs = pooled(60, [True] * 8)
    for number, reason in ((47, "less than a tenth of the pairs are judged"), (48, "")):
        drawn = np.random.default_rng(2).permutation(len(pairs.cell))[:number]
        assert why_not(pairs._replace(waits=~np.isin(pairs.cell, drawn))) == reason
