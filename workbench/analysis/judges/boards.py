"""Leaderboards of judges against those of one or more truths, for the runs and topics that both have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Annotated, NamedTuple

import numpy as np

from workbench.core.results import FLAT, Column
from workbench.core.seed import SEED
from workbench.methods.statistics.all_pairs import Kept, kept_of, of_pairs, pairwise_t, significant_pairs
from workbench.methods.statistics.arrays import FloatArray, IntArray, levels
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
    often topics are drawn again (0: never).
    """

    truth_measures: Sequence[str] = ()
    measures: Sequence[str] = ()
    best: Sequence[int] = ()
    resamples: int = 1000
    seed: int = SEED


ALL = Asked()


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


class JudgedBoards(NamedTuple):
    """The leaderboards of judges against those of truths.

    Attributes:
        resamples, seed: how often topics were drawn again, and from which random seed.
        boards: a row for each truth, judge, measure of either and number of best runs.
    """

    resamples: int
    seed: int
    boards: tuple[JudgedBoard, ...]


SHOWN = (
    *("truth", "judge", "truth_measure", "measure", "best", "runs", "topics"),
    *("tau_b", "tau_b_low", "tau_b_high", "tau_ap", "tau_ap_low", "tau_ap_high", "pearson", "spearman"),
    *("topic_tau_b", "topic_tau_b_low", "topic_tau_b_high", "kept", "lost", "reversed", "added"),
)
"""The columns of a table for people."""


class Board(NamedTuple):
    """One measure of a submission: float64 (topics, runs) and, of all topics, (runs,); nan where there is none."""

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    values: FloatArray
    overall: FloatArray

    def part(self, topics: Sequence[str], runs: Sequence[str]) -> FloatArray:
        """The values of these topics and runs."""
        return self.values[np.ix_(_places(topics, self.topics), _places(runs, self.runs))]

    def means(self, topics: Sequence[str], runs: Sequence[str]) -> FloatArray:
        """Of these runs over these topics; without topics what the file has of all topics together."""
        if not topics:
            return self.overall[_places(runs, self.runs)]
        return np.asarray(np.nan_to_num(self.part(topics, runs)).mean(axis=0), np.float64)

    @property
    def with_overall(self) -> list[str]:
        """The runs of which the file has a score of all topics together."""
        return [run for run, is_there in zip(self.runs, np.isfinite(self.overall), strict=True) if is_there]


def _places(wanted: Sequence[str], among: Sequence[str]) -> list[int]:
    place = {name: number for number, name in enumerate(among)}
    return [place[name] for name in wanted]


def judged_boards(
    truths: Sequence[Submission],
    judges: Iterable[Submission],
    asked: Asked = ALL,
    on_judge: Callable[[], None] = lambda: None,
) -> JudgedBoards:
    """Each judge against each truth, by each of the measures, over all runs and at the top.

    Raises NotThere for a measure that one of them lacks.
    """
    known = [(truth.name, *each) for truth in truths for each in _boards(truth, asked.truth_measures)]
    found = list[JudgedBoard]()
    for judge in judges:
        for (truth, truth_measure, board), (measure, own) in product(known, _boards(judge, asked.measures)):
            names = truth, judge.name, truth_measure, measure
            found += _compared(names, board, own, asked)
        on_judge()
    return JudgedBoards(asked.resamples, asked.seed, tuple(found))


def _boards(submission: Submission, measures: Sequence[str]) -> Iterator[tuple[str, Board]]:
    """The measures of a submission; NotThere for one that it lacks."""
    import polars as pl

    from workbench.core.errors import NotThere
    from workbench.core.wording import none_such

    there = submission.scores["measure"].unique().sort().to_list()
    for measure in measures or there:
        if measure not in there:
            raise NotThere(f"{submission.name}: {none_such('measure', measure, there)}")
        yield measure, _board(submission.scores.filter(pl.col("measure") == measure))


def _board(scores: pl.DataFrame) -> Board:
    import polars as pl

    runs = sorted(scores["run"].unique().to_list())
    each = scores.filter(pl.col("topic").is_not_null())
    topics = sorted(each["topic"].unique().to_list())
    values, overall = np.full((len(topics), len(runs)), np.nan), np.full(len(runs), np.nan)
    values[_numbers(each["topic"], topics), _numbers(each["run"], runs)] = each["value"].to_numpy()
    whole = scores.filter(pl.col("topic").is_null())
    overall[_numbers(whole["run"], runs)] = whole["value"].to_numpy()
    return Board(tuple(runs), tuple(topics), values, overall)


def _numbers(names: pl.Series, known: Sequence[str]) -> IntArray:
    import polars as pl

    return names.cast(pl.Enum(known)).to_physical().cast(pl.Int64).to_numpy()


def _compared(
    names: tuple[str, str, str, str], truth: Board, judge: Board, asked: Asked
) -> Iterator[JudgedBoard]:
    runs, topics = _in_both(truth.runs, judge.runs), _in_both(truth.topics, judge.topics)
    if not topics:
        runs = _in_both(*(_in_both(board.runs, board.with_overall) for board in (truth, judge)))
    one, other = truth.part(topics, runs), judge.part(topics, runs)
    means = [board.means(topics, runs) for board in (truth, judge)]
    drawn = _drawn(np.nan_to_num(one), np.nan_to_num(other), asked)
    for best in (None, *asked.best):
        top = _top(means[0], best)
        values = map(_defined, correlations_of_each(*(side[None, top] for side in means)))
        draws = map(_middle, correlations_of_each(*(side[:, top] for side in drawn)))
        sides = [np.nan_to_num(side[:, top]) for side in (one, other)]
        by_topic = tau_b_of_each(*sides)
        yield JudgedBoard(  # type: ignore[call-arg]
            *names,
            best,
            len(top),
            len(truth.runs) - len(runs),
            len(topics),
            len(truth.topics) - len(topics),
            int(np.isnan(other[:, top]).sum()),
            *(part for pair in zip(values, draws, strict=True) for part in pair),  # type: ignore[arg-type]
            float(by_topic.mean()) if len(by_topic) else None,
            t_interval(by_topic, lowest=-1, highest=1),
            _kept(*sides) if len(topics) > 1 and len(top) > 1 else None,
        )


def _in_both(ours: Sequence[str], theirs: Sequence[str]) -> list[str]:
    known = set(theirs)
    return [name for name in ours if name in known]


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
