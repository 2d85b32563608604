"""All pairs of runs at once, or all runs against a baseline, with the family-wise rate of false positives held.

Values are scores of topics by runs, float64 (topics, runs). Results for pairs are symmetric matrices (runs, runs)
with 1 on the diagonal. The tests take topics as paired: every run is measured on the same ones. Tukey's test as
libraries have it (`scipy.stats.tukey_hsd`) compares independent groups, and finds next to nothing here.
"""

from __future__ import annotations

import math
import string
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from workbench.methods.statistics.arrays import (
    NOISE,
    FloatArray,
    Progress,
    Signs,
    levels,
    signs_of,
    topics_by_runs,
)
from workbench.methods.statistics.shuffles import Shuffling, blocks, one_by_one, signs

ROUNDS_AT_A_TIME = 256

STEPS = (1_000, 2_000, 5_000, 10_000)
PAIRS_IN_ALL = 200_000_000
"""This many pairs are looked at in all rounds together: 10,000 rounds up to 200 runs."""

LOST = 1e-9
"""Sums of differences lose digits to each other: by such a share two squares may differ and be the same."""

ALPHA = 0.05
"""Up to this p-value two runs differ significantly."""

NAMES = string.ascii_lowercase + string.ascii_uppercase


def pairwise_t(values: ArrayLike) -> FloatArray:
    """p-values of the paired t-test for every pair, not corrected for their number.

    Pairs whose difference is the same on every topic, or that have fewer than two topics, get 1: nothing is claimed.
    """
    from scipy.special import stdtr

    table = topics_by_runs(values)
    topics, runs = table.shape
    p = np.ones((runs, runs))
    if topics < 2:
        return p
    for run in range(runs):
        d = table - table[:, [run]]
        spread = np.ptp(d, axis=0) > NOISE
        sd = np.where(spread, d.std(axis=0, ddof=1), 1.0)
        t = d.mean(axis=0) / (sd / math.sqrt(topics))
        p[run] = np.where(spread, 2 * stdtr(topics - 1, -np.abs(t)), 1.0)
    return np.maximum(p, p.T)


class Kept(NamedTuple):
    """What becomes of the pairs of runs that differ significantly by the truth.

    Attributes:
        kept: they differ significantly by the judge as well, in the same direction.
        lost: by the judge they do not.
        reversed: by the judge they do, in the other direction.
        added: pairs that differ by the judge alone.
    """

    kept: int
    lost: int
    reversed: int
    added: int


def significant_pairs(p: FloatArray, merits: FloatArray) -> Signs:
    """Of pairs as of `of_pairs`: 1 where p is at most ALPHA and the first run is better, -1 the second, else 0."""
    return np.where(p <= ALPHA, signs_of(of_pairs(merits[:, None] - merits)), 0)


def kept_of(truth: Signs, judge: Signs) -> Kept:
    """What becomes of pairs, both as of `significant_pairs`."""
    both = truth * judge
    parts = both > 0, (truth != 0) & (judge == 0), both < 0, (truth == 0) & (judge != 0)
    return Kept(*(int(each.sum()) for each in parts))


def residual_variance(values: ArrayLike) -> float | None:
    """The mean square of scores after topic means and run means are taken away; None with one topic or run.

    Half of the variance of a difference between two runs, if all runs vary alike.
    """
    table = topics_by_runs(values)
    topics, runs = table.shape
    if topics < 2 or runs < 2:
        return None
    rest = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0) + table.mean()
    return float((rest**2).sum() / ((topics - 1) * (runs - 1)))


def randomised_tukey(
    values: ArrayLike,
    *,
    permutations: int = 10_000,
    rng: np.random.Generator,
    progress: Progress | None = None,
    shuffling: Shuffling = one_by_one,
) -> FloatArray:
    """Randomised Tukey HSD, p-values of all pairs: if runs did not differ, their scores on a topic could be exchanged.

    In each of B rounds the scores of every topic are shuffled over the runs, and the largest difference of two means is
    kept; p = (c + 1) / (B + 1), where c of these are at least as large as the difference of the pair. Nothing is
    assumed about distributions. B is `permutations`; the numbers are the same whatever does the rounds.

    Source: B. Carterette, ACM Transactions on Information Systems 30, 2012; T. Sakai, Laboratory Experiments in
    Information Retrieval, 2018.
    """
    table = topics_by_runs(values)
    ranges = shuffling(table, blocks(permutations, table.size, rng), progress)
    means = table.mean(axis=0) if len(table) else np.zeros(table.shape[1])
    differences = np.abs(means[:, None] - means[None, :])
    return _share_reaching(np.sort(ranges), differences)


