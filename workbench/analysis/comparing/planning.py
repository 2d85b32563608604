"""How many topics a comparison needs, judged by how much the runs of this campaign vary from topic to topic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np

from workbench.analysis.comparing.scores import Scored, averaged
from workbench.core.errors import CampaignError
from workbench.core.results import AS_TEXT, Column
from workbench.jobs.observing import observed
from workbench.methods.measures import BoundMeasure
from workbench.methods.statistics.all_pairs import of_pairs, residual_variance
from workbench.methods.statistics.power import detectable, power_of, sd_of_differences, topics_needed

DIFFERENCES = (0.01, 0.02, 0.03, 0.05, 0.1)
ALPHA = 0.05
TOPICS = (25, 50, 75, 100, 150, 200, 250, 500)


class Needed(NamedTuple):
    """For a true difference: the topics it takes, and the chance to find it with the topics there are."""

    difference: Annotated[float, Column(kind="score")]
    topics: Annotated[int, Column("Topics needed")]
    power_now: Annotated[float, Column(kind="size")]


class Detected(NamedTuple):
    """The smallest true difference that a number of topics finds with the requested power."""

    topics: int
    difference: float


class TopicPlan(NamedTuple):
    """Sizes of topic sets for one measure, as of row `seq` of the log.

    Attributes:
        seq: the row of the log.
        measure: what was measured.
        topics: how many topics were judged.
        runs: how many runs the variance is estimated from.
        sd: the standard deviation over topics of the difference of two runs that the plan is made with: the median
            over all pairs.
        sd_low, sd_high: the quartiles of it over pairs.
        sd_residual: the same from the two-way residues of all runs together (square root of 2 MSE).
        alpha: the probability of a false positive.
        power: the chance to find a difference that is there.
        needed: for some differences the topics.
        detected: for some numbers of topics the differences.
    """

    seq: int
    measure: Annotated[BoundMeasure, AS_TEXT]
    topics: int
    runs: int
    sd: float
    sd_low: float
    sd_high: float
    sd_residual: float
    alpha: float
    power: float
    needed: tuple[Needed, ...]
    detected: tuple[Detected, ...]

    @property
    def tells_nothing(self) -> bool:
        """Half of the pairs of runs or more differ by the same on every topic: no number of topics follows from it."""
        return round(self.sd, 9) == 0


def plan_topics(
    scored: Scored,
    *,
    differences: Sequence[float] = DIFFERENCES,
    topics: Sequence[int] = TOPICS,
    power: float = 0.8,
) -> TopicPlan:
    """How many topics show which true difference of two runs' means; of counts too, whose sums grow with the topics.

    `topics` are numbers of topics to try, `power` is the chance to find a difference in a two-sided paired t-test of
    one pair, in which ALPHA is the probability of a false positive.

    Raises:
        CampaignError: fewer than two runs or judged topics, so that nothing is known about the variance; or a mean
            other than the arithmetic one.
    """
    n_topics, n_runs = averaged(scored).values.shape
    variance = residual_variance(scored.values) if n_runs else None
    if variance is None:
        message = (
            f"{n_runs} runs on {n_topics} judged topics tell nothing about the variance; it takes two of each"
        )
        raise CampaignError(message)
    low, sd, high = np.quantile(of_pairs(sd_of_differences(scored.values)), [0.25, 0.5, 0.75]).tolist()
    needed = [
        Needed(
            difference,
            topics_needed(sd, difference, alpha=ALPHA, power=power),
            power_of(sd, difference, n_topics, alpha=ALPHA),
        )
        for difference in observed(differences, "Planning topics")
    ]
    detected = [Detected(number, detectable(sd, number, alpha=ALPHA, power=power)) for number in topics]
    return TopicPlan(
        seq=scored.seq,
        measure=scored.measure,
        topics=n_topics,
        runs=n_runs,
        sd=sd,
        sd_low=low,
        sd_high=high,
        sd_residual=float(np.sqrt(2 * variance)),
        alpha=ALPHA,
        power=power,
        needed=tuple(needed),
        detected=tuple(detected),
    )
