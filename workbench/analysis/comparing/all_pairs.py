"""All pairs of runs on one measure, with corrections for their number; and all runs against a baseline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from workbench.analysis.comparing.scores import Scored, averaged, scores_of
from workbench.analysis.trust.intervals import p_to_the_best
from workbench.core.results import AS_TEXT, HIDDEN, Column, shown
from workbench.core.seed import SEED
from workbench.jobs.cluster import Task, Workers, cluster
from workbench.methods.measures import BoundMeasure
from workbench.methods.statistics.all_pairs import (
    as_matrix,
    groups,
    max_t,
    of_pairs,
    pairwise_t,
    randomised_tukey,
    share_significant,
)
from workbench.methods.statistics.arrays import FloatArray, Progress, levels
from workbench.methods.statistics.paired import benjamini_hochberg, holm
from workbench.methods.statistics.shuffles import Block, Shuffling, one_by_one
from workbench.storage.campaign import Campaign

BLOCKS_IN_A_TASK = 64
"""About a second's work: this many blocks shuffle up to 64 million scores."""


def on_workers(workers: Workers) -> Shuffling:
    """The function that does blocks on these workers, some in each task.

    It raises ClusterError where there are no workers, or not of this version.
    """

    def shuffled(table: FloatArray, planned: Sequence[Block], progress: Progress | None) -> FloatArray:
        parts = [
            planned[start : start + BLOCKS_IN_A_TASK] for start in range(0, len(planned), BLOCKS_IN_A_TASK)
        ]
        tasks = [Task(f"rounds, part {place} of {len(parts)}", part) for place, part in enumerate(parts, 1)]
        found: dict[int, FloatArray] = {}
        with cluster(workers) as there:
            for place, differences in there.each(one_by_one, table, tasks):
                found[place] = differences
                if progress is not None:
                    progress(len(differences))
        return np.concatenate([found[place] for place in range(len(parts))])

    return shuffled


Correction = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class AllPairs:
    """All pairs of runs, the best run first.

    Attributes:
        seq: the log row of the scores.
        measure: what was measured.
        topics: the number of topics.
        tags: the runs by descending mean (ascending if less is better); equal means as the runs were added.
        values: float64 (topics, runs).
        means: float64 (runs,).
        randomised_tukey: p-values by randomised Tukey HSD, float64 (runs, runs).
        baseline: the run for max-T, None if not requested.
        max_t: p-values against the baseline by max-T, float64 (runs,), None without a baseline.
        alpha: what counts as significant in letters and marks.
        seed: of the random procedures.
        permutations: their B.
    """

    seq: int
    measure: Annotated[BoundMeasure, AS_TEXT]
    topics: int
    tags: Annotated[tuple[str, ...], Column(name="runs")]
    values: Annotated[FloatArray, HIDDEN]
    means: FloatArray
    randomised_tukey: Annotated[FloatArray, Column(name="p_randomised_tukey")]
    baseline: str | None
    max_t: Annotated[FloatArray | None, Column(name="p_max_t")]
    alpha: float
    seed: int
    permutations: int

    @cached_property
    @shown(Column(name="p_t"))
    def paired_t(self) -> FloatArray:
        """p-values of the paired t-test, not corrected, float64 (runs, runs)."""
        return pairwise_t(self.values)

    @cached_property
    @shown(Column(name="p_holm"))
    def holm(self) -> FloatArray:
        """p-values of the paired t-test after Holm's correction over all pairs, float64 (runs, runs)."""
        return self._corrected(holm)

    @cached_property
    @shown(Column(name="p_benjamini_hochberg"))
    def benjamini_hochberg(self) -> FloatArray:
        """The same after Benjamini's and Hochberg's correction, float64 (runs, runs)."""
        return self._corrected(benjamini_hochberg)

    @cached_property
    @shown(Column(name="p_to_the_best"))
    def to_the_best(self) -> FloatArray:
        """p-values to the best run by the leaderboard's test, with its rounds, float64 (runs,), 1 for the best.

        That is max-T over all pairs, which measures each pair by its own variation; randomised Tukey HSD, behind the
        letters, takes all runs to vary alike. So a run can share a letter with the best one and differ from it here.
        """
        if not self.values.size:
            return np.ones(len(self.tags))
        return p_to_the_best(self.measure, self.values, seed=self.seed)

    @cached_property
    @shown(Column(name="groups"))
    def letters(self) -> tuple[str, ...]:
        """Groups by randomised Tukey HSD: runs that share a letter do not differ significantly."""
        return tuple(groups(self.randomised_tukey, self.measure.sign * self.means, alpha=self.alpha))

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return len(self.tags) * (len(self.tags) - 1) // 2

    def significant(self, p: FloatArray) -> int:
        """How many pairs differ significantly by a matrix of p-values."""
        return int((of_pairs(p) <= self.alpha).sum())

    def discriminative_power(self, p: FloatArray) -> float:
        """The share of pairs that differ significantly by a matrix of p-values; 0 without pairs."""
        return share_significant(p, alpha=self.alpha)

    def differs_from_best(self, run: int) -> bool:
        """Whether the run at this place differs significantly from the best one: whether the leaderboard has no ≈."""
        return bool(self.to_the_best[run] <= self.alpha)

    def _corrected(self, correct: Correction) -> FloatArray:
        return as_matrix(correct(of_pairs(self.paired_t)), len(self.tags))


