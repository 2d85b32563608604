"""From values per topic to one number per run, in the reference program's order of addition.

Topics are added left to right in byte order of their ids, then divided once. numpy's own sums add in pairs,
and print another fourth digit for one run in ten where topics and cutoffs are powers of two.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.measures.judged import FloatArray, ratio


def sum_over_topics(values: FloatArray, counted: NDArray[np.bool_] | None = None) -> FloatArray:
    """The sum of each run's values over the counted topics.

    Args:
        values: float64 (topics, runs), topics in byte order of their ids.
        counted: bool (topics,) or (topics, runs); None counts all.

    Returns:
        float64 (runs,); 0 where no topic is counted.
    """
    if not len(values):
        return np.zeros(values.shape[1])
    running: FloatArray = np.cumsum(values if counted is None else _masked(values, counted), axis=0)
    last: FloatArray = running[-1]
    return last


def mean_over_topics(values: FloatArray, counted: NDArray[np.bool_] | None = None) -> FloatArray:
    """The mean of each run's values over the counted topics; arguments and result as in `sum_over_topics`.

    With `counted` the topics that have judgments, a topic which a run lacks counts with the value of an empty
    ranking (the reference program's `-c`, and this project's rule for leaderboards).
    """
    number = np.full(values.shape[1], len(values)) if counted is None else _broad(values, counted).sum(axis=0)
    total = sum_over_topics(values, counted)
    return ratio(total, number)


def _broad(values: FloatArray, counted: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return np.broadcast_to(counted if counted.ndim == 2 else counted[:, None], values.shape)


def _masked(values: FloatArray, counted: NDArray[np.bool_]) -> FloatArray:
    return np.where(_broad(values, counted), values, 0.0)
