"""What is summed up over a campaign's topics to know which pairs of runs are certain, and how it follows the labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import FloatArray, IntArray, Labels
from workbench.jobs.processes import OnStep
from workbench.methods.bounds import TopicRuns
from workbench.methods.bounds.additive import AdditiveDifferences, form_of
from workbench.methods.bounds.pairs import PairBounds, pair_bounds
from workbench.methods.bounds.registry import Differences
from workbench.methods.measures.additive import Additive
from workbench.scoring.board.loading import Scoring

STEPS_OF_AN_ENTRY = 100.0
"""About this many steps of arithmetic it takes to put a ranked document into the order of its topic."""


class Spread(NamedTuple):
    """A topic's documents by how much runs differ on them, whatever is judged; the largest first.

    Attributes:
        document: int32 (n). Those that weigh something in any run.
        sums: float64 (n). Σ |w_s - w_t| over all pairs of runs.
    """

    document: NDArray[np.int32]
    sums: FloatArray


class StoredSums(NamedTuple):
    """The same numbers for another process: of which runs and topics, as of which labels, by which possible grades."""

    runs: tuple[int, ...]
    topic_ids: tuple[str, ...]
    labels: Labels
    columns: list[int]
    grades: tuple[int, int]
    numbers: tuple[Any, ...]
    spreads: dict[int, Spread]


@dataclass
class PairSums:
    """Sums as of some labels; `columns` are the runs that are compared, of those in `runs`, in ascending order."""

    runs: tuple[int, ...]
    topic_ids: tuple[str, ...]
    labels: Labels
    kind: Differences
    columns: list[int]
    bounds: PairBounds
    spreads: dict[int, Spread] = field(default_factory=dict)

    @classmethod
    def empty(cls, scoring: Scoring, kind: Differences, columns: list[int]) -> PairSums:
        """Nothing is summed up yet."""
        bounds = pair_bounds(kind, len(columns), _longest(scoring))
        return cls(_runs(scoring), scoring.topic_ids, scoring.labels, kind, columns, bounds)

    @classmethod
    def stored(cls, kind: Differences, scoring: Scoring, stored: StoredSums) -> PairSums:
        """What another process summed up of the same rankings."""
        bounds = pair_bounds(kind, len(stored.columns), _longest(scoring))
        bounds.restore(stored.numbers)
        runs, topic_ids, labels, columns, _, _, spreads = stored
        return cls(runs, topic_ids, labels, kind, columns, bounds, spreads)

    def to_store(self) -> StoredSums:
        """The numbers; nothing may be asked of this one after that."""
        known = self.runs, self.topic_ids, self.labels, self.columns
        return StoredSums(*known, self.kind.grades, self.bounds.numbers(), self.spreads)

    def begin(self, scoring: Scoring, on_step: OnStep) -> None:
        """Sum up all topics; `on_step` is called with how many are done."""
        topics = counted_topics(scoring)
        for done, topic in enumerate(topics):
            on_step(done, len(topics), f"Topic {scoring.topic_ids[topic]}")
            self.bounds.put(topic, self.of_topic(scoring, topic))

    def fits(self, scoring: Scoring) -> bool:
        """Whether only labels differ."""
        same_labels = np.array_equal(self.labels.topic_start, scoring.labels.topic_start)
        return self.runs == _runs(scoring) and same_labels and self.topic_ids == scoring.topic_ids

    def steps_to(self, scoring: Scoring) -> float:
        """About how many steps of arithmetic `follow` takes."""
        return sum(
            self.bounds.cost(topic, self.of_topic(scoring, topic), len(cells))
            for topic, cells in self._changed(scoring)
        )

    def follow(self, scoring: Scoring) -> None:
        """Bring the sums up to date with the labels."""
        for topic, cells in self._changed(scoring):
            documents = cells - scoring.labels.topic_start[topic]
            before = self.labels.label[cells]
            self.bounds.relabel(topic, self.of_topic(scoring, topic), documents, before)
        self.labels = scoring.labels

    def of_topic(self, scoring: Scoring, topic: int) -> TopicRuns:
        """A topic with the runs that are compared."""
        whole = topic_runs(scoring, topic)
        return whole if len(self.columns) == len(whole) else whole.of_runs(self.columns)

    @property
    def adds_up(self) -> bool:
        """Whether the measure does."""
        return isinstance(self.kind, AdditiveDifferences)

    def form(self, scoring: Scoring) -> Additive:
        """The weights by rank of an additive measure; ValueError for another one."""
        return form_of(self.kind, _longest(scoring))

    def spread(self, scoring: Scoring, topic: int, form: Additive) -> Spread:
        """How much runs differ on the documents of a topic; found once."""
        if topic not in self.spreads:
            self.spreads[topic] = _spread(self.of_topic(scoring, topic), form)
        return self.spreads[topic]

    def steps_to_spread(self, scoring: Scoring) -> float:
        """About how many steps of arithmetic it takes to have that for all topics."""
        if not self.adds_up:
            return 0.0
        missing = sum(topic not in self.spreads for topic in counted_topics(scoring))
        deepest = min(_longest(scoring), len(self.form(scoring).weight))
        return STEPS_OF_AN_ENTRY * missing * len(self.columns) * deepest

    def _changed(self, scoring: Scoring) -> Iterator[tuple[int, IntArray]]:
        """The topics whose labels changed, with the cells that did."""
        changed = np.flatnonzero(scoring.labels.label != self.labels.label)
        topics = np.searchsorted(scoring.labels.topic_start, changed, side="right") - 1
        for topic in np.unique(topics).tolist():
            yield topic, changed[topics == topic]


def counted_topics(scoring: Scoring) -> list[int]:
    """The topics that count in the end, by their numbers."""
    found: list[int] = np.flatnonzero(scoring.topics_in_the_end).tolist()
    return found


def topic_runs(scoring: Scoring, topic: int) -> TopicRuns:
    """One topic with all rankings; labels are shared with `scoring`."""
    runs = len(scoring.runs)
    rows = scoring.rankings.rows_between(topic * runs, (topic + 1) * runs)
    return TopicRuns(rows, scoring.labels.of_topic(topic).label)


def _runs(scoring: Scoring) -> tuple[int, ...]:
    return tuple(run.run for run in scoring.runs)


def _longest(scoring: Scoring) -> int:
    return int(scoring.rankings.lengths.max(initial=0))


def _spread(topic: TopicRuns, form: Additive) -> Spread:
    """Σ |w_s - w_t| over all pairs: in ascending order the i-th of S weights counts 2i - S - 1 times, and 0 never."""
    near = topic.rankings.to_depth(len(form.weight))
    rank = np.arange(1, len(near.document) + 1) - np.repeat(near.row_start[:-1], near.lengths)
    weight = form.weights_at(rank)
    document = near.document.astype(np.int64)
    order = np.lexsort((weight, document))
    document, weight = document[order], weight[order]
    start = np.flatnonzero(np.diff(document, prepend=-1))
    having = np.diff(np.append(start, len(document)))
    last = np.repeat(start + having, having)
    place = len(topic) - (last - 1 - np.arange(len(document)))
    sums = np.add.reduceat((2 * place - len(topic) - 1) * weight, start) if len(start) else np.zeros(0)
    descending = np.argsort(-sums, kind="stable")
    descending = descending[sums[descending] > 0]
    return Spread(document[start][descending].astype(np.int32), sums[descending])
