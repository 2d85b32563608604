"""Battles as counts, the runs that they connect, and cycles of preferences."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.methods.statistics.arrays import FloatArray, IntArray

BoolArray = NDArray[np.bool_]


class Counts(NamedTuple):
    """Battles of two runs on one topic with the same sides, a row each.

    Attributes:
        runs, topics: how many there are; rows name them by numbers from 0.
        topic, left, right: int64 (rows,), in order of the topics.
        left_wins, right_wins, ties: float64 (rows,); corrected counts may be fractions, and below 0.
    """

    runs: int
    topics: int
    topic: IntArray
    left: IntArray
    right: IntArray
    left_wins: FloatArray
    right_wins: FloatArray
    ties: FloatArray

    @property
    def total(self) -> FloatArray:
        """Battles of each row."""
        return np.asarray(self.left_wins + self.right_wins + self.ties, np.float64)

    def kept(self, rows: BoolArray) -> Counts:
        """These rows alone."""
        places = (self.topic[rows], self.left[rows], self.right[rows])
        return Counts(
            self.runs, self.topics, *places, self.left_wins[rows], self.right_wins[rows], self.ties[rows]
        )

    def among(self, runs: BoolArray) -> Counts:
        """The battles between these runs, which are numbered again in the same order."""
        found = self.kept(runs[self.left] & runs[self.right])
        number = np.cumsum(runs) - 1
        return found._replace(runs=int(runs.sum()), left=number[found.left], right=number[found.right])

    def over_topics(self) -> Counts:
        """The battles of all topics together, as if they were of one."""
        keys, row = np.unique(self.left * self.runs + self.right, return_inverse=True)
        won = [
            np.asarray(np.bincount(row, each, len(keys)), np.float64)
            for each in (self.left_wins, self.right_wins, self.ties)
        ]
        return Counts(self.runs, 1, 0 * keys, keys // self.runs, keys % self.runs, won[0], won[1], won[2])

    def by_topic(self) -> FloatArray:
        """Battles of each run on each topic, float64 (topics, runs)."""
        found = np.zeros((self.topics, self.runs))
        np.add.at(found, (self.topic, self.left), self.total)
        np.add.at(found, (self.topic, self.right), self.total)
        return found


def counts_of(battles: ArrayLike, runs: int) -> Counts:
    """Battles as counts: topic, left run, right run and outcome of each, int64 (n, 4).

    The outcome is 0 where the left run won, 1 where the right one did, and 2 for a tie.
    """
    topic, left, right, outcome = np.asarray(battles, np.int64).T
    keys, row = np.unique((topic * runs + left) * runs + right, return_inverse=True)
    won = [np.bincount(row[outcome == kind], minlength=len(keys)).astype(np.float64) for kind in range(3)]
    topics, number = int(topic.max(initial=-1)) + 1, keys // runs
    return Counts(runs, topics, number // runs, number % runs, keys % runs, won[0], won[1], won[2])


def beaten(counts: Counts) -> FloatArray:
    """How often the run of the row beat that of the column, float64 (runs, runs)."""
    found = np.zeros((counts.runs, counts.runs))
    np.add.at(found, (counts.left, counts.right), counts.left_wins)
    np.add.at(found, (counts.right, counts.left), counts.right_wins)
    return found


def groups(counts: Counts) -> IntArray:
    """For each run the group that battles connect it with, int64 (runs,); strengths compare within a group alone."""
    return _components(_met(counts), "weak")


def _met(counts: Counts) -> BoolArray:
    met = np.zeros((counts.runs, counts.runs), np.bool_)
    met[counts.left, counts.right] = True
    return met


class Reach(NamedTuple):
    """Which runs have finite strengths, bool (runs,); and which are above or below all that do.

    A run that neither is, nor has a finite strength, cannot be compared with those that have.
    """

    finite: BoolArray
    above: BoolArray
    below: BoolArray


def reach(counts: Counts) -> Reach:
    """The largest set of runs of which each is behind none: chains of wins and ties lead from each to each other.

    These alone have finite strengths. A run that beat some of them, itself or by others, and was never beaten nor tied
    on any chain back, is above all of them by more than any number. Where no set has two runs, a run that never lost is
    above, and one that never won below.

    Source: L. R. Ford, American Mathematical Monthly 64 (8), 1957; with ties R. R. Davidson, JASA 65, 1970.
    """
    wins = beaten(counts)
    drawn = np.zeros_like(wins)
    np.add.at(drawn, (counts.left, counts.right), counts.ties)
    over = (wins + drawn + drawn.T) > 0
    part = _components(over, "strong")
    sizes = np.bincount(part)
    if sizes.max() == 1:
        lost, won = (np.asarray(over.any(axis=axis), np.bool_) for axis in (0, 1))
        return Reach(np.zeros(counts.runs, np.bool_), ~lost, ~won)
    finite = part == int(sizes.argmax())
    return Reach(finite, _from(over.T, finite), _from(over, finite))


def _from(over: BoolArray, start: BoolArray) -> BoolArray:
    """The runs that chains lead to from the start, without the start."""
    found = start
    while True:
        more = np.asarray(found | over[found].any(axis=0), np.bool_)
        if (more == found).all():
            return found & ~start
        found = more


def _components(graph: BoolArray, connection: str) -> IntArray:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    return np.asarray(connected_components(csr_array(graph), connection=connection)[1], np.int64)


class Cycles(NamedTuple):
    """Triples of runs of which each pair has a winner by majority.

    Attributes:
        triples: how many there are.
        cyclic: of them those of the form a over b, b over c, c over a.
    """

    triples: int
    cyclic: int


def cycles(counts: Counts) -> Cycles:
    """Count triples by the majority of wins over all topics; a pair with as many wins on both sides has no winner."""
    wins = beaten(counts)
    over = (wins > wins.T).astype(np.float64)
    decided = over + over.T
    triples = np.trace(decided @ decided @ decided) / 6
    return Cycles(round(triples), round(np.trace(over @ over @ over) / 3))
