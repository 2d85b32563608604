"""Figures of one run."""

from __future__ import annotations

import numpy as np

from workbench.campaign import Campaign
from workbench.charts import Chart
from workbench.charts.topics import TopicScore
from workbench.charts.topics import topic_scores as chart_topic_scores
from workbench.errors import UnknownName
from workbench.figures.registry import figure
from workbench.scoring import score_topics


@figure("topic-scores")
def topic_scores(campaign: Campaign, *, run: str, measure: str = "AP", as_of: int | None = None) -> Chart:
    """A run's score on every topic, with the median and the best of all runs: the figure of evaluation campaigns."""
    found = score_topics(campaign, measure, as_of=as_of)
    if run not in found.tags:
        message = f"no run is called {run!r} in {campaign.name}"
        raise UnknownName(message)
    medians, bests = np.median(found.values, axis=1), found.values.max(axis=1)
    own = found.values[:, found.tags.index(run)]
    scores = [
        TopicScore(topic_id, float(score), float(median), float(best))
        for topic_id, score, median, best in zip(found.topic_ids, own, medians, bests, strict=True)
    ]
    return chart_topic_scores(run, str(found.measure), scores)
