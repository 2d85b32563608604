"""p-values of several tests, corrected for their number."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from workbench.methods.statistics.arrays import FloatArray


def holm(p: ArrayLike) -> FloatArray:
    """Holm's correction: with these, the probability of any false positive among all tests is at most alpha.

    The i-th smallest of m p-values is multiplied by m - i + 1, and is no smaller than those before it.

    Args:
        p: p-values of any shape, all of one family.

    Returns:
        float64 of the same shape, none above 1.

    Source: S. Holm, Scandinavian Journal of Statistics 6, 1979.
    """
    given = np.asarray(p, np.float64)
    flat = given.ravel()
    order = np.argsort(flat, kind="stable")
    multiplied = flat[order] * np.arange(len(flat), 0, -1)
    adjusted = np.empty_like(flat)
    adjusted[order] = np.minimum(np.maximum.accumulate(multiplied), 1.0)
    return adjusted.reshape(given.shape)


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
