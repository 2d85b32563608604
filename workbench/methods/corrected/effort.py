"""How many judgments of people a model is worth: the effective size of a sample, and whether that can be told yet."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from workbench.core.ranking import FloatArray
from workbench.methods.corrected.labels import Spread

FEWEST_TOPICS = 5
SURE = 1.645
"""Standard errors of the logarithm of the ratio: of models that are worth nothing one in twenty is said to pay."""


class Effort(NamedTuple):
    """What a model is worth beside the judgments that were drawn.

    Attributes:
        judged: how many judged documents could have been missed by the draw.
        ratio: the variance of the estimate from people alone over that with the model; nan where nothing varies.
        error: the standard error of its logarithm by leaving out one topic after the other; inf of too few topics.
    """

    judged: int
    ratio: float
    error: float

    @property
    def effective(self) -> float:
        """As many judgments without the model would have the same variance: n var(y) / var(y - λ f)."""
        return self.judged * self.ratio

    @property
    def saved(self) -> float:
        """How many judgments the model saves; below 0 where people alone are better."""
        return self.effective - self.judged

    @property
    def pays(self) -> bool | None:
        """Whether the model is worth judgments; None where the topics so far do not tell."""
        if math.isnan(self.ratio) or math.isinf(self.error):
            return None
        logarithm = math.log(max(self.ratio, 1e-12))
        if logarithm > SURE * self.error and self.saved >= 1:
            return True
        return False if logarithm <= 0 or logarithm + SURE * self.error < math.log(1.1) else None


def effort_of(spread: Spread, trust: FloatArray, judged: int) -> Effort:
    """What the model is worth for all rows together, with λ of each topic, float64 (T), that other topics tell.

    Formula: n Σ V(y) / Σ (V(y) - 2 λ C(y, f) + λ^2 V(f)) over topics and rows
    """
    alone, corrected = spread.people.sum(axis=1), spread.corrected(trust).sum(axis=1)
    if alone.sum() <= 0 or corrected.sum() <= 0:
        return Effort(judged, math.nan, math.inf)
    ratio, topics = float(alone.sum() / corrected.sum()), len(alone)
    rest, rest_corrected = alone.sum() - alone, corrected.sum() - corrected
    if topics < FEWEST_TOPICS or min(rest.min(), rest_corrected.min()) <= 0:
        return Effort(judged, ratio, math.inf)
    without = np.log(rest / rest_corrected)
    return Effort(judged, ratio, float(math.sqrt((topics - 1) * np.var(without))))
