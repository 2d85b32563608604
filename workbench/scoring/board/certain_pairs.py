"""Which pairs of a campaign's runs are certain: bounds of differences of means, that follow the log.

One object for each campaign and process keeps the sums of the measures used last; a judgment changes one label, and
with it the sums, not the rankings. Which topics a mean is over, counted_topics.py says: of bounds those that count once
every pooled pair has a grade.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import NamedTuple

import numpy as np

from workbench.core.errors import UnknownName
from workbench.core.recently_used import RecentlyUsed
from workbench.methods.certainty import TopicRuns
from workbench.methods.certainty.pairs import PairBounds, Pairs, State, pair_bounds, runs_within
from workbench.methods.certainty.registry import Differences, differences
from workbench.methods.measures import BoundMeasure, parse_measure
from workbench.scoring.board.counted_topics import in_the_end
from workbench.scoring.board.history import board_history_of
from workbench.scoring.board.live import board_of
from workbench.scoring.board.loading import Scoring
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Followers

DEFAULT_MEASURE = "RBP(p=0.8)"
MOST_STEPS = 3e9
"""About so many steps of arithmetic are done for one answer: some seconds."""
KEPT_MEASURES = 4


class PairState(NamedTuple):
    """A pair of runs: the difference of their means, run_a less run_b, its bounds, and what is known of it."""

    run_a: str
    run_b: str
    difference: float
    lower: float
    upper: float
    state: State


@dataclass(frozen=True, eq=False)
class CertainPairs:
    """What is certain of a campaign's runs by one measure, as of a row of its log.

    Attributes:
        head: that row.
        measure: with all its parameters.
        exact: whether some way to judge the rest reaches each bound; if not, a pair that is open may be certain.
        tags: the runs that are compared, the highest mean first.
        means: float64 (runs,), theirs, over all topics of which something is judged or pooled.
        left_out: runs that are not compared because that would take too long: those of the lowest means.
        n_topics: how many topics the means are over.
        n_judged: how many pairs of topic and document have a grade.
        n_waiting: how many pooled ones have none.
        pairs: the bounds, with the runs in the order of `tags`.
    """

    head: log.Head
    measure: BoundMeasure
    exact: bool
    tags: tuple[str, ...]
    means: tuple[float, ...]
    left_out: tuple[str, ...]
    n_topics: int
    n_judged: int
    n_waiting: int
    pairs: Pairs

    def rows(self) -> list[PairState]:
        """All pairs, the run with the higher mean first."""
        found = []
        for one, run_a in enumerate(self.tags):
            for other, run_b in enumerate(self.tags[one + 1 :], start=one + 1):
                difference, lower, upper = (float(each[one, other]) + 0.0 for each in self.pairs)
                state = self.pairs.state(one, other)
                found.append(PairState(run_a, run_b, difference, lower, upper, state))
        return found

    def number(self, state: State) -> int:
        """How many pairs are in this state."""
        above = np.triu_indices(len(self.tags), 1)
        certain, tied = self.pairs.certain[above], self.pairs.tied[above]
        counts = {"certain": int(certain.sum()), "tied for certain": int((tied & ~certain).sum())}
        return counts.get(state, len(certain) - sum(counts.values()))


def certain_pairs(
    campaign: Campaign,
    measure: str = DEFAULT_MEASURE,
    *,
    runs: Sequence[str] = (),
    as_of: int | None = None,
    most_steps: float = MOST_STEPS,
) -> CertainPairs:
    """What is certain of all pairs of a campaign's runs, or of these, now or as of a row of its log.

    Raises:
        UnknownName: a measure that does not exist or of which nothing is known, or a run that does not take part.
    """
    return _followers.of(campaign).answer(campaign, measure, tuple(runs), as_of, most_steps)


def scoring_as_of(campaign: Campaign, as_of: int | None) -> Scoring:
    """Rankings and labels of the runs that take part now, or took part as of a row of the log."""
    if as_of is None:
        return board_of(campaign).scoring(campaign)
    moment = board_history_of(campaign).moment(campaign, as_of)
    return moment.scoring if moment.columns is None else moment.scoring.of_runs(moment.columns)


def differences_in(scoring: Scoring, name: str) -> Differences:
    """What is known about differences by a measure, with the campaign's grades; raises UnknownName."""
    measure = parse_measure(name, defaults={"rel": scoring.relevant_from})
    highest = max(1, scoring.top_of_scale, int(scoring.labels.label.max(initial=1)))
    return differences(measure, top_grade=highest)


def topics_of(scoring: Scoring) -> Iterator[tuple[int, TopicRuns]]:
    """Each topic that counts in the end, by its number, with all rankings."""
    for topic in np.flatnonzero(in_the_end(scoring)).tolist():
        yield topic, topic_runs(scoring, topic)


def topic_runs(scoring: Scoring, topic: int) -> TopicRuns:
    """One topic with all rankings; labels are shared with `scoring`."""
    runs = len(scoring.runs)
    rows = scoring.rankings.rows_between(topic * runs, (topic + 1) * runs)
    return TopicRuns(rows, scoring.labels.of_topic(topic).label)


