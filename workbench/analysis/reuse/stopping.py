"""What the leaderboard might be if the rest of the pools were judged: labels of the unjudged pairs are drawn.

How likely a pair is relevant is learned from the judged ones of the same pools: by its best rank, by how many runs have
it, by which of them and how high, by the pool it is from, and by its topic. The curves over ranks may bend, each run's
in its own way, so that what is drawn for ranks at which nothing is judged is uncertain. Higher grades are learned alike
from the relevant ones. A topic of which nothing is judged scores in each draw as another one does, taken from an urn:
what sets runs apart from topic to topic is more than the model knows. This is a simulation, and its ranges are no
confidence intervals: docs/reuse.md says how often they hold what full judging gives. Where chance did not decide what
is judged they do not, and nothing is drawn (`by_chance`), unless chance drew a sample of what was left (`probe`).

Source: after M. Fröbe, L. Gienapp, M. Potthast, M. Hagen, Bootstrapped nDCG Estimation in the Presence of Unjudged
Documents, ECIR 2023, who draw labels for one measure from how often runs and pools have relevant documents. The urn is
that of M. Ghosh and G. Meeden, Bayesian Methods for Finite Population Sampling, 1997.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.comparing.leaderboards import ranks_of
from workbench.analysis.reuse.by_chance import why_not
from workbench.analysis.reuse.drawing import drawn_labels, learned_steps
from workbench.analysis.reuse.held_out import Check, best_ranks, check
from workbench.analysis.reuse.leaving_out import refuse
from workbench.analysis.reuse.pair_features import Unjudged, pooled_pairs
from workbench.analysis.reuse.probe import Probe, WayOut, newest_probe, scored, way_out
from workbench.analysis.reuse.ranges import Range, middle_of
from workbench.analysis.reuse.untouched import Urn, bound_values
from workbench.analysis.run_profiles.table import scoring_of
from workbench.core.errors import CampaignError
from workbench.core.ranking import FloatArray, Labels
from workbench.core.seed import SEED
from workbench.core.wording import listed
from workbench.methods.measures import BoundMeasure, over_topics, parse_measure
from workbench.methods.statistics.arrays import Progress
from workbench.methods.statistics.rank_correlation import tau_ap_a, tau_b
from workbench.scoring.board import Scoring
from workbench.scoring.board.counted_topics import counted, in_the_end
from workbench.setup.adaptive_pools import is_adaptive
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools

DRAWS = 200
LEAST_DRAWS = 40
ENTRIES = 2_000_000_000
"""This many ranked documents are scored in all. With more there are fewer draws, and runs of lower scores are left out
where even LEAST_DRAWS draws of all runs would score more.
"""

NOTHING_WAITS = "no pooled pair waits for a judgment, so stopping now loses nothing of the pools"

SHUFFLED, MOST_BEGUN = "shuffle", 0.1
"""The viewing order that leaves to chance what is judged first; with others, so many of the pairs that wait may be of
topics that have been begun.
"""


class RunRange(NamedTuple):
    """A run now, in the draws (None where there are none), and what is possible at all (None without bounds).

    `low` and `high` hold the middle 95 % of its scores in the draws; ranks are from 1.
    """

    run: str
    score: float
    low: float | None
    high: float | None
    lower: float | None
    upper: float | None
    rank: int
    best_rank: int | None
    worst_rank: int | None


class Probed(NamedTuple):
    """How many pairs the probe of a pool has of what was left, and how many of them are relevant."""

    pool: int
    pairs: int
    relevant: int


class Stopped(NamedTuple):
    """What would be lost by stopping now, as of row `seq` of the log.

    Attributes:
        seq: that row.
        measure: what the runs are scored on.
        judged: how many pooled pairs have a grade.
        waiting: how many pooled pairs have none.
        draws: how often their labels were drawn; 0 where they were not, with all else of the draws None.
        seed: of the draws.
        relevant: how many of them are relevant.
        tau: Kendall's tau_b of the leaderboard now and those of the draws; None where one side ties all runs.
        tau_ap: AP correlation, the order of now being walked down.
        same_best: in what share of the draws the best run of now is the best.
        check: how well the priors predict judged pairs of topics that they were not learned from.
        ranges: each run, best first.
        why_none: why no labels were drawn; "" where they were.
        way_out: how to draw a probe, where nothing was drawn; None where none would help.
        probe: what labels are learned from, where it is not all that is judged.
        left_out: the runs of lower scores that nothing is said of, since drawing would take too long; ranks and
            orders are those of the others.
    """

    seq: int
    measure: BoundMeasure
    judged: int
    waiting: int
    draws: int
    seed: int
    relevant: Range | None
    tau: Range | None
    tau_ap: Range | None
    same_best: float | None
    check: Check | None
    ranges: tuple[RunRange, ...]
    why_none: str = ""
    way_out: WayOut | None = None
    probe: Probed | None = None
    left_out: tuple[str, ...] = ()


def if_stopped(
    campaign: Campaign,
    measure: str = "AP",
    *,
    as_of: int | None = None,
    draws: int = DRAWS,
    seed: int = SEED,
    progress: Progress | None = None,
) -> Stopped:
    """Draw labels for the pairs that wait, and compare the leaderboards with that of now.

    Args:
        campaign: an open campaign.
        measure: one measure in either notation.
        as_of: a row of the log; None for now.
        draws: how often labels are drawn; fewer where that takes too long, at least LEAST_DRAWS.
        seed: where chance starts.
        progress: called with how many more leaderboards are done.

    Raises:
        UnknownName: a measure that does not exist, or does not rank runs by labels alone.
        CampaignError: no pair waits, no run takes part, or too little is judged to learn from.
    """
    scoring = scoring_of(campaign, as_of)
    bound = parse_measure(measure, defaults={"rel": scoring.relevant_from})
    refuse(bound)
    kept = affordable(scoring, bound)
    pairs = pooled_pairs(campaign, scoring, kept)
    open_pools = set() if pairs.pool is None else set(pairs.pool[pairs.waits].tolist())
    why = (_chosen(campaign, as_of, pairs) or why_not(pairs)) if pairs.waits.any() else NOTHING_WAITS
    probe = newest_probe(campaign, scoring, kept) if why else None
    if probe is not None and probe.pairs.waits.any():
        scoring, pairs, why = probe.scoring, probe.pairs, probe.why_not or why_not(probe.pairs)
    if not pairs.waits.any() and (way := way_out(campaign, scoring, open_pools)):
        message = f"{NOTHING_WAITS}; of candidates that are not pooled a probe tells: {way}"
        raise CampaignError(message)
    part = scoring.of_runs(kept)
    if why:
        found = _not_drawn(part, bound, pairs, seed, why)
        if probe is None or not probe.unfinished:
            found = found._replace(way_out=way_out(campaign, scoring, open_pools))
    else:
        found = simulated(part, bound, pairs, draws=draws, seed=seed, progress=progress)
    others = set(range(len(scoring.runs))).difference(kept)
    left_out = tuple(scoring.tags[run] for run in sorted(others))
    return found._replace(left_out=left_out, probe=None if probe is None else _probed(probe, bound.rel))


def _probed(probe: Probe, rel: int) -> Probed:
    drawn = probe.scoring.labels.label[probe.pairs.cell[probe.pairs.learned]]
    return Probed(probe.pool, len(drawn), int((drawn >= rel).sum()))


def _chosen(campaign: Campaign, as_of: int | None, pairs: Unjudged) -> str:
    """What else than chance is recorded to have decided what is judged, as a reason; "" where nothing is."""
    of_waiting = set() if pairs.pool is None else set(pairs.pool[pairs.waits].tolist())
    waiting = [pool for pool in pools.in_force(campaign, as_of) if pool.pool in of_waiting]
    if names := {pool.record.strategy for pool in waiting if is_adaptive(pool)}:
        return f"{listed(sorted(names))} chose what is judged by the judgments so far"
    begun = np.isin(pairs.topic, pairs.topic[~pairs.waits])
    orders = sorted({pool.record.viewing for pool in waiting} - {SHUFFLED})
    if orders and begun[pairs.waits].mean() > MOST_BEGUN:
        return f"topics are judged in part, in the viewing order “{listed(orders)}”"
    return ""


def _not_drawn(scoring: Scoring, measure: BoundMeasure, pairs: Unjudged, seed: int, why: str) -> Stopped:
    """What is known without draws: scores, ranks, and the hard bounds."""
    _refuse_nothing_to_lose(scoring, pairs)
    now = _scores(scoring, scoring.labels, measure, scoring.settled(measure), counted(scoring, measure))
    sign = -1.0 if measure.best == "lowest" else 1.0
    return Stopped(
        seq=scoring.head.seq,
        measure=measure,
        judged=int((~pairs.waits).sum()),
        waiting=int(pairs.waits.sum()),
        draws=0,
        seed=seed,
        relevant=None,
        tau=None,
        tau_ap=None,
        same_best=None,
        check=None,
        ranges=_ranges(scoring, measure, now, None, sign),
        why_none=why,
    )


def affordable(scoring: Scoring, measure: BoundMeasure) -> list[int]:
    """The columns of the runs that draws can be made for: the best ones, two at least, as many as ENTRIES allows."""
    runs, most = range(len(scoring.runs)), ENTRIES // LEAST_DRAWS
    if len(scoring.rankings.document) <= most:
        return list(runs)
    now = _scores(scoring, scoring.labels, measure, scoring.settled(measure), counted(scoring, measure))
    best = np.argsort(now if measure.best == "lowest" else -now, kind="stable")
    lengths = scoring.rankings.lengths.reshape(scoring.shape).sum(axis=0)
    number = int((np.cumsum(lengths[best]) <= most).sum())
    return sorted(best[: max(2, number)].tolist())


def simulated(
    scoring: Scoring,
    measure: BoundMeasure,
    pairs: Unjudged,
    *,
    draws: int = DRAWS,
    seed: int = SEED,
    progress: Progress | None = None,
) -> Stopped:
    """The draws; arguments and errors otherwise as in `if_stopped`."""
    _refuse_nothing_to_lose(scoring, pairs)
    if pairs.probe is not None:
        pairs = scored(pairs, scoring.labels.label, measure.rel, len(scoring.topic_ids))
    steps = learned_steps(scoring, measure.rel, pairs)
    settled, rng = scoring.settled(measure), np.random.default_rng(seed)
    affordable = ENTRIES // max(len(scoring.rankings.document), 1)
    number = min(draws, max(LEAST_DRAWS, affordable))
    now = _scores(scoring, scoring.labels, measure, settled, counted(scoring, measure))
    urn, found, relevant = Urn(scoring, measure, pairs), [], []
    for labels in drawn_labels(scoring, pairs, steps, number, rng):
        values = urn.fill(replace(scoring, labels=labels).values_of([settled])[settled], rng)
        found.append(over_topics(measure, values, labels, in_the_end(scoring)))
        relevant.append(int((labels.label[pairs.cell[pairs.waits]] >= measure.rel).sum()))
        (progress or (lambda steps: None))(1)
    sign = -1.0 if measure.best == "lowest" else 1.0
    scores = np.array(found)
    taus = [tau_b(sign * row, sign * now) for row in scores]
    tau_aps = [
        None if tau is None else tau_ap_a(sign * row, sign * now)
        for tau, row in zip(taus, scores, strict=True)
    ]
    ranks = np.array([ranks_of(sign * row) for row in scores])
    return Stopped(
        seq=scoring.head.seq,
        measure=measure,
        judged=int((~pairs.waits).sum()),
        waiting=int(pairs.waits.sum()),
        draws=number,
        seed=seed,
        relevant=middle_of([float(each) for each in relevant]) or Range(0, 0, 0),
        tau=middle_of(taus),
        tau_ap=middle_of(tau_aps),
        same_best=float((ranks[:, np.array(ranks_of(sign * now)) == 1] == 1).any(axis=1).mean()),
        check=_checked(scoring, measure.rel, pairs, seed),
        ranges=_ranges(scoring, measure, now, scores, sign),
    )


def _refuse_nothing_to_lose(scoring: Scoring, pairs: Unjudged) -> None:
    if not pairs.waits.any():
        raise CampaignError(NOTHING_WAITS)
    if not scoring.runs:
        message = "no run takes part, so there is no leaderboard"
        raise CampaignError(message)


def _checked(scoring: Scoring, rel: int, pairs: Unjudged, seed: int) -> Check:
    known = pairs.learned
    relevant = scoring.labels.label[pairs.cell[known]] >= rel
    waiting = best_ranks(pairs.features.rows(pairs.waits))
    return check(
        pairs.features.rows(known),
        pairs.topic[known],
        relevant,
        waiting,
        len(scoring.topic_ids),
        seed,
        None if pairs.pool is None else pairs.pool[known],
    )


def _scores(
    scoring: Scoring, labels: Labels, measure: BoundMeasure, settled: BoundMeasure, topics: NDArray[np.bool_]
) -> FloatArray:
    values = replace(scoring, labels=labels).values_of([settled])[settled]
    return over_topics(measure, values, labels, topics)


def _ranges(
    scoring: Scoring, measure: BoundMeasure, now: FloatArray, scores: FloatArray | None, sign: float
) -> tuple[RunRange, ...]:
    """Each run, best first; `scores`, float64 (draws, runs), are None where nothing was drawn."""
    nothing: list[Any] = [None] * len(now)
    low, high, best, worst = nothing, nothing, nothing, nothing
    if scores is not None:
        low, high = np.quantile(scores, [0.025, 0.975], axis=0).tolist()
        ranks = np.array([ranks_of(sign * row) for row in scores])
        best, worst = ranks.min(axis=0).tolist(), ranks.max(axis=0).tolist()
    bounds = (bound_values(scoring, measure, side) for side in ("lower", "upper"))
    lower, upper = (
        nothing if each is None else over_topics(measure, each, scoring.labels, in_the_end(scoring)).tolist()
        for each in bounds
    )
    rank = ranks_of(sign * now)
    places = zip(scoring.tags, now.tolist(), low, high, lower, upper, rank, best, worst, strict=True)
    return tuple(sorted((RunRange(*place) for place in places), key=lambda one: (one.rank, one.run)))
