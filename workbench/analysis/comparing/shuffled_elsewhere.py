"""Rounds of randomised Tukey HSD on other processes, with the same differences in the same order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.jobs.cluster import Task, Workers, cluster
from workbench.methods.statistics.arrays import FloatArray, Progress
from workbench.methods.statistics.shuffles import Block, Shuffling, one_by_one

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
