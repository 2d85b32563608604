"""What a random part of a finite population says of the whole, exactly."""

from __future__ import annotations

import numpy as np


def most_in_population(population: int, drawn: int, found: int, alpha: float) -> int:
    """The exact upper confidence limit for the number of marked members of a population.

    The largest K with P(at most `found` marked in the draw | K marked in all) > alpha, under the hypergeometric
    distribution. Whatever the true number is, the probability that it is larger than this is at most alpha.

    Args:
        population: N, how many there are in all.
        drawn: n of them, drawn at random without replacement.
        found: k of these are marked.
        alpha: the risk, above 0.

    Source: Clopper and Pearson, Biometrika 26 (1934), for draws without replacement.
    """
    from scipy.stats import hypergeom

    possible = np.arange(found, population - (drawn - found) + 1)
    probability = hypergeom.cdf(found, population, possible, drawn)
    return int(possible[probability > alpha].max(initial=found))
