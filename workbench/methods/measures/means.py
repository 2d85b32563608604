"""From values per topic to one number per run, in the reference program's order of addition.

Topics are added left to right in byte order of their ids, then divided once. numpy's own sums add in pairs,
and print another fourth digit for one run in ten where topics and cutoffs are powers of two.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import IntArray, Labels
from workbench.methods.measures.judged import FloatArray, ratio
from workbench.methods.measures.registry import BoundMeasure
from workbench.methods.measures.running import sums_down


def over_topics(
    measure: BoundMeasure, values: FloatArray, labels: Labels, counted: NDArray[np.bool_] | None = None
) -> FloatArray:
    """One number per run, float64 (runs,): the sum of a count, else the mean that the measure's name asks for.

    Its modifiers `mean` and `floor` say which mean; the numbers of relevant documents in `labels` weigh a micro mean.
    Other arguments as in `sum_over_topics`.
    """
    if measure.is_count:
        return sum_over_topics(values, counted)
    kind, floor = measure.modifier("mean"), measure.modifier("floor")
    if kind == "geometric":
        return geometric_mean(values, floor, counted)
    if kind == "harmonic":
        return harmonic_mean(values, floor, counted)
    if kind == "micro":
        return micro_mean(values, labels.num_rel(measure.rel), counted)
    return mean_over_topics(values, counted)


def sum_over_topics(values: FloatArray, counted: NDArray[np.bool_] | None = None) -> FloatArray:
    """The sum of each run's values over the counted topics, float64 (runs,); 0 where no topic is counted.

    Values are float64 (topics, runs), topics in byte order of their ids; `counted` is bool (topics,) or (topics, runs),
    None for all.
    """
    if counted is not None and not counted.all():
        # With a rule per run all rows stay, with 0 where they do not count, which changes no sum.
        values = values[counted] if counted.ndim == 1 else np.where(counted, values, 0.0)
    return sums_down(values)


def mean_over_topics(values: FloatArray, counted: NDArray[np.bool_] | None = None) -> FloatArray:
    """The mean of each run's values over the counted topics; arguments and result as in `sum_over_topics`.

    With `counted` the topics that have judgments, a topic which a run lacks counts with the value of an empty
    ranking (the reference program's `-c`, and this project's rule for leaderboards).
    """
    summed, number = sum_over_topics(values, counted), _number(values, counted)
    if isinstance(number, int):
        return summed / number if number else np.zeros(len(summed))
    return ratio(summed, number)


def geometric_mean(values: FloatArray, floor: float, counted: NDArray[np.bool_] | None = None) -> FloatArray:
    """exp of the mean of the logarithms; a value below `floor` counts as `floor`.

    Other arguments and result as in `sum_over_topics`; 0 where no topic is counted.

    Source: gm_map of trec_eval (m_gm_map.c), where the floor is 0.00001.
    """
    means = _by_the_c_library(math.exp, mean_over_topics(logarithms(values, floor), counted))
    return np.where(np.asarray(_number(values, counted)) > 0, means, 0.0)


def logarithms(values: FloatArray, floor: float) -> FloatArray:
    """The natural logarithm of each value, of `floor` where a value is smaller; of the same shape."""
    return _by_the_c_library(math.log, np.maximum(values, floor))


def harmonic_mean(values: FloatArray, floor: float, counted: NDArray[np.bool_] | None = None) -> FloatArray:
    """1 divided by the mean of the reciprocals; a value below `floor` counts as `floor`.

    Other arguments and result as in `sum_over_topics`; 0 where no topic is counted.
    """
    summed = sum_over_topics(1.0 / np.maximum(values, floor), counted)
    return ratio(np.broadcast_to(_number(values, counted), summed.shape), summed)


def micro_mean(values: FloatArray, num_rel: IntArray, counted: NDArray[np.bool_] | None = None) -> FloatArray:
    """The mean over all relevant documents of all topics: each topic weighs by how many it has, int64 (topics,)."""
    weights = np.broadcast_to(num_rel[:, None].astype(np.float64), values.shape)
    return ratio(sum_over_topics(values * weights, counted), sum_over_topics(weights, counted))


def _by_the_c_library(function: Callable[[float], float], values: FloatArray) -> FloatArray:
    """A function of Python's `math`, value by value: numpy's own may differ in the last digit."""
    return np.array([function(value) for value in values.ravel().tolist()]).reshape(values.shape)


def _number(values: FloatArray, counted: NDArray[np.bool_] | None) -> int | IntArray:
    """How many topics count: for all runs, or for each, int64 (runs,)."""
    if counted is None:
        return len(values)
    if counted.ndim == 1:
        return int(np.count_nonzero(counted))
    number: IntArray = counted.sum(axis=0)
    return number
