"""Two leaderboards of the same runs: two measures, two sets of judgments, or two moments of the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np

from workbench.analysis.comparing.scores import Scored, scored_by, scores_of
from workbench.campaign.ingest.naming import with_display_names
from workbench.core.errors import CampaignError, InputError, Problem, UnknownName
from workbench.core.ranking import UNJUDGED, Labels, starts_of
from workbench.core.results import Column
from workbench.core.seed import SEED
from workbench.formats.text.compression import unpacked_size
from workbench.methods.measures import parse_measure
from workbench.methods.measures.judged import FloatArray
from workbench.methods.statistics.arrays import levels
from workbench.methods.statistics.intervals import FEWEST_TOPICS, Interval, resampled_means
from workbench.methods.statistics.rank_correlation import tau_ap_a, tau_ap_b, tau_b, tau_b_of_each
from workbench.methods.statistics.rank_overlap import Overlap, ranking_of, rbo
from workbench.scoring.board import Scoring
from workbench.scoring.board.past_boards import scoring_of
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.collection.rounds import OfRound, seen_by

RESAMPLES = 1000


class Leaderboard(NamedTuple):
    """One of two leaderboards: what it is called on a chart, and its scores by topic."""

    name: str
    scored: Scored


class Position(NamedTuple):
    """A run on both leaderboards: its scores, and its ranks from 1; runs with equal scores share the better rank."""

    run: str
    score: Annotated[float, Column(kind="score")]
    other_score: Annotated[float, Column(kind="score")]
    rank: int
    other_rank: int

    @property
    def moved(self) -> int:
        """How many ranks higher it is on the other leaderboard; negative is lower."""
        return self.rank - self.other_rank


class Agreement(NamedTuple):
    """How much two leaderboards agree on the order of the runs that both have.

    Attributes:
        one, other: what they are called.
        runs: how many runs both have.
        only_one, only_other: the runs that only one of them has.
        tau_b: Kendall's tau with ties, None where one side ties all runs, or there are fewer than two.
        tau_b_draws: where tau_b lies in the middle 95 % of the draws when topics are drawn again. No confidence
            interval: it lies too low (`tau_draws`). None where the topics differ or are fewer than FEWEST_TOPICS.
        tau_ap: AP correlation, the order of the other being walked down, ties averaged; None as above.
        tau_ap_b: AP correlation corrected for ties, symmetric; None as above.
        rbo: rank-biased overlap, ties averaged; None without runs.
        p: its persistence.
        positions: each run on both, in the order of the one.
    """

    one: str
    other: str
    runs: int
    only_one: tuple[str, ...]
    only_other: tuple[str, ...]
    tau_b: float | None
    tau_b_draws: Interval | None
    tau_ap: float | None
    tau_ap_b: float | None
    rbo: Overlap | None
    p: float
    positions: tuple[Position, ...]


def leaderboard(
    campaign: Campaign, measure: str = "AP", *, qrels: str | Path | None = None, name: str | None = None
) -> Leaderboard:
    """A campaign's leaderboard by one measure, by the judgments of the file `qrels` in the place of its own.

    Without a `name` it is called by the measure, the file and the row.

    Raises:
        UnknownName: a measure that does not exist.
        InputError: qrels that cannot be read.
        CampaignError: qrels of other topics alone.
    """
    scored = scores_of(campaign, measure) if qrels is None else _scored_by(campaign, measure, qrels)
    at = "" if campaign.as_of is None else f" as of row {campaign.as_of}"
    by = "" if qrels is None else f" by {Path(qrels).name}"
    return Leaderboard(name or f"{scored.measure}{by}{at}", scored)


def leaderboard_by_file(
    path: Path, measure: str, qrels: Path, *, called: str, largest: int, part: OfRound | None = None
) -> Leaderboard:
    """The leaderboard of the campaign at `path`, by a round or whole, by an uploaded file of judgments, named `called`.

    Raises InputError also when the file holds more than `largest` bytes unpacked, else what `leaderboard` raises; every
    message names the file so.
    """
    with qrels.open("rb") as stream:
        if unpacked_size(stream, largest) > largest:
            message = f"unpacked, the file holds more than {largest // 10**6:,} MB"
            raise InputError([Problem(called, None, message)])
    with open_campaign(path) as campaign, with_display_names({str(qrels): called}):
        try:
            return leaderboard(seen_by(campaign, part), measure, qrels=qrels, name=f"{measure} by {called}")
        except CampaignError as error:
            raise UnknownName(str(error).replace(str(qrels), called)) from error


def two_leaderboards(
    one: Leaderboard, other: Leaderboard, *, p: float = 0.9, resamples: int = RESAMPLES, seed: int = SEED
) -> Agreement:
    """How much two leaderboards agree; for tau_AP `one` is the truth, and the order of `other` is walked down.

    `p` is the persistence of rank-biased overlap: .9 looks at about the first ten ranks. Topics are drawn again
    `resamples` times for the spread of tau.
    """
    common = [tag for tag in one.scored.tags if tag in set(other.scored.tags)]
    here, there = one.scored.of_runs(common), other.scored.of_runs(common)
    truth, estimate = here.merits, there.merits
    rng = np.random.default_rng(seed)
    tau = tau_b(truth, estimate)
    return Agreement(
        one=one.name,
        other=other.name,
        runs=len(common),
        only_one=_missing(one.scored, common),
        only_other=_missing(other.scored, common),
        tau_b=tau,
        tau_b_draws=_tau_draws(here, there, resamples, rng) if resamples else None,
        tau_ap=None if tau is None else tau_ap_a(truth, estimate),
        tau_ap_b=tau_ap_b(truth, estimate),
        rbo=rbo(ranking_of(common, truth), ranking_of(common, estimate), p=p),
        p=p,
        positions=_positions(here, there),
    )


def ranks_of(merits: Sequence[float] | FloatArray) -> list[int]:
    """Ranks from 1, larger is better; those equal up to rounding share the better rank: 1, 1, 3."""
    level = levels(merits)
    ranks: list[int] = (1 + (level[None, :] > level[:, None]).sum(axis=1)).tolist()
    return ranks


def _missing(scored: Scored, common: Sequence[str]) -> tuple[str, ...]:
    return tuple(tag for tag in scored.tags if tag not in set(common))


def _positions(here: Scored, there: Scored) -> tuple[Position, ...]:
    ranks, other_ranks = ranks_of(here.merits), ranks_of(there.merits)
    columns = here.tags, here.means.tolist(), there.means.tolist(), ranks, other_ranks
    return tuple(
        sorted(
            map(Position, *columns), key=lambda position: (position.rank, position.other_rank, position.run)
        )
    )


def _tau_draws(here: Scored, there: Scored, resamples: int, rng: np.random.Generator) -> Interval | None:
    if here.topic_ids != there.topic_ids or len(here.tags) < 2:
        return None
    return tau_draws(merits_by_topic(here), merits_by_topic(there), resamples, rng)


def merits_by_topic(scored: Scored) -> FloatArray:
    """What each topic adds to a run's place on the leaderboard, larger is better, float64 (topics, runs)."""
    return scored.measure.sign * scored.summands


