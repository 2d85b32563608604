"""Battles as counts: groups that are connected, runs with finite strengths, and cycles."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from tests.methods.battles.test_davidson import battles, drawn
from workbench.methods.battles.counts import Counts, beaten, cycles, groups, reach


def won(*pairs: str) -> Counts:
    """Battles in which the first run won, or tied where a '=' stands between them: "ab", "a=b"."""
    return battles(
        *((0, ord(p[0]) - 97, ord(p[-1]) - 97, *((0, 0, 1) if "=" in p else (1, 0, 0))) for p in pairs)
    )


def test_runs_that_no_chain_of_battles_connects_are_in_different_groups() -> None:
    found = groups(won("ab", "bc", "de"))
    assert (found[:3] == found[0]).all()
    assert found[3] == found[4] != found[0]


@pytest.mark.parametrize(
    ("pairs", "finite", "above", "below"),
    [
        (["ab", "bc", "ca"], "abc", "", ""),
        (["a=b", "bc", "cb"], "abc", "", ""),
        (["ab", "ba", "ca", "bd"], "ab", "c", "d"),
        (["ab", "ba", "ca", "dc"], "ab", "cd", ""),
        (["ab", "ba", "ca", "cd"], "ab", "c", ""),
        (["ab"], "", "a", "b"),
        (["ab", "bc"], "", "a", "c"),
        (["cd", "dc", "ab", "ba", "ca"], "ab", "cd", ""),
    ],
)
def test_runs_that_never_lost_are_above_and_those_that_never_won_below(
    pairs: list[str], finite: str, above: str, below: str
) -> None:
    names = ["".join(chr(97 + run) for run in np.flatnonzero(each)) for each in reach(won(*pairs))]
    assert names == [finite, above, below]


def test_cycles_are_counted_as_by_hand_and_by_all_triples() -> None:
    assert cycles(won("ab", "bc", "ca")) == (1, 1)
    assert cycles(won("ab", "bc", "ac", "ad", "db", "cd")) == (4, 1)  # b over c, c over d, d over b
    assert cycles(won("ab", "ba", "bc", "ca")) == (0, 0)
    counts = drawn(2, topics=1, runs=7)
    over = beaten(counts) > beaten(counts).T
    triples = [
        t for t in combinations(range(7), 3) if all(over[i, j] or over[j, i] for i, j in combinations(t, 2))
    ]
    cyclic = [t for t in triples if over[np.ix_(t, t)].sum(axis=1).tolist() == [1, 1, 1]]
    assert cycles(counts) == (len(triples), len(cyclic))
    assert cyclic
