"""Evidence that may be looked at after every topic, as logarithms of stakes that began with 1.

If the hypothesis holds, the stake cannot grow on average by any topic, whatever came before; to have ever multiplied it
by 1 / α has at most the probability α (Ville's inequality), however many topics there are, however unequal they are,
and however often one looks. The topics may come in any order, since the bets do not depend on them: each stake is the
mean over bets of fixed sizes.

Source: V. H. de la Peña, Annals of Probability 27, 1999 (symmetric differences); I. Waudby-Smith and A. Ramdas, JRSS-B
86, 2024 (means of bounded values).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from workbench.methods.statistics.arrays import FloatArray, one_row

BETS = tuple(2.0**power for power in range(1, -5, -1))
"""What a unit of a value is worth: values from a few tenths of a unit to about thirty units are found."""


def against_symmetry(values: ArrayLike) -> float:
    """Evidence that independent values, (topics,), are not as likely to be x as -x, each for itself.

    Of a bet λ the stake is the mean of Π exp(λ x) / cosh(λ x) and the same of -x: two-sided.
    """
    found = one_row(values)
    total = abs(float(found.sum()))
    stakes = [_log_cosh(bet * total) - float(np.sum(_log_cosh(bet * found))) for bet in BETS]
    return _mean_stake(np.array(stakes))


def against_mean(values: ArrayLike, least: float) -> float:
    """Evidence that values from 0 to 1, (topics,), are below `least` on average, where others do not tell of them.

    Of a bet λ up to 1 / (1 - least) the stake is Π (1 + λ (least - x)).
    """
    found = one_row(values)
    bets = np.array([0.9, 0.6, 0.3, 0.15])[:, None] / (1 - least)
    return _mean_stake(np.log1p(bets * (least - found)).sum(axis=1))


def _log_cosh(values: ArrayLike) -> FloatArray:
    there = np.asarray(values, np.float64)
    return np.asarray(np.logaddexp(there, -there) - math.log(2), np.float64)


def _mean_stake(logarithms: FloatArray) -> float:
    return float(np.logaddexp.reduce(logarithms)) - math.log(len(logarithms))