def tau_draws(
    one: FloatArray, other: FloatArray, resamples: int, rng: np.random.Generator
) -> Interval | None:
    """The middle 95 % of tau over topics drawn again, of two leaderboards by topic, float64 (topics, runs).

    Chance in the choice of topics shuffles runs that are close, on both sides, so tau of a sample of topics is mostly
    below that of all topics, and tau of topics drawn from this sample lower still. Drawn again it may also be above,
    where both sides share their noise. No correction that was tried covers (`benchmarks/coverage_of_intervals.py`).
    None with fewer than FEWEST_TOPICS.
    """
    if len(one) < FEWEST_TOPICS:
        return None
    ours, theirs = np.hsplit(resampled_means(np.hstack([one, other]), resamples=resamples, rng=rng), 2)
    taus = tau_b_of_each(ours, theirs)
    return Interval(*np.quantile(taus, [0.025, 0.975]).tolist()) if len(taus) else None


def _scored_by(campaign: Campaign, measure: str, qrels: str | Path) -> Scored:
    """The campaign's runs by the judgments of a file; the topics that count are the file's."""
    from workbench.formats.qrels import read_qrels

    grades: dict[str, dict[str, int]] = {}
    for topic_id, document_id, grade in read_qrels(qrels).frame.iter_rows():
        grades.setdefault(topic_id, {})[document_id] = grade
    found = scored_under(campaign, measure, grades)
    if not found.topic_ids:
        raise CampaignError(f"{qrels}: none of its topics is one of {campaign.name}")
    return found


def scored_under(campaign: Campaign, measure: str, grades: Mapping[str, Mapping[str, int]]) -> Scored:
    """The campaign's runs by other grades, topic id -> document id -> grade; the topics that count are theirs.

    UnknownName for a measure that does not exist.
    """
    scoring = _relabelled(campaign, scoring_of(campaign), grades)
    bound = scoring.settled(parse_measure(measure, defaults={"rel": scoring.relevant_from}))
    return scored_by(scoring, bound, scoring.values_of([bound])[bound])


def _relabelled(campaign: Campaign, scoring: Scoring, grades: Mapping[str, Mapping[str, int]]) -> Scoring:
    """The same rankings with these grades, topic id -> document id -> grade, in place of the campaign's."""
    vocabularies = runs.vocabularies(campaign)
    parts = [np.empty(0, np.int16)]
    for topic_id in scoring.topic_ids:
        by_document = {
            document_id: grade
            for document_id, grade in grades.get(topic_id, {}).items()
            if (topic_id, document_id) not in scoring.taken_out
        }
        known = dict.fromkeys(vocabularies.get(topic_id, ()), UNJUDGED)
        parts.append(np.array(list((known | by_document).values()), np.int16))
    sizes = np.array([len(part) for part in parts[1:]], np.int64)
    labels = Labels(starts_of(sizes), np.concatenate(parts))
    return replace(scoring.with_labels(labels), numbers={})
