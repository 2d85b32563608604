"""How far a campaign's leaderboards agree with what users did, and which measure agrees best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np

from workbench.analysis.battles.board import leaderboards
from workbench.analysis.comparing.scores import Scored, scores_of
from workbench.analysis.registry import ANALYSES, analysis
from workbench.core.errors import UnknownName
from workbench.core.parameters import Limits
from workbench.core.results import FLAT, Column
from workbench.core.seed import SEED
from workbench.core.wording import none_such
from workbench.formats.tables.sheets import sheet_of
from workbench.jobs.processes import OnStep
from workbench.methods.online.metrics import USUAL
from workbench.methods.statistics.arrays import NOISE, FloatArray
from workbench.methods.statistics.intervals import FEWEST_TOPICS, Interval, resampled_means
from workbench.methods.statistics.rank_correlation import correlations_of_each, tau_b
from workbench.scoring.board.table import usual_measures
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs, user_outcomes
from workbench.storage.campaign.collection.user_outcomes import CLICKS, INTERLEAVING, PairRow, UserOutcomes
from workbench.storage.campaign.log import log

LEVEL, DRAWS, MANY_RUNS = 0.05, 1000, 60
OnlineMetric = Annotated[str, Limits("The metric of clicks")]
NOTHING = UserOutcomes("", ())


class MeasureAgreement(NamedTuple):
    """How far one measure agrees with users.

    Attributes:
        tau_b: Kendall's tau_b between its leaderboard and the order of runs by the metric of clicks; None without two
            runs that differ on both sides.
        tau_b_draws: where it lies in the middle 95 % of the draws: topics drawn again, metrics with normal errors. No
            confidence interval.
        best_in: the share of the draws in which it has the highest tau_b of all measures here.
        same: of the pairs of runs that interleaving decides (p below .05 after Holm's correction), how many it orders
            as users do.
        opposite: how many it orders the other way round.
    """

    measure: str
    tau_b: Annotated[float | None, Column("τ_b")]
    tau_b_draws: Annotated[Interval | None, FLAT, Column("τ_b", "tau_b")]
    best_in: Annotated[float | None, Column("Best in draws", kind="size")]
    same: Annotated[int, Column("Pairs as users")]
    opposite: Annotated[int, Column("Pairs opposite")]


class RunOnline(NamedTuple):
    """The metric of a run: its value, standard error (None where nothing can be claimed), and how many units."""

    run: str
    value: float
    error: Annotated[float | None, Column("Standard error")]
    units: int


class OnlineAgreement(NamedTuple):
    """How far leaderboards agree with what users did, as of row `seq` of the log.

    Attributes:
        metric: of clicks, by which users order the runs.
        unit: what its sample is; "" where no log of clicks was added.
        decided: how many pairs of runs in force interleaving decides, of `pairs` that were interleaved.
        runs: the runs in force that users saw, in their order.
        measures: those of the leaderboard, in the order of tau_b.
    """

    seq: int
    metric: str
    unit: str
    pairs: int
    decided: int
    runs: tuple[RunOnline, ...]
    measures: tuple[MeasureAgreement, ...]


@analysis(
    "online",
    called="Leaderboards against users",
    sheet=lambda found: sheet_of(MeasureAgreement, found.measures),
    is_large=lambda campaign, values: len(runs.in_force(campaign)) > MANY_RUNS,
)
def online(campaign: Campaign, on_step: OnStep, *, metric: OnlineMetric = "CTR@10") -> OnlineAgreement:
    """How far the order of runs by each measure agrees with what users did."""
    if metric not in USUAL:
        raise UnknownName(none_such("metric", metric, list(USUAL), shown=len(USUAL)))
    with campaign.snapshot():
        seq, added = log.head(campaign).seq, user_outcomes.newest(campaign)
        tags = {run.run: run.record.tag for run in runs.in_force(campaign)}
        judged = next(iter(leaderboards(campaign)), campaign)
        names = [name for name in usual_measures(judged) if not name.startswith("Judged")] if added else []
        boards = [board for name in names if (board := scores_of(judged, name)).topic_ids]
    clicks, sign = added.get(CLICKS, NOTHING), -1.0 if USUAL[metric].lowest_is_best else 1.0
    seen = [
        RunOnline(tags[run], value, error, units)
        for run, name, units, value, error in clicks.metrics
        if name == metric and run in tags and value is not None
    ]
    pairs = [row for row in added.get(INTERLEAVING, NOTHING).preferences if row[0] in tags and row[1] in tags]
    decided = [row for row in pairs if row[4] is not None and row[4] < LEVEL]
    found = _measures(boards, seen, sign, decided, tags)
    found.sort(key=lambda each: -2.0 if each.tau_b is None else each.tau_b, reverse=True)
    seen.sort(key=lambda each: -sign * each.value)
    return OnlineAgreement(seq, metric, clicks.unit, len(pairs), len(decided), tuple(seen), tuple(found))


def _measures(
    boards: Sequence[Scored],
    seen: Sequence[RunOnline],
    sign: float,
    decided: Sequence[PairRow],
    tags: dict[int, str],
) -> list[MeasureAgreement]:
    by_tag = {each.run: each for each in seen}
    shared = [tag for tag in (boards[0].tags if boards else ()) if tag in by_tag]
    draws = _draws(boards, [by_tag[tag] for tag in shared], sign)
    best = _best_in(draws) if draws else [None] * len(boards)
    found = []
    for place, board in enumerate(boards):
        merits = dict(zip(board.tags, board.merits.tolist(), strict=True))
        tau = tau_b([sign * by_tag[tag].value for tag in shared], [merits[tag] for tag in shared])
        orders = [
            np.sign(merits[tags[one]] - merits[tags[other]]) * np.sign(by or 0)
            for one, other, _, by, _ in decided
            if tags[one] in merits and tags[other] in merits  # rankings are not on a board of answers
        ]
        there = draws[place][np.isfinite(draws[place])] if draws else np.empty(0)
        middle = Interval(*np.quantile(there, [0.025, 0.975]).tolist()) if len(there) else None
        counts = orders.count(1), orders.count(-1)
        found.append(MeasureAgreement(str(board.measure), tau, middle, best[place], *counts))
    return found


def _draws(boards: Sequence[Scored], seen: Sequence[RunOnline], sign: float) -> list[FloatArray]:
    """tau_b of each measure in each draw, nan where it is not defined; [] where nothing can be drawn.

    The errors of runs are independent, as those of other users are; draws of topics and users are the same for all
    measures of the same topics.
    """
    errors = [each.error for each in seen if each.error is not None]
    if len(errors) < max(len(seen), 2) or any(len(board.topic_ids) < FEWEST_TOPICS for board in boards):
        return []
    noise = np.random.default_rng(SEED).normal(size=(DRAWS, len(seen)))
    users = sign * (np.array([each.value for each in seen]) + noise * np.array(errors))
    found = []
    for board in boards:
        here = board.of_runs([each.run for each in seen])
        drawn = resampled_means(here.summands, resamples=DRAWS, rng=np.random.default_rng(SEED + 1))
        turned = -drawn if board.measure.best == "lowest" else drawn
        found.append(correlations_of_each(users, turned).tau_b)
    return found


def _best_in(draws: Sequence[FloatArray]) -> list[float]:
    """The share of draws in which each measure is the best: those that tie share one, those without tau have none."""
    taus = np.nan_to_num(np.array(draws), nan=-2.0)
    best = (taus >= taus.max(axis=0) - NOISE) & (taus > -2)
    shares: list[float] = (best / np.maximum(best.sum(axis=0), 1)).mean(axis=1).tolist()
    return shares


ONLINE = ANALYSES["online"]
