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
        won: wins of the left run, of the right one, and ties, float64 (rows, 3); corrected counts may be fractions, and
            below 0.
    """

    runs: int
    topics: int
    topic: IntArray
    left: IntArray
    right: IntArray
    won: FloatArray

    def among(self, runs: BoolArray) -> Counts:
        """The battles between these runs, which are numbered again in the same order."""
        return self._of(runs[self.left] & runs[self.right], np.flatnonzero(runs))

    def of_topic(self, topic: int) -> tuple[Counts, IntArray]:
        """The battles of a topic between its own runs, which are numbered again; and which they are, int64 (runs,)."""
        rows = slice(*np.searchsorted(self.topic, (topic, topic + 1)))
        runs = np.union1d(self.left[rows], self.right[rows])
        return self._of(rows, runs), runs

    def _of(self, rows: BoolArray | slice, runs: IntArray) -> Counts:
        left, right = (np.searchsorted(runs, side[rows]) for side in (self.left, self.right))
        return self._replace(
            runs=len(runs), topic=self.topic[rows], left=left, right=right, won=self.won[rows]
        )

    def over_topics(self) -> Counts:
        """The battles of all topics together, as if they were of one."""
        keys, row = np.unique(self.left * self.runs + self.right, return_inverse=True)
        won = np.zeros((len(keys), 3))
        np.add.at(won, row, self.won)
        return Counts(self.runs, 1, 0 * keys, *np.divmod(keys, self.runs), won)

    def by_topic(self) -> FloatArray:
        """Battles of each run on each topic, float64 (topics, runs)."""
        found = np.zeros((self.topics, self.runs))
        for side in (self.left, self.right):
            np.add.at(found, (self.topic, side), self.won.sum(axis=1))
        return found


def tally(place: IntArray, outcome: IntArray, places: int) -> FloatArray:
    """How often each of three outcomes is in each of a number of places, float64 (places, 3)."""
    return np.bincount(place * 3 + outcome, minlength=3 * places).reshape(-1, 3).astype(np.float64)


def counts_of(battles: ArrayLike, runs: int) -> Counts:
    """Battles as counts: topic, left run, right run and outcome of each, int64 (n, 4).

    The outcome is 0 where the left run won, 1 where the right one did, and 2 for a tie.
    """
    topic, left, right, outcome = np.asarray(battles, np.int64).reshape(-1, 4).T
    keys, row = np.unique((topic * runs + left) * runs + right, return_inverse=True)
    topics, (number, right) = int(topic.max(initial=-1)) + 1, np.divmod(keys, runs)
    return Counts(runs, topics, *np.divmod(number, runs), right, tally(row, outcome, len(keys)))


def beaten(counts: Counts) -> FloatArray:
    """How often the run of the row beat that of the column, float64 (runs, runs)."""
    return _table(counts, 0) + _table(counts, 1).T


def _table(counts: Counts, outcome: int) -> FloatArray:
    """How often battles of the row's run, on the left, and the column's had this outcome."""
    found = np.zeros((counts.runs, counts.runs))
    np.add.at(found, (counts.left, counts.right), counts.won[:, outcome])
    return found


def groups(counts: Counts) -> IntArray:
    """The first run of the group that battles connect each run with, int64 (runs,); strengths compare within a group
    alone.
    """
    met = np.zeros((counts.runs, counts.runs), np.bool_)
    met[counts.left, counts.right] = met[counts.right, counts.left] = True
    return np.asarray(_chains(met).argmax(axis=1), np.int64)


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
    above, and one that never won below. Of several largest sets it is that of the first run.

    Source: L. R. Ford, American Mathematical Monthly 64 (8), 1957; with ties R. R. Davidson, JASA 65, 1970.
    """
    drawn = _table(counts, 2)
    over = (beaten(counts) + drawn + drawn.T) > 0
    chains = _chains(over)
    first = (chains & chains.T).argmax(axis=1)
    sizes = np.bincount(first)
    if sizes.max() == 1:
        lost, won = (np.asarray(over.any(axis=axis), np.bool_) for axis in (0, 1))
        return Reach(np.zeros_like(lost), ~lost, ~won)
    finite = np.asarray(first == sizes.argmax(), np.bool_)
    return Reach(finite, chains[:, finite].any(axis=1) & ~finite, chains[finite].any(axis=0) & ~finite)


def _chains(over: BoolArray) -> BoolArray:
    """Whether a chain leads from the run of the row to that of the column, as one does to itself."""
    found = over | np.eye(len(over), dtype=np.bool_)
    while True:
        each = found.astype(np.float32)
        longer = np.asarray(each @ each > 0, np.bool_)
        if (longer == found).all():
            return found
        found = longer


def cycles(counts: Counts) -> tuple[int, int]:
    """Triples of runs of which each pair has a winner by the majority of wins over all topics, and how many of them are
    of the form a over b, b over c, c over a; a pair with as many wins on both sides has no winner.
    """
    wins = beaten(counts)
    over = (wins > wins.T).astype(np.float64)
    decided = over + over.T
    triples = np.trace(decided @ decided @ decided) / 6
    return round(triples), round(np.trace(over @ over @ over) / 3)