def max_t_of_pairs(values: ArrayLike, *, permutations: int = 10_000, rng: np.random.Generator) -> FloatArray:
    """All pairs of runs by the largest |t| that chance gives among them, p-values float64 (runs, runs).

    In each of B rounds every topic's differences keep or change their sign together, for all pairs; p = (c + 1) /
    (B + 1), where in c rounds the largest |t| over all pairs is at least that of the pair. All assignments of signs are
    looked at if there are no more than `permutations`.

    The chance that any pair of equal runs is found to differ is held (equal are runs whose differences on a topic are
    symmetric about 0; equal means alone are not enough), whatever the other runs do, since what signs do
    to some pairs does not depend on the others. So a row may be read that was chosen by the same scores, that of the
    best run for one. Each pair is measured by its own variation: unlike Tukey's, the test does not take runs to vary
    alike.
    With fewer than six topics no p is below .05.

    Source: P. H. Westfall and S. S. Young, Resampling-Based Multiple Testing, 1993 (single step), for all pairs.
    """
    table = topics_by_runs(values)
    topics, runs = table.shape
    if topics < 2 or runs < 2:
        return np.ones((runs, runs))
    centred = table - table.mean(axis=1, keepdims=True)
    weights = _weights_of_squares(table)
    largest = [_largest_of_pairs(centred, some, weights) for some in signs(topics, permutations, rng)]
    sums = centred.sum(axis=0)
    squares = (sums[:, None] - sums[None, :]) ** 2 * weights
    p = _share_reaching(np.sort(np.concatenate(largest)), squares * (1 - LOST))
    np.fill_diagonal(p, 1.0)
    return p


def to_the_best(p: FloatArray, merits: ArrayLike) -> FloatArray:
    """The p-value of each run to the best one, from those of all pairs; float64 (runs,), 1 for the best.

    Where several are equal at the top a run must differ from each of them: the largest of its p-values. These, float64
    (runs, runs), hold for all pairs together, since the best is chosen by scores; of merits larger is better.
    """
    level = levels(merits)
    best = level == level.max(initial=0)
    return np.asarray(np.where(best, 1.0, p[best].max(axis=0, initial=0.0)), np.float64)


def rounds_for(runs: int) -> int:
    """The default number of rounds of `max_t_of_pairs` for `runs` runs: at most a second's work."""
    pairs = runs * (runs - 1) // 2
    return max((step for step in STEPS if step * pairs <= PAIRS_IN_ALL), default=STEPS[0])


def max_t(
    values: ArrayLike, baseline: int, *, permutations: int = 10_000, rng: np.random.Generator
) -> FloatArray:
    """Each run against a baseline by the largest |t| that chance gives, p-values (runs,), 1 for the baseline.

    The baseline must have been chosen before the scores were seen: with the best run as the baseline, at least one of
    20 equal runs on 50 topics is found worse with a chance of about .25. For that take `max_t_of_pairs`.

    In each of B rounds every topic's differences to the baseline keep or change their sign together, for all runs;
    p = (c + 1) / (B + 1), where in c rounds the largest |t| over the runs is at least that of the run. All
    assignments of signs are looked at if there are no more than `permutations`.

    Source: P. H. Westfall and S. S. Young, Resampling-Based Multiple Testing, 1993 (single step); in retrieval
    L. Boytsov, A. Belova, P. Westfall, SIGIR 2013.
    """
    table = topics_by_runs(values)
    topics, runs = table.shape
    if topics < 2 or runs < 2:
        return np.ones(runs)
    d = table - table[:, [baseline]]
    d[np.abs(d) <= NOISE] = 0.0
    # t^2 = (n - 1) r / (1 - r) grows with r = mean^2 / mean of squares, and r needs no spread to be defined.
    squares = topics * (d**2).sum(axis=0)
    squares[squares == 0] = 1.0
    largest = [(((some @ d) ** 2) / squares).max(axis=1) for some in signs(topics, permutations, rng)]
    p = _share_reaching(np.sort(np.concatenate(largest)), d.sum(axis=0) ** 2 / squares)
    p[baseline] = 1.0
    return p


