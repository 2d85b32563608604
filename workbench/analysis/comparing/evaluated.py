"""Comparisons of runs that were scored from files or from memory, without a campaign."""

from __future__ import annotations

import numpy as np

from workbench.analysis.comparing.scores import Scored
from workbench.core.errors import UnknownName
from workbench.methods.measures import mean_over_topics, sum_over_topics
from workbench.scoring.evaluation.evaluate import Evaluation

NO_LOG = 0
"""The log row of such scores: there is none."""


def scores_of_evaluation(evaluation: Evaluation, measure: str | None = None) -> Scored:
    """One measure by topic, for the topics that count for all runs.

    Args:
        evaluation: the scores of some runs.
        measure: one of its measures, as it was asked for; None for the first.

    Raises:
        UnknownName: a measure that was not asked for, or that has no value for a single topic.
    """
    by_name = {
        requested.name: scores for requested, scores in evaluation.scores.items() if requested.has_topics
    }
    name = next(iter(by_name), "") if measure is None else measure
    bound = by_name[name].requested.measure if name in by_name else None
    if bound is None:
        message = f"{name!r} is none of the measures that were asked for: {', '.join(by_name) or 'none'}"
        raise UnknownName(message)
    shared = np.flatnonzero(evaluation.counted.all(axis=1))
    values = by_name[name].by_topic[shared]
    means = sum_over_topics(values) if bound.is_count else mean_over_topics(values)
    topic_ids = tuple(evaluation.topic_ids[topic] for topic in shared.tolist())
    return Scored(NO_LOG, bound, topic_ids, tuple(evaluation.tags), values, means)
