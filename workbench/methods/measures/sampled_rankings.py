"""Rankings with the design of a sample: the one thing that measures of sampled judgments look at.

Of a topic's candidates (the *frame*) some were drawn to be judged. Each candidate has a stratum and an inclusion
probability; a document outside the frame counts as non-relevant. While judging goes on, what is judged of a stratum
stands for all that was drawn of it, which is right where assessors see the pairs of a topic in random order.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import UNJUDGED, FloatArray, IntArray, Rankings, cells_of
from workbench.methods.measures.judged import KnownRankings
from workbench.methods.measures.running import running_sums

OUTSIDE = -1
"""The stratum of a document that is no candidate."""


class SampleLabels:
    """All that is known about the sample of every topic; T topics, N cells, at most S strata in a topic."""

    def __init__(
        self,
        topic_start: IntArray,
        stratum: IntArray,
        grade: NDArray[np.int16],
        probability: FloatArray,
        drawn: NDArray[np.bool_],
        *,
        has_strata: bool,
        met: FloatArray | None = None,
    ) -> None:
        """The cells of all topics.

        Args:
            topic_start: int64 (T + 1). Document d of topic t has the cell topic_start[t] + d.
            stratum: int64 (N). From 0 within the topic; OUTSIDE for no candidate.
            grade: int16 (N). From 0 on where a drawn document is judged; any other value means that it is not.
            probability: float64 (N). Of being drawn; above 0 for every candidate.
            drawn: bool (N).
            has_strata: whether the documents of a stratum all had the same chance, and all of them are here.
            met: float64 (N). Of strata from which an earlier pool took documents, the probability that any of those
                that are left was drawn; None where that is 1 for all.
        """
        self.topic_start = topic_start
        self.stratum = stratum
        self.grade = np.where(drawn & (stratum >= 0) & (grade >= 0), grade, UNJUDGED).astype(np.int16)
        self.probability = probability
        self.drawn = drawn & (stratum >= 0)
        self.has_strata = has_strata
        self.met = met

    def __len__(self) -> int:
        return len(self.topic_start) - 1

    @cached_property
    def num_strata(self) -> int:
        """How many strata a topic has at most."""
        return int(self.stratum.max(initial=OUTSIDE)) + 1

    def topics_between(self, first: int, last: int) -> SampleLabels:
        """The labels of topics `first` to `last - 1`."""
        start, end = int(self.topic_start[first]), int(self.topic_start[last])
        return self._cells(self.topic_start[first : last + 1] - start, slice(start, end))

    def of_topics(self, topics: IntArray) -> SampleLabels:
        """The labels of these topics, in this order."""
        return self._cells(*cells_of(self.topic_start, topics))

    def _cells(self, topic_start: IntArray, cells: IntArray | slice) -> SampleLabels:
        return SampleLabels(
            topic_start,
            self.stratum[cells],
            self.grade[cells],
            self.probability[cells],
            self.drawn[cells],
            has_strata=self.has_strata,
            met=None if self.met is None else self.met[cells],
        )

    def with_grades(self, grade: NDArray[np.int16]) -> SampleLabels:
        """The same sample with other grades, int16 (N)."""
        return SampleLabels(
            self.topic_start,
            self.stratum,
            grade,
            self.probability,
            self.drawn,
            has_strata=self.has_strata,
            met=self.met,
        )

    def totals(self, chosen: NDArray[np.bool_], weight: FloatArray | None = None) -> FloatArray:
        """The number of chosen cells in each stratum, or the sum of their weights, (N) to float64 (T, S)."""
        cells = np.flatnonzero(chosen & (self.stratum >= 0))
        topic = np.searchsorted(self.topic_start, cells, side="right") - 1
        key = topic * self.num_strata + self.stratum[cells]
        found = np.bincount(
            key, None if weight is None else weight[cells], minlength=len(self) * self.num_strata
        )
        return found.astype(np.float64).reshape(len(self), self.num_strata)

    @cached_property
    def size(self) -> FloatArray:
        """How many candidates each stratum has, float64 (T, S)."""
        return self.totals(self.stratum >= 0)

    @cached_property
    def judged(self) -> FloatArray:
        """How many of them are judged, float64 (T, S)."""
        return self.totals(self.grade >= 0)

    def relevant(self, rel: int) -> FloatArray:
        """How many of them are judged to have a grade of at least `rel`, float64 (T, S)."""
        return self.totals(self.grade >= rel)

    @cached_property
    def chance(self) -> FloatArray:
        """The probability of being judged by now, float64 (N); 0 where nothing of a stratum is judged.

        Of strata it is the judged share of the candidates, without what an earlier pool took, times `met`: so what was
        drawn makes up on average for draws of which an earlier pool took all. Else it is the probability of being
        drawn, times the judged share of what was drawn and not certain.
        """
        inside = self.stratum >= 0
        topic = np.repeat(np.arange(len(self)), np.diff(self.topic_start))[inside]
        if self.has_strata:
            whole, of = self.judged, self.size
            base = np.ones(len(topic)) if self.met is None else self.met[inside]
        else:
            open_ = self.drawn & (self.probability < 1)
            whole, of = self.totals(open_ & (self.grade >= 0)), self.totals(open_)
            base = self.probability[inside]
        share = np.divide(whole, of, out=np.zeros_like(of), where=of > 0)
        chance = np.zeros(len(self.stratum))
        chance[inside] = base * share[topic, self.stratum[inside]]
        if not self.has_strata:  # a certain document stands for no other
            chance[self.drawn & (self.probability >= 1) & (self.grade >= 0)] = 1.0
        return chance


class SampledRankings(KnownRankings[SampleLabels]):
    """Rankings joined with a sample, whose M candidates are known; every measure of sampled judgments looks at it."""

    @classmethod
    def join(cls, rankings: Rankings, labels: SampleLabels) -> SampledRankings:
        """Rankings with the candidates among their documents."""
        cell = np.repeat(labels.topic_start[rankings.topic], rankings.lengths) + rankings.document
        position = np.flatnonzero(labels.stratum[cell] >= 0)
        return cls(rankings.row_start, rankings.topic, position, cell[position], labels)

    @property
    def stratum(self) -> IntArray:
        """The stratum of each candidate, int64 (M)."""
        return self.labels.stratum[self.cell]

    @cached_property
    def grade(self) -> NDArray[np.int16]:
        """The grade of each candidate, int16 (M); below 0 where it is not judged."""
        return self.labels.grade[self.cell]

    def sums(self, chosen: NDArray[np.bool_], weight: FloatArray | None = None) -> FloatArray:
        """The sum of the weights (by default 1) of each row's chosen candidates, float64 (R)."""
        weights = None if weight is None else weight[chosen]
        return np.bincount(self.row[chosen], weights, minlength=len(self)).astype(np.float64)

    def above(self, weight: NDArray[np.bool_] | FloatArray) -> FloatArray:
        """The sum of the weights of those candidates that are above each, in its row; float64 (M)."""
        starts = np.searchsorted(self.row, np.arange(len(self) + 1))
        running = running_sums(np.asarray(weight, np.float64), starts)
        above = np.concatenate([[0.0], running])[:-1]
        above[starts[:-1][starts[:-1] < len(above)]] = 0.0
        return above


def sample_of_strata(topic_start: IntArray, stratum: IntArray, grade: NDArray[np.int16]) -> SampleLabels:
    """A sample of which strata and grades are known, as in `SampleLabels`: what has a grade from 0 on was drawn."""
    drawn = (stratum >= 0) & (grade >= 0)
    whole = SampleLabels(topic_start, stratum, grade, np.ones(len(grade)), drawn, has_strata=True)
    rate = np.divide(whole.judged, whole.size, out=np.zeros_like(whole.size), where=whole.size > 0)
    topic = np.repeat(np.arange(len(whole)), np.diff(topic_start))
    inside = stratum >= 0
    probability = np.zeros(len(grade))
    probability[inside] = rate[topic[inside], stratum[inside]]
    return SampleLabels(topic_start, stratum, grade, probability, drawn, has_strata=True)