def share_significant(p: ArrayLike, *, alpha: float = 0.05) -> float:
    """Discriminative power: the share of pairs with p <= alpha; 0 without pairs.

    Source: T. Sakai, SIGIR 2006.
    """
    pairs = of_pairs(np.asarray(p, np.float64))
    return float((pairs <= alpha).mean()) if len(pairs) else 0.0


def of_pairs(matrix: FloatArray) -> FloatArray:
    """What is above the diagonal, pair by pair, float64 (runs * (runs - 1) / 2,)."""
    return matrix[np.triu_indices(len(matrix), 1)]


def as_matrix(pairs: FloatArray, runs: int) -> FloatArray:
    """The symmetric matrix (runs, runs) with these values above the diagonal and 1 on it; undoes `of_pairs`."""
    matrix = np.ones((runs, runs))
    upper = np.triu_indices(runs, 1)
    matrix[upper] = pairs
    matrix.T[upper] = pairs
    return matrix


def _weights_of_squares(table: FloatArray) -> FloatArray:
    """What the square of a sum of differences is multiplied by, for each pair, float64 (runs, runs); 0 without any.

    t^2 = (n - 1) r / (1 - r) grows with r = mean^2 / mean of squares, which signs do not change, and r needs no
    spread to be defined.
    """
    topics, runs = table.shape
    squares = np.zeros((runs, runs))
    for run in range(runs):
        d = table - table[:, [run]]
        squares[run] = np.where(np.abs(d) <= NOISE, 0.0, d**2).sum(axis=0)
    weights = np.divide(1.0, topics * squares, out=np.zeros_like(squares), where=squares > 0)
    return np.asarray(weights, np.float64)


def _largest_of_pairs(centred: FloatArray, some: FloatArray, weights: FloatArray) -> FloatArray:
    """The largest r over all pairs in each round, float64 (rounds,); `some` signs are float64 (rounds, topics).

    Few rounds at a time, so that what is worked on stays in the processor's cache.
    """
    found = np.zeros(len(some))
    for start in range(0, len(some), ROUNDS_AT_A_TIME):
        part = slice(start, start + ROUNDS_AT_A_TIME)
        sums = centred.T @ some[part].T
        for run in range(1, len(sums)):
            d = sums[:run] - sums[run]
            np.square(d, out=d)
            d *= weights[run, :run, None]
            np.maximum(found[part], d.max(axis=0), out=found[part])
    return found


def _share_reaching(by_chance: FloatArray, observed: FloatArray) -> FloatArray:
    """(c + 1) / (B + 1), c of the B sorted values by chance being at least the observed one."""
    below = np.searchsorted(by_chance, observed - NOISE, side="left")
    return np.asarray((len(by_chance) - below + 1) / (len(by_chance) + 1), np.float64)


def groups(p: ArrayLike, means: ArrayLike, *, alpha: float = 0.05) -> list[str]:
    """A compact letter display, the best run's first group being `a`.

    Start with one group of all runs; for every significant pair split each group that has both into one without the
    first and one without the second; drop groups that lie within others. Pairs with p <= alpha differ; of means larger
    is better. The letters of a run are in alphabetical order, "ab"; past Z they go on with a2, b2 ...

    Source: H.-P. Piepho, Journal of Computational and Graphical Statistics 13, 2004.
    """
    order = np.argsort(-levels(means), kind="stable")
    differs = np.asarray(p, np.float64)[np.ix_(order, order)] <= alpha
    # A group is a whole number with a bit for each run; at last they are the largest without a pair that differs.
    split = [(1 << len(differs)) - 1] if len(differs) else []
    for one, row in enumerate(differs):
        for other in np.flatnonzero(row[one + 1 :]) + one + 1:
            split = _split(split, 1 << one, 1 << int(other))
    found = sorted(split, key=_members)
    letters = [""] * len(order)
    for number, group in enumerate(found):
        for place in _members(group):
            letters[order[place]] += name_of(number)
    return letters


def name_of(number: int) -> str:
    """a, b ... z, A ... Z, a2, b2 ..."""
    round_, letter = divmod(number, len(NAMES))
    return NAMES[letter] + (str(round_ + 1) if round_ else "")


def _split(groups: list[int], one: int, other: int) -> list[int]:
    both = one | other
    kept = [group for group in groups if group & both != both]
    for group in groups:
        if group & both == both:
            kept += [
                part
                for part in (group & ~one, group & ~other)
                if not any(part & larger == part for larger in kept)
            ]
    return kept


def _members(group: int) -> list[int]:
    return [place for place in range(group.bit_length()) if group >> place & 1]
