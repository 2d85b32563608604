"""The order in which a strategy has a topic judged, when the judgments are known: for simulations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import FloatArray, IntArray
from workbench.methods.pooling.adaptive import batch_after
from workbench.methods.pooling.topic_table import PARTS, Seen, TopicTable, sequence, settled


def adaptive_sequence(
    function: Callable[..., FloatArray],
    table: TopicTable,
    relevant: NDArray[np.bool_],
    *,
    budget: int | None = None,
    burn_in: int = 0,
    grows: bool = False,
    **parameters: Any,
) -> IntArray:
    """The places of the candidates in the order in which an adaptive order has them judged, int64 (budget or n).

    Args:
        function: the order, `function(table, seen, **parameters)`.
        table: the topic's candidates.
        relevant: what the assessor would say of each, bool (n).
        budget: how many are judged; None for all.
        burn_in: how many documents at the top of each ranking are judged before all others.
        grows: whether each choice is of more documents than the one before (see `batch_after`); else one is chosen
            at a time.
        parameters: the order's own.
    """
    n = len(table)
    budget = n if budget is None else min(budget, n)
    places = np.empty(budget, np.int64)
    early = min(int(table.is_within(burn_in).sum()), budget)
    places[:early] = sequence(table, np.zeros(n), burn_in)[:early]
    judged, known, left = np.zeros(n, np.bool_), np.zeros(n, np.bool_), _Left(n)
    judged[places[:early]] = True
    left.take(places[:early])
    known[places[:early]] = relevant[places[:early]]
    number = early
    while number < budget:
        scores = left.settled(function(table, Seen(judged, known, places[:number]), **parameters))
        size = min(batch_after(number - early, 1, grows=grows), budget - number)
        chosen = scores.argmax() if size == 1 else np.argsort(-scores, kind="stable")[:size]
        places[number : number + size] = chosen
        judged[chosen] = True
        left.take(chosen)
        known[chosen] = relevant[chosen]
        number += size
    return places


class _Left:
    """The candidates that are not judged yet; of a replay's steps most of the time is spent here."""

    def __init__(self, n: int) -> None:
        """All of `n` are left."""
        self._one, self._closed, self._scaled = np.ones(n), np.zeros(n), np.empty(n)

    def take(self, places: IntArray | np.intp) -> None:
        """These are judged now."""
        self._one[places] = 0
        self._closed[places] = -np.inf

    def settled(self, scores: FloatArray) -> FloatArray:
        """The scores as `settled` rounds those of what is left, float64 (n), and -inf of the others."""
        scaled = np.multiply(scores, self._one, out=self._scaled)
        largest = float(np.abs(scaled, out=scaled).max())
        # Of numbers that are infinite, or next to nothing, the factor is none: `settled` knows what to do.
        if not 1e-200 < largest < 1e200:
            return settled(scores + self._closed)
        np.multiply(scores, PARTS / largest, out=scaled)
        np.rint(scaled, out=scaled)
        return np.add(scaled, self._closed, out=scaled)
