"""Which pairs of a campaign's runs are certain: bounds of differences of means, that follow the log.

One object for each campaign and process keeps the sums of the measures used last; a judgment changes one label, and
with it the sums, not the rankings. Which topics a mean is over, scoring/board/loading.py says: of bounds those that
count once every pooled pair has a grade.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Annotated, NamedTuple

import numpy as np

from workbench.analysis.trust.pair_sums import PairSums, StoredSums, counted_topics, topic_runs
from workbench.core.errors import UnknownName
from workbench.core.recently_used import RecentlyUsed
from workbench.core.results import AS_TEXT, HIDDEN, Column, shown
from workbench.core.wording import none_such
from workbench.jobs.processes import OnStep
from workbench.methods.bounds import TopicRuns
from workbench.methods.bounds.pairs import Pairs, State, runs_within
from workbench.methods.bounds.registry import Differences, differences
from workbench.methods.measures import BoundMeasure, parse_measure
from workbench.scoring.board.loading import Scoring
from workbench.scoring.board.past_boards import scoring_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Cache, Followers

DEFAULT_MEASURE = "RBP(p=0.8)"
NO_LIMIT = math.inf
KEPT_MEASURES = 4

_steps: Cache[float] = Cache()
"""Of all pairs of all runs."""


def _not_observed(done: int, total: int | None, what: str) -> None:
    """Nothing waits to hear how far it is."""


class PairState(NamedTuple):
    """What is known of a pair of runs.

    Attributes:
        run_a, run_b: tags, the run with the higher mean first.
        difference: of their means, run_a less run_b.
        lower, upper: bounds of what it can become.
        state: whether that is certain.
    """

    run_a: Annotated[str, Column("Run A")]
    run_b: Annotated[str, Column("Run B")]
    difference: Annotated[float, Column(kind="signed")]
    lower: Annotated[float, Column(kind="signed")]
    upper: Annotated[float, Column(kind="signed")]
    state: State


class RunMean(NamedTuple):
    """A run, and its mean over all topics of which something is judged or pooled."""

    run: str
    mean: float


@dataclass(frozen=True, eq=False)
class CertainPairs:
    """What is certain of pairs of runs by one measure.

    Attributes:
        head: the row of the log that it is as of.
        measure: with all its parameters.
        exact: whether some way to judge the rest reaches each bound; if not, a pair that is open may be certain.
        runs: those that are compared, the highest mean first.
        left_out: runs that are not compared because that would take too long: those of the lowest means.
        n_topics: how many topics the means are over.
        n_judged: how many pairs of topic and document have a grade.
        n_waiting: how many pooled ones have none.
        n_to_judge: how many of these were not judged, without a grade, either.
        pairs: the bounds, with the runs in their order.
        n_listed: the pairs of so many of the runs are listed for programs.
    """

    head: Annotated[log.Head, HIDDEN]
    measure: Annotated[BoundMeasure, AS_TEXT]
    exact: bool
    runs: tuple[RunMean, ...]
    left_out: tuple[str, ...]
    n_topics: Annotated[int, Column(name="topics")]
    n_judged: Annotated[int, Column(name="judged")]
    n_waiting: Annotated[int, Column(name="waiting")]
    n_to_judge: Annotated[int, Column(name="to_judge")]
    pairs: Annotated[Pairs, HIDDEN]
    n_listed: Annotated[int | None, HIDDEN] = None

    @property
    @shown(Column())
    def seq(self) -> int:
        """The row of the log that it is as of."""
        return self.head.seq

    @property
    @shown(Column())
    def certain(self) -> int:
        """How many pairs are certain."""
        return self.number("certain")

    @property
    @shown(Column())
    def tied(self) -> int:
        """How many pairs are tied for certain."""
        return self.number("tied for certain")

    @property
    @shown(Column())
    def open(self) -> int:
        """How many pairs are open."""
        return self.number("open")

    @property
    @shown(Column())
    def unlisted(self) -> tuple[str, ...]:
        """Runs that count, whose pairs are not listed: name them."""
        return () if self.n_listed is None else self.tags[self.n_listed :]

    @property
    @shown(Column(name="pairs"))
    def listed(self) -> tuple[PairState, ...]:
        """The pairs of the runs that are listed."""
        return tuple(self.among(self.tags[: self.n_listed]).rows())

    @property
    def tags(self) -> tuple[str, ...]:
        """The runs by tag."""
        return tuple(run.run for run in self.runs)

    def listing(self, most_runs: int) -> CertainPairs:
        """The same, of which the pairs of the best runs alone are listed."""
        return replace(self, n_listed=most_runs)

    def rows(self) -> list[PairState]:
        """All pairs, the run with the higher mean first."""
        one, other = np.triu_indices(len(self.tags), 1)
        numbers = ((each[one, other] + 0.0).tolist() for each in self.pairs)
        tags = ([self.tags[place] for place in places.tolist()] for places in (one, other))
        columns = (*tags, *numbers, self.pairs.states(one, other))
        return [PairState(*row) for row in zip(*columns, strict=True)]

    def among(self, tags: Sequence[str]) -> CertainPairs:
        """The same of some of the runs alone."""
        wanted = set(tags)
        places = [place for place, tag in enumerate(self.tags) if tag in wanted]
        return replace(
            self,
            runs=tuple(self.runs[place] for place in places),
            left_out=tuple(tag for tag in self.left_out if tag in wanted),
            pairs=self.pairs.of_runs(places),
        )

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
    most_steps: float = NO_LIMIT,
    on_step: OnStep = _not_observed,
) -> CertainPairs:
    """What is certain of all pairs of a campaign's runs, or of these, now or as of a row of its log.

    Arguments as in `PairsRequest`; runs of the lowest means are left out to keep within `most_steps`. UnknownName: a
    measure that does not exist or of which nothing is known, or a run that does not take part.
    """
    request = PairsRequest(measure, tuple(runs), most_steps)
    return pairs_follower(campaign).answer(campaign, request, on_step)


def differences_in(scoring: Scoring, name: str) -> Differences:
    """What is known about differences by a measure, with the campaign's grades; raises UnknownName."""
    measure = parse_measure(name, defaults={"rel": scoring.relevant_from})
    least, top = scoring.range_of_grades
    return differences(measure, top_grade=top, least_grade=least)