def all_pairs(
    campaign: Campaign,
    measure: str = "AP",
    *,
    tags: Sequence[str] | None = None,
    baseline: str | None = None,
    alpha: float = 0.05,
    seed: int = SEED,
    permutations: int = 10_000,
    progress: Progress | None = None,
    workers: Workers | None = None,
) -> AllPairs:
    """Every run compared with every other, or these runs alone, and all with `baseline` by max-T where it is named.

    `alpha` is what counts as significant; `progress` is called with the number of permutations done since the last
    call; `workers` do the permutations of randomised Tukey HSD in the place of this process, with the same numbers.

    Raises:
        ClusterError: there are no workers, or not of this version.
        NotThere: a run that takes no part as of this place.
        UnknownName: a measure that does not exist.
        CampaignError: a mean other than the arithmetic one.
    """
    scored = scores_of(campaign, measure)
    if tags is not None:
        scored = scored.of_runs(list(dict.fromkeys(tags)))
    return pairs_of(
        scored,
        baseline=baseline,
        alpha=alpha,
        seed=seed,
        permutations=permutations,
        progress=progress,
        workers=workers,
    )


def pairs_of(
    scored: Scored,
    *,
    baseline: str | None = None,
    alpha: float = 0.05,
    seed: int = SEED,
    permutations: int = 10_000,
    progress: Progress | None = None,
    workers: Workers | None = None,
) -> AllPairs:
    """All pairs of the runs whose scores these are; arguments and errors as in `all_pairs`."""
    averaged(scored)
    best_first = -scored.merits
    ranked = scored.of_runs([scored.tags[run] for run in np.argsort(levels(best_first), kind="stable")])
    against = None if baseline is None else ranked.column(baseline)
    values = ranked.values
    if not ranked.tags:
        by_chance = np.ones((0, 0))
    else:
        rng = np.random.default_rng(seed)
        by_chance = randomised_tukey(
            values,
            permutations=permutations,
            rng=rng,
            progress=progress,
            shuffling=one_by_one if workers is None else on_workers(workers),
        )
    rng = np.random.default_rng(seed)
    return AllPairs(
        seq=ranked.seq,
        measure=ranked.measure,
        topics=len(ranked.topic_ids),
        tags=ranked.tags,
        values=values,
        means=ranked.means,
        randomised_tukey=by_chance,
        baseline=baseline,
        max_t=None if against is None else max_t(values, against, permutations=permutations, rng=rng),
        alpha=alpha,
        seed=seed,
        permutations=permutations,
    )
