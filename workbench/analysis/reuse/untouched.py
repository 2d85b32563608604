"""Topics of which nothing is judged score as others do: what is drawn from an urn of the judged ones goes back twice.

How runs differ changes from topic to topic by more than ranks and labels of single documents tell. So the scores of all
runs on such a topic are those on another one, whatever that one is given in a draw of labels; what the topic's own
rankings cannot reach is cut off.

Source: Polya's urn, as in M. Ghosh and G. Meeden, Bayesian Methods for Finite Population Sampling, 1997.
"""

from __future__ import annotations

import numpy as np

from workbench.analysis.reuse.pair_features import Unjudged
from workbench.core.errors import CampaignError
from workbench.core.ranking import FloatArray, IntArray
from workbench.methods.measures import BoundMeasure
from workbench.scoring.board import Scoring


class Urn:
    """The topics of a campaign that are judged, and those that score as they do."""

    def __init__(self, scoring: Scoring, measure: BoundMeasure, pairs: Unjudged) -> None:
        """CampaignError where the measure weighs topics by their relevant documents, and there are such topics."""
        self.judged = np.unique(pairs.topic[~pairs.waits])
        self.others = np.setdiff1d(pairs.topic[pairs.waits], self.judged)
        if len(self.others) and measure.modifier("mean") == "micro":
            message = (
                "a micro mean weighs each topic by its relevant documents, and of some topics nothing is judged; take "
                "another mean"
            )
            raise CampaignError(message)
        sides = (
            (bound_values(scoring, measure, side) for side in ("lower", "upper")) if len(self.others) else ()
        )
        self._bounds = [None if values is None else values[self.others] for values in sides]

    def fill(self, values: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Values, float64 (topics, runs), with those of the other topics drawn."""
        if not len(self.others):
            return values
        lower, upper = self._bounds
        filled = values.copy()
        drawn = values[self._drawn(rng)]
        filled[self.others] = drawn if lower is None or upper is None else np.clip(drawn, lower, upper)
        return filled

    def _drawn(self, rng: np.random.Generator) -> IntArray:
        """A judged topic for each of the others."""
        held = self.judged.tolist()
        for _ in self.others:
            held.append(held[rng.integers(len(held))])
        return np.array(held[len(self.judged) :], np.int64)


def bound_values(scoring: Scoring, measure: BoundMeasure, side: str) -> FloatArray | None:
    """The "lower" or "upper" hard bounds, float64 (topics, runs); None where the measure's mean has none."""
    other_mean = measure.modifier("mean") not in {None, "arithmetic"}
    if not measure.measure.has_bounds or measure.modifier("bound") is not None or other_mean:
        return None
    bound = scoring.settled(BoundMeasure(measure.name, (*measure.values, ("bound", side))))
    return scoring.values_of([bound])[bound]
