"""Two to five runs compared on the same topics, each with one of them, the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np

from workbench.analysis.comparing.scores import Scored, averaged, scores_of
from workbench.core.errors import CampaignError
from workbench.core.results import AS_TEXT, HIDDEN, Column, shown
from workbench.core.seed import SEED
from workbench.jobs.observing import observed
from workbench.methods.measures import BoundMeasure
from workbench.methods.measures.judged import FloatArray
from workbench.methods.statistics.arrays import signs_of
from workbench.methods.statistics.intervals import Interval, t_interval, why_none
from workbench.methods.statistics.paired import (
    PairedTest,
    effect_size,
    holm_of_tested,
    paired_t,
    randomisation,
    sign_test,
    wilcoxon,
)
from workbench.storage.campaign import Campaign


class RunDifference(NamedTuple):
    """One run against the baseline.

    Attributes:
        run: its tag.
        mean: its mean over the topics.
        difference: its mean less the baseline's.
        by_topic: its score less the baseline's on each topic, float64 (topics,).
        wins: on how many topics it is better; for a measure of which less is better, lower.
        ties: on how many it scores the same.
        losses: on how many it is worse.
        t: the paired t-test.
        randomisation: the randomisation test of the mean.
        wilcoxon: Wilcoxon's signed ranks.
        sign: the sign test.
        interval: 95 % t interval of the mean difference; None with too few topics, and where all differ by the same.
        why_none: why there is no interval; "" where there is one.
        effect_size: the mean difference in standard deviations of the differences; None without spread.
        holm: the p-value of the t-test, corrected for the number of runs compared; None if it is not defined.
    """

    run: str
    mean: float
    difference: float
    by_topic: Annotated[FloatArray, HIDDEN]
    wins: int
    ties: int
    losses: int
    t: Annotated[PairedTest, HIDDEN]
    randomisation: Annotated[PairedTest, HIDDEN]
    wilcoxon: Annotated[PairedTest, HIDDEN]
    sign: Annotated[PairedTest, HIDDEN]
    interval: Interval | None
    why_none: str
    effect_size: float | None
    holm: Annotated[float | None, Column(name="p_holm")] = None

    @property
    @shown(Column())
    def tests(self) -> tuple[PairedTest, ...]:
        """The four tests, the one to look at first in front."""
        return self.t, self.randomisation, self.wilcoxon, self.sign


class Comparison(NamedTuple):
    """Some runs on one measure, as of row `seq` of the log.

    `values` float64 (topics, runs) and `means` float64 (runs,) follow `tags`, where the baseline is the first;
    `differences` are those of the other runs.
    """

    seq: int
    measure: Annotated[BoundMeasure, AS_TEXT]
    topic_ids: Annotated[tuple[str, ...], Column(name="topics")]
    tags: Annotated[tuple[str, ...], Column(name="runs")]
    values: Annotated[FloatArray, HIDDEN]
    means: FloatArray
    differences: tuple[RunDifference, ...]
    seed: int
    permutations: int

    @property
    @shown(Column())
    def baseline(self) -> str:
        """The run that the others are compared with."""
        return self.tags[0]

    @property
    @shown(Column())
    def per_topic(self) -> dict[str, dict[str, float]]:
        """Each run's score on each topic."""
        scores = zip(self.tags, self.values.T.tolist(), strict=True)
        return {tag: dict(zip(self.topic_ids, each, strict=True)) for tag, each in scores}


def compare_runs(
    campaign: Campaign,
    tags: Sequence[str],
    *,
    measure: str = "AP",
    baseline: str | None = None,
    seed: int = SEED,
    permutations: int = 10_000,
) -> Comparison:
    """At least two runs compared with a baseline, by default the first, topic by topic.

    Each random procedure begins with `seed`, so that a pair of runs always gets the same values; `permutations` are
    the assignments of signs in the randomisation test.

    Raises:
        NotThere: a run that takes no part as of this place.
        UnknownName: a measure that does not exist.
        CampaignError: fewer than two runs, or a mean other than the arithmetic one.
    """
    runs = chosen(tags, baseline)
    return compare(scores_of(campaign, measure).of_runs(runs), seed, permutations)


def chosen(tags: Sequence[str], baseline: str | None = None) -> list[str]:
    """The runs to compare, each once, the baseline in front: the first if none is named. A text is one name.

    CampaignError: fewer than two runs.
    """
    names = [tags] if isinstance(tags, str) else tags
    runs = list(dict.fromkeys([*([] if baseline is None else [baseline]), *names]))
    if len(runs) < 2:
        raise CampaignError("a comparison needs two different runs at least")
    return runs


def compare(scored: Scored, seed: int = SEED, permutations: int = 10_000) -> Comparison:
    """Compare every run with the first one; CampaignError for a mean other than the arithmetic one."""
    averaged(scored)
    others = observed(range(1, len(scored.tags)), "Comparing runs")
    differences = [_difference(scored, run, seed, permutations) for run in others]
    return Comparison(
        seq=scored.seq,
        measure=scored.measure,
        topic_ids=scored.topic_ids,
        tags=scored.tags,
        values=scored.values,
        means=scored.means,
        differences=tuple(_corrected(differences)),
        seed=seed,
        permutations=permutations,
    )


def _difference(scored: Scored, run: int, seed: int, permutations: int) -> RunDifference:
    d = scored.values[:, run] - scored.values[:, 0]
    summed = d * len(d) if scored.measure.is_count else d  # whose mean is the difference of sums
    lowest, highest = scored.measure.measure.reach
    span = highest - lowest  # of two runs' scores, so of their difference either way
    better = signs_of(scored.measure.sign * d)
    wins, losses = int((better > 0).sum()), int((better < 0).sum())
    return RunDifference(
        run=scored.tags[run],
        mean=float(scored.means[run]),
        difference=float(scored.means[run] - scored.means[0]),
        by_topic=d,
        wins=wins,
        ties=len(d) - wins - losses,
        losses=losses,
        t=paired_t(d),
        randomisation=randomisation(d, permutations=permutations, rng=np.random.default_rng(seed)),
        wilcoxon=wilcoxon(d),
        sign=sign_test(d),
        interval=t_interval(summed, lowest=-span, highest=span),
        why_none=why_none(d[:, None])[0],
        effect_size=effect_size(d),
    )


def _corrected(differences: Sequence[RunDifference]) -> list[RunDifference]:
    """The same with Holm's correction over the t-tests that are defined."""
    corrected = holm_of_tested(each.t.p_value for each in differences)
    return [each._replace(holm=p) for each, p in zip(differences, corrected, strict=True)]
