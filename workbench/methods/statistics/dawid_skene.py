"""One label of several assessors: by simple rules, or by the model of Dawid and Skene, who err in their own ways.

In the model an item has a true category, and each assessor a table of how often they say each category when another is
true. Both are found together, by expectation and maximisation (EM).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from workbench.core.errors import WorkbenchError
from workbench.methods.statistics.arrays import FloatArray
from workbench.methods.statistics.ratings import MISSING, IntArray, counts_of, table_of

FEWEST_LABELS = 3
"""With two labels that differ nothing says who is right."""

SMOOTHING = 1.0
"""Labels that each category, and each cell of an assessor's table, is given beforehand; the diagonal has one more."""

TOLERANCE = 1e-6
MOST_ROUNDS = 1000


class TooFewLabels(WorkbenchError):
    """Some item has too few labels for the model; the message says how many items, and what to do."""


class DawidSkene(NamedTuple):
    """What the model says of N items, R assessors and k categories.

    Attributes:
        posterior: float64 (N, k). How probable each category is for each item.
        shares: float64 (k,). The share of each category.
        confusion: float64 (R, k, k). How often an assessor says the column's category when the row's is true.
        log_posterior: the logarithm of the likelihood and the prior after each round; it never falls.
    """

    posterior: FloatArray
    shares: FloatArray
    confusion: FloatArray
    log_posterior: tuple[float, ...]

    @property
    def labels(self) -> IntArray:
        """The most probable category of each item, the lowest of those equal up to rounding, int64 (N,)."""
        return np.asarray(self.posterior.round(9).argmax(axis=1), np.int64)


def dawid_skene(labels: ArrayLike, categories: int, *, most_rounds: int = MOST_ROUNDS) -> DawidSkene:
    """Find true categories and assessors' tables together, from the votes.

    Each round takes the expected numbers of labels with SMOOTHING added, which is the mean of the posterior under a
    flat Dirichlet prior for the categories and one with 1, and 2 on the diagonal, for the rows of the tables; it also
    makes every round climb (the mode under priors one larger). There is no chance in it. Rounds end when the log
    posterior grows by less than TOLERANCE, or after `most_rounds`.

    Labels are integers (items, assessors): numbers of categories from 0, or MISSING. ValueError for one that is no
    category, TooFewLabels for an item with fewer than FEWEST_LABELS of them.

    Source: A. P. Dawid and A. M. Skene, Applied Statistics 28, 1979.
    """
    table = table_of(labels, categories)
    refuse_few(int(((table != MISSING).sum(axis=1) < FEWEST_LABELS).sum()), len(table))
    votes = counts_of(table, categories).astype(np.float64)
    posterior, path = votes / votes.sum(axis=1, keepdims=True), list[float]()
    while len(path) < most_rounds and (len(path) < 2 or path[-1] - path[-2] >= TOLERANCE):
        shares, tables = _maximise(posterior, table)
        posterior, reached = _expect(shares, tables, table)
        prior = SMOOTHING * np.log(shares).sum() + (_smoothing(categories) * np.log(tables)).sum()
        path.append(reached + float(prior))
    return DawidSkene(posterior, shares, tables, tuple(path))


def refuse_few(lacking: int, items: int) -> None:
    """Raise TooFewLabels unless there are items, and none of them lacks labels."""
    if not items or lacking:
        what = f"{lacking:,} of {items:,} have fewer" if lacking else "there are none"
        raise TooFewLabels(
            f"Dawid-Skene needs at least {FEWEST_LABELS} labels for every pair, and {what}: with fewer nothing says "
            "who is right; have these judged again, or take another rule"
        )


def _maximise(posterior: FloatArray, table: IntArray) -> tuple[FloatArray, FloatArray]:
    """Shares (k,) and tables (R, k, k) by how probable each category is for each item."""
    k = posterior.shape[1]
    number = np.broadcast_to(_smoothing(k), (table.shape[1], k, k)).copy()
    for assessor, said in enumerate(table.T):
        for category in range(k):
            number[assessor, :, category] += posterior[said == category].sum(axis=0)
    shares = posterior.sum(axis=0) + SMOOTHING
    return shares / shares.sum(), number / number.sum(axis=2, keepdims=True)


def _expect(shares: FloatArray, tables: FloatArray, table: IntArray) -> tuple[FloatArray, float]:
    """How probable each category is for each item, and the log likelihood of all labels."""
    logs = np.repeat(np.log(shares)[None, :], len(table), axis=0)
    for assessor, said in enumerate(table.T):
        rows = np.flatnonzero(said != MISSING)
        logs[rows] += np.log(tables[assessor][:, said[rows]].T)
    highest = logs.max(axis=1, keepdims=True)
    likely = np.exp(logs - highest)
    whole = likely.sum(axis=1, keepdims=True)
    return likely / whole, float((highest + np.log(whole)).sum())


def _smoothing(categories: int) -> FloatArray:
    return np.asarray(SMOOTHING + np.eye(categories), np.float64)
