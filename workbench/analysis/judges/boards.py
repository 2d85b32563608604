"""Leaderboards of judges against those of one or more truths, for the runs and topics that both have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Annotated, NamedTuple

import numpy as np

from workbench.core.results import FLAT, Column
from workbench.core.seed import SEED
from workbench.methods.statistics.all_pairs import Kept, kept_of, of_pairs, pairwise_t, significant_pairs
from workbench.methods.statistics.arrays import FloatArray, levels
from workbench.methods.statistics.intervals import FEWEST_TOPICS, Interval, resampled_means, t_interval
from workbench.methods.statistics.paired import holm
from workbench.methods.statistics.rank_correlation import correlations_of_each, tau_b_of_each

if TYPE_CHECKING:
    import polars as pl


class Submission(NamedTuple):
    """What a judge or a truth is called, and its scores: columns run, topic (null: of all topics), measure, value."""

    name: str
    scores: pl.DataFrame


def under_code(given: Submission, code: str, *, whole: bool = False) -> Submission:
    """The same by a code. A measure that is called as its judge is numbered, as all are where names are `whole`."""
    import polars as pl

    parts = [part for part in re.split(r"/|\.[a-z]+", given.name.lower()) if part]
    every = given.scores["measure"].unique().sort().to_list()
    own = [each for each in every if whole or any(part in each.lower() for part in parts)]
    hidden = {name: f"measure {number}" for number, name in enumerate(own, start=1)}
    return Submission(code, given.scores.with_columns(pl.col("measure").replace(hidden)))


class Asked(NamedTuple):
    """Which measures of truths and judges to compare (all where it names none), at the top of which sizes, and how
    often topics are drawn again (0: never); of labels the smallest relevant grade.
    """

    truth_measures: Sequence[str] = ()
    measures: Sequence[str] = ()
    best: Sequence[int] = ()
    resamples: int = 1000
    seed: int = SEED
    relevant_from: int = 1


class JudgedBoard(NamedTuple):
    """How much a judge's leaderboard agrees with a truth's, by one measure of each.

    A score that one of them lacks, of a run and a topic that both have, counts 0. Significant is what a paired t-test
    finds at .05 after Holm's correction for all pairs of these runs.

    Attributes:
        truth, judge: what they are called.
        best: how many runs at the top of the truth are compared, with those that tie with the last; None for all.
        runs, runs_missing: how many runs both have, and how many only the truth has.
        topics, topics_missing: the same of topics; 0 topics where only scores of all topics together are there.
        scores_missing: how many scores of these runs and topics the judge lacks.
        tau: Kendall's tau, tied pairs counting 0; None as all coefficients where they are not defined.
        tau_b: Kendall's tau corrected for ties.
        tau_ap: AP correlation corrected for ties.
        pearson: Pearson's correlation of the means.
        spearman: Pearson's correlation of the ranks.
        tau_draws, tau_b_draws, tau_ap_draws, pearson_draws, spearman_draws: where it lies in the middle 95 % of the
            draws when topics are drawn again. No confidence interval.
        topic_tau_b: the mean of tau_b by topic, over the topics for which it is defined.
        topic_tau_b_95: the interval of 95 % of this mean (Student's t); None with fewer than five topics.
        pairs: what becomes of significant pairs of runs; None with fewer than two topics.
    """

    truth: str
    judge: str
    truth_measure: str
    measure: str
    best: Annotated[int | None, Column("Best")]
    runs: int
    runs_missing: int
    topics: int
    topics_missing: int
    scores_missing: int
    tau: Annotated[float | None, Column("τ")]
    tau_draws: Annotated[Interval | None, FLAT, Column("τ", "tau")]
    tau_b: Annotated[float | None, Column("τ_b")]
    tau_b_draws: Annotated[Interval | None, FLAT, Column("τ_b", "tau_b")]
    tau_ap: Annotated[float | None, Column("τ_AP")]
    tau_ap_draws: Annotated[Interval | None, FLAT, Column("τ_AP", "tau_ap")]
    pearson: Annotated[float | None, Column("Pearson")]
    pearson_draws: Annotated[Interval | None, FLAT, Column("Pearson", "pearson")]
    spearman: Annotated[float | None, Column("Spearman")]
    spearman_draws: Annotated[Interval | None, FLAT, Column("Spearman", "spearman")]
    topic_tau_b: Annotated[float | None, Column("τ_b by topic")]
    topic_tau_b_95: Annotated[Interval | None, FLAT, Column("τ_b by topic", "topic_tau_b")]
    pairs: Annotated[Kept | None, FLAT]


def compared_boards(truth: Submission, judge: Submission, asked: Asked) -> Iterator[JudgedBoard]:
    """A judge against a truth, by each of the measures, over all runs and at the top.

    Raises NotThere for a measure that one of them lacks.
    """
    both = product(_boards(truth, asked.truth_measures), _boards(judge, asked.measures))
    for (truth_measure, of_truth), (measure, of_judge) in both:
        names = truth.name, judge.name, truth_measure, measure
        yield from _rows(names, of_truth, of_judge, asked)


def _boards(submission: Submission, measures: Sequence[str]) -> Iterator[tuple[str, pl.DataFrame]]:
    """The scores of a submission by each measure; NotThere for one that it lacks."""
    import polars as pl

    from workbench.core.errors import NotThere
    from workbench.core.wording import none_such

    there = submission.scores["measure"].unique().sort().to_list()
    for measure in measures or there:
        if measure not in there:
            raise NotThere(f"{submission.name}: {none_such('measure', measure, there)}")
        yield measure, submission.scores.filter(pl.col("measure") == measure)


def _rows(
    names: tuple[str, str, str, str], truth: pl.DataFrame, judge: pl.DataFrame, asked: Asked
) -> Iterator[JudgedBoard]:
    import polars as pl

    topics = _in_both(truth["topic"].drop_nulls(), judge["topic"].drop_nulls())
    compared = [side if topics else side.filter(pl.col("topic").is_null()) for side in (truth, judge)]
    runs = _in_both(*(side["run"] for side in compared))
    tables = [_table(side, topics or [None], runs) for side in compared]
    means = [np.nan_to_num(table).mean(axis=0) for table in tables]
    one, other = (table[: len(topics)] for table in tables)
    drawn = _drawn(np.nan_to_num(one), np.nan_to_num(other), asked)
    for best in (None, *asked.best):
        top = _top(means[0], best)
        values = map(_defined, correlations_of_each(*(side[None, top] for side in means)))
        draws = map(_middle, correlations_of_each(*(side[:, top] for side in drawn)))
        both = [np.nan_to_num(side[:, top]) for side in (one, other)]
        by_topic = tau_b_of_each(*both)
        yield JudgedBoard(  # type: ignore[call-arg]
            *names,
            best,
            len(top),
            truth["run"].n_unique() - len(runs),
            len(topics),
            truth["topic"].drop_nulls().n_unique() - len(topics),
            int(np.isnan(other[:, top]).sum()),
            *(part for pair in zip(values, draws, strict=True) for part in pair),  # type: ignore[arg-type]
            float(by_topic.mean()) if len(by_topic) else None,
            t_interval(by_topic, lowest=-1, highest=1),
            _kept(*both) if len(topics) > 1 and len(top) > 1 else None,
        )


def _in_both(ours: pl.Series, theirs: pl.Series) -> list[str]:
    return sorted(set(ours) & set(theirs))


def _table(scores: pl.DataFrame, topics: Sequence[str | None], runs: Sequence[str]) -> FloatArray:
    """The scores of these runs, float64 (topics, runs), the topic None for all together; nan where there is none."""
    import polars as pl

    places = [
        pl.col(column).replace_strict(names, range(len(names)), default=None, return_dtype=pl.Int64)
        for column, names in (("topic", topics), ("run", runs))
    ]
    topic, run, value = scores.select(*places, "value").drop_nulls().to_numpy().T
    found = np.full((len(topics), len(runs)), np.nan)
    found[topic.astype(int), run.astype(int)] = value
    return found


def _top(means: FloatArray, best: int | None) -> list[int]:
    """The places of the best runs, with those that tie with the last of them."""
    level = levels(means)
    least = np.sort(level)[-best] if best is not None and best < len(level) else 0
    return [int(place) for place in np.flatnonzero(level >= least)]


def _defined(values: FloatArray) -> float | None:
    return float(values[0]) if np.isfinite(values[0]) else None


def _drawn(one: FloatArray, other: FloatArray, asked: Asked) -> list[FloatArray]:
    """The means of both over topics drawn again, float64 (draws, runs): the same draws for every judge."""
    if not asked.resamples or len(one) < FEWEST_TOPICS:
        return [side[:0] for side in (one, other)]
    rng = np.random.default_rng(asked.seed)
    return np.hsplit(resampled_means(np.hstack([one, other]), resamples=asked.resamples, rng=rng), 2)


def _middle(values: FloatArray) -> Interval | None:
    """The middle 95 % of a coefficient over draws.

    No confidence interval, as `analysis.comparing.leaderboards` has it of tau_b.
    """
    there = values[np.isfinite(values)]
    return Interval(*np.quantile(there, [0.025, 0.975]).tolist()) if len(there) else None


def _kept(one: FloatArray, other: FloatArray) -> Kept:
    return kept_of(
        *(significant_pairs(holm(of_pairs(pairwise_t(side))), side.mean(axis=0)) for side in (one, other))
    )
