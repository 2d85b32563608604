"""Small topics with several runs, and all ways to judge what they leave open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from hypothesis import strategies as st

from workbench.core.ranking import POOLED, UNJUDGED, FloatArray, Rankings, starts_of
from workbench.methods.bounds import TopicRuns
from workbench.methods.measures import BoundMeasure

MOST_OPEN = 5


def topic_of(runs: Sequence[Sequence[int]], labels: Sequence[int]) -> TopicRuns:
    """A topic with documents 0, 1 ... of these labels, and runs that name them in rank order."""
    start = starts_of(np.array([len(run) for run in runs], np.int64))
    document = np.array([each for run in runs for each in run], np.uint32)
    rows = np.arange(len(runs), dtype=np.int32)
    return TopicRuns(
        Rankings(start, document, rows, np.zeros(len(runs), np.int32)), np.array(labels, np.int16)
    )


@st.composite
def topics(draw: st.DrawFn, n_runs: int = 2, grades: Sequence[int] = (-2, 0, 0, 1, 2, 3)) -> TopicRuns:
    """Up to ten documents, of which up to five are undecided, and runs that have some of them, or none."""
    labels = draw(st.lists(st.sampled_from([UNJUDGED, *grades]), max_size=5))
    labels += [POOLED] * draw(st.integers(0, MOST_OPEN))
    runs = []
    for _ in range(n_runs):
        order = draw(st.permutations(range(len(labels))))
        runs.append(order[: draw(st.integers(0, len(labels)))])
    return topic_of(runs, labels)


def completions(topic: TopicRuns, grades: Sequence[int]) -> Iterator[TopicRuns]:
    """The topic with each way to give its undecided documents one of the grades."""
    for chosen in product(grades, repeat=len(topic.waiting)):
        yield topic.completed(topic.waiting, np.array(chosen, np.int16))


def differences_reached(measure: BoundMeasure, topic: TopicRuns, grades: Sequence[int]) -> FloatArray:
    """The difference of each two runs in each completion, float64 (completions, S, S)."""
    values = np.array([measure(each.judged) for each in completions(topic, grades)])
    found: FloatArray = values[:, :, None] - values[:, None, :]
    return found
