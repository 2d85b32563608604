"""Tests of one difference between two runs, from the differences on the same topics.

Every test is two-sided and takes `d`, the difference on each topic. What is undefined (fewer than two topics, no
spread, no topic that differs) is None with a note, never nan.

Which to use: Urbano, Lima and Hanjalic (SIGIR 2019) find the rates of false positives of the t-test and of the
randomisation test closest to nominal; Wilcoxon's and the sign test have too many with 50 topics. Wilcoxon's and
the sign test ask other questions than whether the means differ (Ihemelandu and Ekstrand, SIGIR 2023, advise
against them where topics are many).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from workbench.methods.statistics.arrays import NOISE, FloatArray, is_constant, levels, one_row, signs_of
from workbench.methods.statistics.shuffles import is_complete, number_of_signs, sums_by_chance


class PairedTest(NamedTuple):
    """The outcome of a test.

    Attributes:
        name: what the test is called.
        statistic: its statistic, None where it is not defined.
        p_value: two-sided, None where it is not defined.
        n: the number of topics that took part.
        note: a sentence on what was counted, drawn or left out.
    """

    name: str
    statistic: float | None
    p_value: float | None
    n: int
    note: str


def paired_t(d: ArrayLike) -> PairedTest:
    """Student's t-test of the mean difference: t = mean / (s / sqrt(n)), n - 1 degrees of freedom.

    The same as `scipy.stats.ttest_rel`, which gives nan or a warning where there is no spread.
    """
    from scipy.special import stdtr

    d, name = one_row(d), "paired t"
    if (problem := _no_spread(d)) is not None:
        return PairedTest(name, None, None, len(d), problem)
    t = float(d.mean() / (d.std(ddof=1) / math.sqrt(len(d))))
    return PairedTest(
        name, t, float(2 * stdtr(len(d) - 1, -abs(t))), len(d), f"{len(d) - 1} degrees of freedom"
    )


def wilcoxon(d: ArrayLike) -> PairedTest:
    """Wilcoxon's signed-rank test; the statistic is the smaller sum of ranks.

    Topics without a difference are left out, tied differences share the mean of their ranks. Sizes that differ by
    rounding alone are tied, 0.3 - 0.2 and 0.1 - 0; R and scipy rank them as the computer subtracts. The normal
    approximation has corrections for ties and for continuity, as `wilcox.test(exact=FALSE)` of R.

    Source: F. Wilcoxon, Biometrics Bulletin 1, 1945.
    """
    from scipy.stats import wilcoxon as signed_ranks

    d, name = one_row(d), "Wilcoxon signed ranks"
    kept = d[signs_of(d) != 0]
    if not len(kept):
        return PairedTest(name, None, None, 0, "not defined: no topic differs")
    kept = signs_of(kept) * (levels(np.abs(kept)) + 1.0)  # the same ranks, and ties that are exact
    found = signed_ranks(kept, zero_method="wilcox", correction=True, method="asymptotic")
    p_value, note = min(1.0, float(found.pvalue)), _left_out(len(d) - len(kept))
    return PairedTest(name, float(found.statistic), p_value, len(kept), f"normal approximation{note}")


def sign_test(d: ArrayLike) -> PairedTest:
    """The sign test: how often one of the two is better, against a fair coin; ties are left out."""
    from scipy.stats import binomtest

    d, name = one_row(d), "sign"
    kept = d[signs_of(d) != 0]
    if not len(kept):
        return PairedTest(name, None, None, 0, "not defined: no topic differs")
    wins = int((kept > 0).sum())
    note = f"better on {wins}, worse on {len(kept) - wins}{_left_out(len(d) - len(kept))}"
    return PairedTest(name, float(wins), float(binomtest(wins, len(kept)).pvalue), len(kept), note)


def randomisation(d: ArrayLike, *, permutations: int = 10_000, rng: np.random.Generator) -> PairedTest:
    """Fisher's randomisation test of the mean difference: the signs of the differences are drawn by chance.

    p = (c + 1) / (B + 1), where c of B assignments of signs give a mean at least as far from 0; the observed one
    counts, so p is never 0. Where all assignments are no more than `permutations`, each is looked at once and p
    is exact.

    Source: M. D. Smucker, J. Allan, B. Carterette, CIKM 2007; for the 1 in numerator and denominator,
    B. Phipson and G. K. Smyth, Statistical Applications in Genetics and Molecular Biology 9, 2010.
    """
    d, name = one_row(d), "randomisation"
    if len(d) < 2:
        return PairedTest(name, None, None, len(d), "not defined: fewer than two topics")
    observed, number = float(d.mean()), number_of_signs(len(d), permutations)
    reached = abs(observed) - NOISE
    as_far = sum(
        int((np.abs(some) / len(d) >= reached).sum()) for some in sums_by_chance(d, permutations, rng)
    )
    note = (
        f"all {number + 1:,} assignments of signs" if is_complete(len(d), permutations) else f"B = {number:,}"
    )
    return PairedTest(name, observed, (as_far + 1) / (number + 1), len(d), note)


def effect_size(d: ArrayLike) -> float | None:
    """The mean difference in standard deviations of the differences (Cohen's d_z); None without any spread."""
    d = one_row(d)
    return None if _no_spread(d) else float(d.mean() / d.std(ddof=1))


def _no_spread(d: FloatArray) -> str | None:
    """Why nothing can be said with a standard deviation of these differences, if so."""
    if len(d) < 2:
        return "not defined: fewer than two topics"
    return "not defined: the difference is the same on every topic" if is_constant(d) else None


def _left_out(number: int) -> str:
    return f", {number} without a difference left out" if number else ""


def holm(p: ArrayLike) -> FloatArray:
    """Holm's correction: with these, the probability of any false positive among all tests is at most alpha.

    The i-th smallest of m p-values is multiplied by m - i + 1, and is no smaller than those before it, nor above 1. All
    are of one family; the result has the same shape.

    Source: S. Holm, Scandinavian Journal of Statistics 6, 1979.
    """
    given = np.asarray(p, np.float64)
    flat = given.ravel()
    order = np.argsort(flat, kind="stable")
    multiplied = flat[order] * np.arange(len(flat), 0, -1)
    adjusted = np.empty_like(flat)
    adjusted[order] = np.minimum(np.maximum.accumulate(multiplied), 1.0)
    return adjusted.reshape(given.shape)


def holm_of_tested(p: Iterable[float | None]) -> list[float | None]:
    """The same of a list in which what was not tested is None, and stays so."""
    given = list(p)
    corrected = iter(holm([each for each in given if each is not None]).tolist())
    return [None if each is None else next(corrected) for each in given]


def benjamini_hochberg(p: ArrayLike) -> FloatArray:
    """Benjamini's and Hochberg's correction: of the differences called significant at alpha, about alpha are false.

    Arguments and result as in `holm`; computed by `scipy.stats.false_discovery_control`.

    Source: Y. Benjamini and Y. Hochberg, Journal of the Royal Statistical Society B 57, 1995.
    """
    from scipy.stats import false_discovery_control

    given = np.asarray(p, np.float64)
    if not given.size:
        return given.copy()
    return np.asarray(false_discovery_control(given.ravel(), method="bh"), np.float64).reshape(given.shape)