def columns_of(scoring: Scoring, tags: Sequence[str]) -> list[int]:
    """The places of runs; UnknownName for one that does not take part."""
    place = {tag: column for column, tag in enumerate(scoring.tags)}
    for tag in tags:
        if tag not in place:
            message = f"no run {tag!r} takes part; these do: {', '.join(scoring.tags) or 'none'}"
            raise UnknownName(message)
    return [place[tag] for tag in dict.fromkeys(tags)]


class _Question(NamedTuple):
    """What decides which sums are kept; `runs` are the places of those asked for."""

    measure: BoundMeasure
    top_grade: int
    runs: tuple[int, ...]
    most_steps: float


@dataclass
class _Kept:
    """Sums as of some labels; `columns` are the runs that are compared, of those of `scoring`."""

    scoring: Scoring
    kind: Differences
    columns: list[int]
    bounds: PairBounds

    def fits(self, scoring: Scoring) -> bool:
        """Whether only labels differ."""
        before = self.scoring
        same_runs = [run.run for run in before.runs] == [run.run for run in scoring.runs]
        same_labels = np.array_equal(before.labels.topic_start, scoring.labels.topic_start)
        return same_runs and same_labels and before.topic_ids == scoring.topic_ids

    def follow(self, scoring: Scoring) -> None:
        """Bring the sums up to date with the labels."""
        now, before = scoring.labels, self.scoring.labels
        changed = np.flatnonzero(now.label != before.label)
        topics = np.searchsorted(now.topic_start, changed, side="right") - 1
        for topic in np.unique(topics).tolist():
            cells = changed[topics == topic]
            documents = cells - now.topic_start[topic]
            self.bounds.relabel(topic, self._topic(scoring, topic), documents, before.label[cells])
        self.scoring = scoring

    def begin(self) -> None:
        """Sum up all topics."""
        for topic, _ in topics_of(self.scoring):
            self.bounds.put(topic, self._topic(self.scoring, topic))

    def _topic(self, scoring: Scoring, topic: int) -> TopicRuns:
        whole = topic_runs(scoring, topic)
        return whole if len(self.columns) == len(whole) else whole.of_runs(self.columns)


class CertaintyFollower:
    """The sums of one campaign's measures; threads may share it, each with its own connection."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._lock = Lock()
        self._kept: RecentlyUsed[_Question, _Kept] = RecentlyUsed(KEPT_MEASURES)

    def answer(
        self,
        campaign: Campaign,
        measure: str,
        runs: tuple[str, ...],
        as_of: int | None,
        most_steps: float = MOST_STEPS,
    ) -> CertainPairs:
        """As `certain_pairs`."""
        scoring = scoring_as_of(campaign, as_of)
        kind = differences_in(scoring, measure)
        asked_for = columns_of(scoring, runs) if runs else list(range(len(scoring.runs)))
        question = _Question(kind.measure, kind.top_grade, tuple(asked_for), most_steps)
        with self._lock:
            kept = self._kept.get(question)
            if kept is not None and kept.fits(scoring):
                kept.follow(scoring)
            else:
                kept = _beginning(scoring, kind, asked_for, most_steps)
            self._kept.put(question, kept)
            return _told(kept, asked_for)


def _beginning(scoring: Scoring, kind: Differences, asked_for: list[int], most_steps: float) -> _Kept:
    lengths = scoring.rankings.lengths
    chosen = _within(scoring, kind, asked_for, most_steps)
    bounds = pair_bounds(kind, len(chosen), int(lengths.max(initial=0)))
    kept = _Kept(scoring, kind, chosen, bounds)
    kept.begin()
    return kept


def _within(scoring: Scoring, kind: Differences, asked_for: list[int], most_steps: float) -> list[int]:
    """The runs that can be compared in so many steps, those of the highest means."""
    cost = (
        sum(kind.cost(topic) for _, topic in topics_of(scoring))
        * (len(asked_for) / max(len(scoring.runs), 1)) ** 2
    )
    number = runs_within(cost, len(asked_for), most_steps)
    if number == len(asked_for):
        return asked_for
    means = _means(scoring, kind)
    best = sorted(asked_for, key=lambda column: (-means[column], column))[:number]
    return sorted(best)


def _means(scoring: Scoring, kind: Differences) -> list[float]:
    """The mean of each run over the topics that count in the end, with undecided documents not relevant."""
    values = scoring.values_of([kind.measure])[kind.measure][in_the_end(scoring)]
    return [float(each) for each in values.mean(axis=0)] if len(values) else [0.0] * len(scoring.runs)


def _told(kept: _Kept, asked_for: list[int]) -> CertainPairs:
    scoring = kept.scoring
    n_topics = int(in_the_end(scoring).sum())
    means = (kept.bounds.values() / max(n_topics, 1)).tolist()
    # Runs that are level keep the order in which they were added, whatever rounding does.
    places = sorted(range(len(means)), key=lambda place: (-round(means[place], 12), place))
    compared = set(kept.columns)
    return CertainPairs(
        head=scoring.head,
        measure=kept.kind.measure,
        exact=kept.kind.exact,
        tags=tuple(scoring.tags[kept.columns[place]] for place in places),
        means=tuple(means[place] for place in places),
        left_out=tuple(scoring.tags[column] for column in asked_for if column not in compared),
        n_topics=n_topics,
        n_judged=int(scoring.num_judged.sum()),
        n_waiting=int(scoring.num_waiting.sum()),
        pairs=kept.bounds.pairs(n_topics).of_runs(places),
    )


_followers = Followers(CertaintyFollower)
