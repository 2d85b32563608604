"""Which topics a mean is over: those judged so far, those judged to the end, or all that will count in the end.

A score is a mean over the topics that have a judgment. That set grows while people judge, and with it the score moves
by more than the topics that have judgments already could move it. So bounds are of another mean: of the one that the
board shows once every pooled pair has a grade. It is over the topics that have a judgment now and those of which
something is pooled, touched or not; a topic that has neither never counts. A topic is judged to the end when no pooled
document of it waits for a judgment; "can't tell" is a judgment without a grade, and counts as not relevant.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.methods.measures import BoundMeasure
from workbench.scoring.board.loading import Scoring

Mask = NDArray[np.bool_]
"""One bool for each topic of the campaign, in byte order of their ids."""


class TopicCounts(NamedTuple):
    """How many topics have a judgment, are judged to the end, and count once every pooled pair has a grade."""

    judged: int
    finished: int
    in_the_end: int


NO_TOPICS = TopicCounts(0, 0, 0)


def judged(scoring: Scoring) -> Mask:
    """The topics of which at least one pair has a grade."""
    return np.asarray(scoring.num_judged > 0)


def finished(scoring: Scoring) -> Mask:
    """Those of them of which no pooled pair waits for a judgment."""
    waiting = scoring.num_waiting
    if scoring.without_grade:
        without = Counter(topic_id for topic_id, _ in scoring.without_grade)
        waiting = waiting - np.array([without[topic_id] for topic_id in scoring.topic_ids], np.int64)
    return judged(scoring) & (waiting <= 0)


def in_the_end(scoring: Scoring) -> Mask:
    """The topics that have a judgment once every pooled pair has a grade."""
    return np.asarray(scoring.num_judged + scoring.num_waiting > 0)


def counted(scoring: Scoring, measure: BoundMeasure, *, only_finished: bool = False) -> Mask:
    """The topics that a run's number on this measure is over: of a bound those that count in the end."""
    if measure.modifier("bound") is not None:
        return in_the_end(scoring)
    return finished(scoring) if only_finished else judged(scoring)


def topic_counts(scoring: Scoring) -> TopicCounts:
    """How many topics of each kind there are."""
    return TopicCounts(*(int(which(scoring).sum()) for which in (judged, finished, in_the_end)))
