"""Which runs put each pair into a pool, and which of their groups was the only one to do so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.run_profiles.contribution import entries_of_pools
from workbench.core.ranking import IntArray
from workbench.scoring.board import Scoring
from workbench.scoring.board.changed_ids import numbers_now
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import choices, pools, runs, topics
from workbench.storage.campaign.collection.runs import StoredRun

By = Literal["team", "run"]


class Group(NamedTuple):
    """Runs that are left out together: a team, or one run.

    Attributes:
        name: the team's name, or the run's tag.
        numbers: the numbers of its runs, withdrawn ones too.
        columns: the places on the board of those that take part.
    """

    name: str
    numbers: tuple[int, ...]
    columns: tuple[int, ...]


class Origin(NamedTuple):
    """The entries of the pools: run `run[i]` put the pair with the cell `cell[i]` of the labels into a pool.

    Attributes:
        cell: int64 (E).
        run: int64 (E). The numbers of the runs.
        not_counted: a sentence on each pool that cannot be made again here.
    """

    cell: IntArray
    run: IntArray
    not_counted: tuple[str, ...] = ()

    def pooled(self, size: int) -> NDArray[np.bool_]:
        """Whether any run put the pair into a pool, bool (size,)."""
        mask = np.zeros(size, np.bool_)
        mask[self.cell] = True
        return mask

    def alone(self, groups: Sequence[Group], size: int) -> NDArray[np.int32]:
        """The place of the only group that put a pair into a pool, int32 (size,); -1 for none and for several."""
        largest = max((number for group in groups for number in group.numbers), default=0)
        # A run that is in no group still put its pairs there: it has a place of its own after them.
        of_run = np.arange(len(groups), len(groups) + largest + 1, dtype=np.int32)
        for place, group in enumerate(groups):
            of_run[list(group.numbers)] = place
        who = of_run[self.run]
        least, most = np.full(size, np.iinfo(np.int32).max, np.int32), np.full(size, -1, np.int32)
        np.minimum.at(least, self.cell, who)
        np.maximum.at(most, self.cell, who)
        return np.where((least == most) & (most < len(groups)), most, np.int32(-1))


def groups_of(campaign: Campaign, scoring: Scoring, by: By) -> list[Group]:
    """The teams in the order in which their first runs were added, or the runs; a run without a team is its own."""
    column = {run.run: place for place, run in enumerate(scoring.runs)}
    together: dict[tuple[str, str], list[StoredRun]] = {}
    for run in runs.all_runs(campaign):
        team = run.record.team if by == "team" else ""
        together.setdefault(("team", team) if team else ("run", run.record.tag), []).append(run)
    return [
        Group(
            name,
            tuple(run.run for run in members),
            tuple(column[run.run] for run in members if run.run in column),
        )
        for (_, name), members in together.items()
    ]


def origin_of(campaign: Campaign, scoring: Scoring) -> Origin:
    """The entries of all pools in force."""
    made = pools.in_force(campaign)
    if not made:
        return Origin(np.zeros(0, np.int64), np.zeros(0, np.int64))
    topic_ids = topics.topic_ids(campaign)
    chosen = choices.all_choices(campaign)
    entries, not_counted = entries_of_pools(campaign.now, made, chosen, topic_ids)
    place = {topic_id: topic for topic, topic_id in enumerate(scoring.topic_ids)}
    start = scoring.labels.topic_start[[place[topic_id] for topic_id in topic_ids]]
    nothing = np.zeros(0, np.int64)
    pair, run = (np.concatenate(column) for column in zip((nothing, nothing), *entries, strict=True))
    topic = pair >> 32
    document = numbers_now(campaign, scoring, topic_ids, topic, pair & 0xFFFFFFFF)
    return Origin(start[topic] + document, run, not_counted)


def origin_to_depth(scoring: Scoring, depth: int) -> Origin:
    """As if the contributing runs that take part had been pooled to a depth."""
    contributing = [place for place, run in enumerate(scoring.runs) if run.record.contributes]
    near = scoring.rankings.of_runs(contributing).to_depth(depth)
    number = np.array([run.run for run in scoring.runs], np.int64)
    cell = np.repeat(scoring.labels.topic_start[near.topic], near.lengths) + near.document
    return Origin(cell, np.repeat(number[near.run], near.lengths))
