"""The scores of all runs without some judgments, computed where they can have changed and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.comparing.leaderboards import ranks_of
from workbench.core.errors import UnknownName
from workbench.core.ranking import POOLED, UNJUDGED, IntArray, Labels
from workbench.methods.measures import BoundMeasure, over_topics
from workbench.methods.measures.gains import Gains
from workbench.methods.measures.judged import FloatArray
from workbench.methods.measures.question_rankings import QUESTIONS
from workbench.scoring.board import Scoring


class RankedRuns(NamedTuple):
    """The runs on one measure: `values` float64 (topics, runs), `scores` float64 (runs,), and `ranks` from 1."""

    values: FloatArray
    scores: FloatArray
    ranks: list[int]


class Rescoring:
    """A measure of all runs, with all judgments and without some.

    The topics that count are always those that count with all judgments: otherwise a mean would change because it is
    over other topics. A topic that loses all its relevant documents scores what the measure gives without any.
    """

    def __init__(self, scoring: Scoring, measure: BoundMeasure, values: FloatArray | None = None) -> None:
        """Score all runs by a measure that `refuse` lets pass; `values` float64 (topics, runs) where they are known."""
        self.scoring = scoring
        self.measure = measure
        self._settled = scoring.settled(measure)
        self.counts = scoring.topics_for(measure)
        if values is None:
            values = scoring.values_of([self._settled])[self._settled]
        self.now = self._ranked(values, scoring.labels)

    def matter(self, cells: IntArray) -> IntArray:
        """Those of the cells whose judgment can change a score when it is taken away.

        To most measures a document judged non-relevant is the same as one without a judgment.
        """
        return cells if _sees_nonrelevant(self.measure) else cells[self.scoring.labels.label[cells] > 0]

    def topics_of(self, cells: IntArray) -> IntArray:
        """The topics that have to be scored again without these judgments, ascending."""
        start = self.scoring.labels.topic_start
        topics = np.searchsorted(start, self.matter(cells), side="right") - 1
        return np.flatnonzero(np.bincount(topics, minlength=len(start) - 1))

    def without(self, cells: IntArray) -> RankedRuns:
        """The runs when the documents at these cells of the labels had never been pooled or judged."""
        label = self.scoring.labels.label.copy()
        label[cells] = UNJUDGED
        labels = Labels(self.scoring.labels.topic_start, label)
        reduced = replace(self.scoring, labels=labels)
        values = self.now.values.copy()
        for topic in self.topics_of(cells).tolist():
            judged = reduced.judged(topic, topic + 1)
            values[topic] = reduced.value_of(self._settled, judged, topic, topic + 1)
        return self._ranked(values, labels)

    def counted_values(self, runs: RankedRuns) -> FloatArray:
        """The values of the topics that count, float64 (topics, runs)."""
        return runs.values[self.counts]

    def _ranked(self, values: FloatArray, labels: Labels) -> RankedRuns:
        scores = over_topics(self.measure, values, labels, self.counts)
        return RankedRuns(values, scores, ranks_of(self.measure.sign * scores))


def refuse(measure: BoundMeasure) -> None:
    """UnknownName where a measure does not rank runs by the labels alone."""
    if measure.best == "none":
        message = f"{measure} does not say which run is better, so no run has a rank to lose; choose another measure"
        raise UnknownName(message)
    if measure.measure.of_sample or measure.measure.takes_as_sample:
        raise UnknownName(
            f"{measure} estimates from how the pool was sampled, and without a run there would have been another "
            "sample; choose a measure of the judgments themselves, such as AP"
        )
    if measure.measure.of == QUESTIONS:
        message = f"{measure} looks at answers to further questions, which a run that is left out does not take along"
        raise UnknownName(f"{message}; choose a measure of relevance alone, such as AP")


def judged_cells(scoring: Scoring) -> NDArray[np.bool_]:
    """Which cells of the labels have a grade, bool (cells,)."""
    return np.asarray(scoring.labels.label > POOLED)


def _sees_nonrelevant(measure: BoundMeasure) -> bool:
    """Whether a judgment of "not relevant" may change the measure."""
    if measure.measure.nonrelevant_counts or measure.modifier("judged_only"):
        return True
    if measure.modifier("bound") is not None:
        return True
    return any(isinstance(value, Gains) and value.lowest_grade < 1 for _, value in measure.values)