def topics_of(scoring: Scoring) -> Iterator[tuple[int, TopicRuns]]:
    """Each topic that counts in the end, by its number, with all rankings."""
    for topic in counted_topics(scoring):
        yield topic, topic_runs(scoring, topic)


def columns_of(scoring: Scoring, tags: Sequence[str]) -> list[int]:
    """The places of runs; UnknownName for one that does not take part."""
    place = {tag: column for column, tag in enumerate(scoring.tags)}
    for tag in tags:
        if tag not in place:
            raise UnknownName(none_such("run", tag, scoring.tags))
    return [place[tag] for tag in dict.fromkeys(tags)]


class PairsRequest(NamedTuple):
    """What `certain_pairs` is asked for."""

    measure: str = DEFAULT_MEASURE
    runs: tuple[str, ...] = ()
    most_steps: float = NO_LIMIT


class _Look(NamedTuple):
    """Rankings and labels, what is known of the measure, the places of the runs asked for, in ascending order, and by
    what the sums are kept.
    """

    scoring: Scoring
    kind: Differences
    columns: list[int]
    question: Hashable


class PairsFollower:
    """The sums of one campaign's measures; threads may share it, each with its own connection."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._lock = Lock()
        self._kept: RecentlyUsed[Hashable, PairSums] = RecentlyUsed(KEPT_MEASURES)

    def answer(
        self, campaign: Campaign, request: PairsRequest, on_step: OnStep = _not_observed
    ) -> CertainPairs:
        """As `certain_pairs`."""
        return self.sums(campaign, request, on_step)[0]

    def sums(
        self, campaign: Campaign, request: PairsRequest, on_step: OnStep = _not_observed
    ) -> tuple[CertainPairs, Scoring, PairSums]:
        """The same with what it was found from; of the sums only what no label changes may be asked."""
        look = self._looked_at(campaign, request)
        with self._lock:
            sums = self._summed_up(look, request, on_step)
            return _answer(look.scoring, sums, look.columns), look.scoring, sums

    def steps(self, campaign: Campaign, request: PairsRequest) -> float:
        """About how many steps of arithmetic `answer` takes, and those of `PairSums.spread` for all topics."""
        look = self._looked_at(campaign, request)
        with self._lock:
            kept = self._kept.get(look.question)
            if kept is not None and kept.fits(look.scoring):
                return kept.steps_to(look.scoring) + kept.steps_to_spread(look.scoring)
        chosen = _within(look.scoring, look.kind, look.columns, request.most_steps)
        empty = PairSums.empty(look.scoring, look.kind, chosen)
        of_all = _steps.at(
            campaign,
            look.scoring.head,
            (look.kind.measure, look.kind.top_grade),
            lambda: steps_of_all(look.scoring, look.kind),
        )
        share = (len(chosen) / max(len(look.scoring.runs), 1)) ** 2
        return share * of_all + empty.steps_to_spread(look.scoring)

    def give(self, campaign: Campaign, request: PairsRequest) -> StoredSums:
        """What `answer` and `next_documents` are found from, for another process; it is kept here no more."""
        look = self._looked_at(campaign, request)
        with self._lock:
            sums = self._summed_up(look, request, _not_observed)
            self._kept.pop(look.question, None)
        if sums.adds_up:
            form = sums.form(look.scoring)
            for topic in counted_topics(look.scoring):
                sums.spread(look.scoring, topic, form)
        return sums.to_store()

    def keep(self, campaign: Campaign, request: PairsRequest, stored: StoredSums) -> None:
        """Take over what another process has summed up."""
        look = self._looked_at(campaign, request)
        sums = PairSums.stored(look.kind, look.scoring, stored)
        if sums.fits(look.scoring) and stored.grades == look.kind.grades:
            with self._lock:
                self._kept.put(look.question, sums)

    def _looked_at(self, campaign: Campaign, request: PairsRequest) -> _Look:
        scoring = scoring_of(campaign)
        kind = differences_in(scoring, request.measure)
        columns = sorted(columns_of(scoring, request.runs) if request.runs else range(len(scoring.runs)))
        question = (kind.measure, kind.grades, tuple(columns), campaign.part, request.most_steps)
        return _Look(scoring, kind, columns, question)

    def _summed_up(self, look: _Look, request: PairsRequest, on_step: OnStep) -> PairSums:
        """Those that are kept, brought up to date; else summed up now."""
        kept = self._kept.get(look.question)
        if kept is not None and kept.fits(look.scoring):
            kept.follow(look.scoring)
        else:
            chosen = _within(look.scoring, look.kind, look.columns, request.most_steps)
            kept = PairSums.empty(look.scoring, look.kind, chosen)
            kept.begin(look.scoring, on_step)
        return self._kept.put(look.question, kept)


def steps_of_all(scoring: Scoring, kind: Differences) -> float:
    """About how many steps of arithmetic all pairs of all runs take."""
    return sum(kind.cost(topic) for _, topic in topics_of(scoring))


def _within(scoring: Scoring, kind: Differences, columns: list[int], most_steps: float) -> list[int]:
    """The runs that can be compared in `most_steps`, those with the highest means."""
    if most_steps == NO_LIMIT:
        return columns
    share = (len(columns) / max(len(scoring.runs), 1)) ** 2
    number = runs_within(share * steps_of_all(scoring, kind), len(columns), most_steps)
    if number == len(columns):
        return columns
    means = _means(scoring, kind)
    best = sorted(columns, key=lambda column: (-means[column], column))[:number]
    return sorted(best)


def _means(scoring: Scoring, kind: Differences) -> list[float]:
    """The mean of each run over the topics that count in the end, with undecided documents not relevant."""
    values = scoring.values_of([kind.measure])[kind.measure][scoring.topics_in_the_end]
    return [float(each) for each in values.mean(axis=0)] if len(values) else [0.0] * len(scoring.runs)


def _answer(scoring: Scoring, sums: PairSums, columns: list[int]) -> CertainPairs:
    n_topics = len(counted_topics(scoring))
    means = (sums.bounds.values() / max(n_topics, 1)).tolist()
    # Runs that are level keep the order in which they were added, whatever rounding does.
    places = sorted(range(len(means)), key=lambda place: (-round(means[place], 12), place))
    compared = set(sums.columns)
    return CertainPairs(
        head=scoring.head,
        measure=sums.kind.measure,
        exact=sums.kind.exact,
        runs=tuple(RunMean(scoring.tags[sums.columns[place]], means[place]) for place in places),
        left_out=tuple(scoring.tags[column] for column in columns if column not in compared),
        n_topics=n_topics,
        n_judged=int(scoring.num_judged.sum()),
        n_waiting=int(scoring.num_waiting.sum()),
        n_to_judge=int(scoring.num_waiting.sum()) - len(scoring.without_grade),
        pairs=sums.bounds.pairs(n_topics).of_runs(places),
    )


_followers = Followers(PairsFollower)


def pairs_follower(campaign: Campaign) -> PairsFollower:
    """This process's sums of a campaign."""
    return _followers.of(campaign)
