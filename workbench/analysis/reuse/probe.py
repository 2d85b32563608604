"""A probe: what chance drew from the pairs that a strategy or a depth had left tells what the rest of them holds.

A pool of `uniform` draws from all candidates of its runs, whatever is judged. Those of its pairs that were not judged
when it was made are a random sample of all that was not judged then. What a strategy took first says how to order the
others: priors learned from it give each pair and each topic a score. How often pairs of these scores, of a rank and a
number of runs are relevant, topic by topic and run by run, is learned from the probe alone.

What waits are here all candidates of the probe without a judgment, pooled or not: the question is what the leaderboard
would be if the pool that the probe was drawn from were judged whole.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.reuse.by_chance import LEAST_PROBE
from workbench.analysis.reuse.pair_features import Unjudged, cells_of, features_of
from workbench.core.errors import UnknownName
from workbench.core.ranking import POOLED, IntArray
from workbench.core.wording import counted
from workbench.methods.pooling import STRATEGIES, TIES
from workbench.methods.statistics.relevance_priors import Features, fit_priors
from workbench.scoring.board import Scoring
from workbench.setup.adaptive_pools import is_adaptive
from workbench.setup.pools.made_again import frame_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, runs
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.grades.labels import grades_by_topic

DESIGN = "uniform"
"""The strategy that draws probes."""

BUDGETS = (5, 10, 20, 50, 100)
"""Percents of each topic's candidates: the smallest that is large enough is proposed."""

MOST_SINCE = 0.02
"""Of what was left when the probe was drawn and is not in it, so much may have been judged since."""


class Probe(NamedTuple):
    """A probe and what it was drawn from.

    Attributes:
        pool: its number.
        scoring: of the campaign, with all that waits labelled as pooled.
        pairs: the candidates of the probe, and what else is pooled.
        why_not: why nothing can be learned from it, as far as the log tells; "" where it does not say so.
        unfinished: whether that is because some of its pairs wait.
    """

    pool: int
    scoring: Scoring
    pairs: Unjudged
    why_not: str
    unfinished: bool


def newest_probe(campaign: Campaign, scoring: Scoring, columns: Sequence[int] | None = None) -> Probe | None:
    """The newest pool in force that chance drew after other pairs were judged; None where there is none.

    Args:
        campaign: an open campaign.
        scoring: of it, of any row of the log.
        columns: as in `features_of`.
    """
    drawn = [pool for pool in pools.in_force(campaign, scoring.head.seq) if pool.record.strategy == DESIGN]
    if not drawn:
        return None
    pool = drawn[-1]
    if set(pool.record.runs).difference(run.record.tag for run in runs.all_runs(campaign)):
        return None  # a run that it was drawn from is not in this file
    try:
        frame, topic_ids = frame_of(campaign, pool)
    except UnknownName:  # its parameters are no longer those of the strategy
        return None
    candidates, by_chance = frame.pairs, frame.pairs.inclusion_probability < 1
    place = {topic_id: topic for topic, topic_id in enumerate(scoring.topic_ids)}
    topic = np.array([place.get(topic_id, -1) for topic_id in topic_ids], np.int64)[candidates.topic]
    ends = scoring.labels.topic_start[1:]
    cell = scoring.labels.topic_start[topic] + candidates.document.astype(np.int64)
    there = (topic >= 0) & (cell < ends[topic])
    size = len(scoring.labels.label)
    frame_cells, open_cells, drawn_cells = (
        _mask(size, cell[there & which])
        for which in (np.ones(len(cell), np.bool_), by_chance, frame.drawn & by_chance)
    )
    before = _judged(campaign, scoring, pool.seq, size)
    if not before.any():
        return None
    known = _judged(campaign, scoring, scoring.head.seq, size)
    waits = ~known & (frame_cells | (scoring.labels.label == POOLED))
    left = open_cells & ~before
    why = _why_not(pool.pool, left, drawn_cells, known, waits)
    label = scoring.labels.label.copy()
    label[waits] = POOLED
    labels = replace(scoring.labels, label=label)
    seen = replace(scoring, labels=labels, num_judged=labels.num_judged(), num_waiting=labels.count(waits))
    pairs = _pairs(seen, frame_cells, left & drawn_cells & known, waits, columns)
    return Probe(pool.pool, seen, pairs, why, bool((left & drawn_cells & ~known).any()))


class WayOut(NamedTuple):
    """The commands that draw a probe, and how many pairs it then has to be judged."""

    commands: tuple[str, ...]
    pairs: int

    def __str__(self) -> str:
        return (
            f"{', then '.join(self.commands)}, and judge its {counted(self.pairs, 'pair')} without a judgment"
        )


def way_out(campaign: Campaign, scoring: Scoring, waiting: Collection[int]) -> WayOut | None:
    """How to draw a probe of the candidates of the pools in force; None where too few have no judgment.

    First the pools are retired of which something is `waiting`, and those that may choose more.
    """
    made = pools.in_force(campaign, scoring.head.seq)
    depth = max((int(pool.record.parameters.get("depth") or 0) for pool in made), default=0)
    contributing = [column for column, run in enumerate(scoring.runs) if run.record.contributes]
    if not depth or not contributing:
        return None
    rankings = TIES.find("descending")(scoring.rankings.of_runs(contributing))
    seed = 1 + sum(pool.record.strategy == DESIGN for pool in pools.all_pools(campaign))
    for percent in BUDGETS:
        sample = STRATEGIES.find(DESIGN).function(rankings, depth=depth, percent=percent, seed=seed)
        cell = scoring.labels.topic_start[sample.topic] + sample.document.astype(np.int64)
        left = int((scoring.labels.label[cell] <= POOLED).sum())
        if left >= LEAST_PROBE:
            open_pools = [pool.pool for pool in made if is_adaptive(pool) or pool.pool in waiting]
            options = f"--strategy {DESIGN} --depth {depth} --budget {percent}% --seed {seed}"
            of_campaign = [*(f"--retire {pool}" for pool in open_pools), options]
            return WayOut(
                tuple(f"workbench pool {shlex.quote(campaign.name)} {each}" for each in of_campaign), left
            )
    return None


def scored(pairs: Unjudged, label: NDArray[np.int16], rel: int, topics: int) -> Unjudged:
    """The pairs of a probe with features of which two are scores, of the pair and of its topic, and without bends.

    Args:
        pairs: with a probe.
        label: int16. The labels of all cells.
        rel: from this grade on a document is relevant.
        topics: how many topics there are.
    """
    first = ~pairs.waits & ~pairs.learned
    relevant = label[pairs.cell[first]] >= rel
    own = pairs.features.own[:, :3]
    if relevant.any() and not relevant.all():
        priors = fit_priors(pairs.features.rows(first), pairs.topic[first], relevant, topics)
        of_topic = priors.mean[pairs.features.number :][pairs.topic]
        of_pair = priors.logits(pairs.features, pairs.topic, priors.mean) - of_topic
        own = np.column_stack([own, of_pair, of_topic])
    return pairs._replace(features=Features(own, pairs.features.of_runs))


def _judged(campaign: Campaign, scoring: Scoring, as_of: int, size: int) -> NDArray[np.bool_]:
    """Which cells had a judgment as of a row of the log, "can't tell" included, bool (size)."""
    grades_of = grades_by_topic(campaign, as_of)
    graded = ((topic_id, each) for topic_id in scoring.topic_ids for each in grades_of(topic_id))
    found = _mask(size, cells_of(scoring, graded))
    return found | _mask(size, cells_of(scoring, judgments.without_grade(campaign, as_of)))


def _mask(size: int, cell: IntArray) -> NDArray[np.bool_]:
    mask = np.zeros(size, np.bool_)
    mask[cell] = True
    return mask


def _why_not(
    pool: int,
    left: NDArray[np.bool_],
    drawn: NDArray[np.bool_],
    known: NDArray[np.bool_],
    waits: NDArray[np.bool_],
) -> str:
    """Why the log says that nothing can be learned from a probe; "" where it does not. All masks are of cells."""
    if unjudged := int((left & drawn & ~known).sum()):
        drawn_pairs = counted(int((left & drawn).sum()), "pair")
        return (
            f"of the {drawn_pairs} that pool {pool} drew by chance from what was left, {unjudged:,} wait for a "
            "judgment: judge these first"
        )
    if outside := int((waits & ~left).sum()):
        return f"{counted(outside, 'pair')} that wait had no chance to be drawn by pool {pool}"
    since, others = int((left & ~drawn & known).sum()), int((left & ~drawn).sum())
    if since > MOST_SINCE * others:
        return (
            f"{counted(since, 'pair')} that pool {pool} did not draw were judged since, so that it tells nothing of "
            "what is left now"
        )
    return ""


def _pairs(
    scoring: Scoring,
    candidates: NDArray[np.bool_],
    probe: NDArray[np.bool_],
    waits: NDArray[np.bool_],
    columns: Sequence[int] | None,
) -> Unjudged:
    """All candidates, and what else waits; the masks are of cells."""
    cell = np.flatnonzero(candidates | waits)
    topic = np.searchsorted(scoring.labels.topic_start, cell, side="right") - 1
    return Unjudged(cell, topic, features_of(scoring, cell, None, columns), waits[cell], None, probe[cell])
