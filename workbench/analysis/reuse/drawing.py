"""Labels of the pairs that wait, drawn: first whether a pair is relevant, then which grade it has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.reuse.pair_features import Unjudged
from workbench.core.errors import CampaignError
from workbench.core.ranking import IntArray, Labels
from workbench.methods.statistics.levelled_priors import LevelledPriors, fit_levelled
from workbench.methods.statistics.relevance_priors import Features, Priors, fit_priors
from workbench.scoring.board import Scoring

FEWEST = 20
"""From this few judged pairs, or without any that is relevant or not relevant, nothing is learned."""


class Step(NamedTuple):
    """Of the documents that have reached the grade before, which have `grade` too: a model, or a share of them all."""

    grade: int
    priors: Priors | LevelledPriors | None
    share: float = 0.0

    def reached(self, features: Features, topic: IntArray, rng: np.random.Generator) -> NDArray[np.bool_]:
        """A draw for documents, bool (n,)."""
        draw = rng.random(len(topic))
        if self.priors is None:
            return draw < self.share
        return np.asarray(draw < self.priors.probabilities(features, topic, rng))


def learned_steps(scoring: Scoring, rel: int, pairs: Unjudged) -> list[Step]:
    """One step from not relevant to relevant, and one to each higher grade that was given.

    Of a probe the first step is learned from it alone, and the others from all that is judged.

    Raises CampaignError where too little is judged.
    """
    known, label, topics = ~pairs.waits, scoring.labels.label[pairs.cell], len(scoring.topic_ids)
    relevant = label[known] >= rel
    if known.sum() < FEWEST or not relevant.any() or relevant.all():
        message = (
            f"too little is judged to learn from: it takes {FEWEST} pooled pairs, some relevant and some not"
        )
        raise CampaignError(message)
    steps, among = [], pairs.learned
    fit = fit_priors if pairs.probe is None else fit_levelled
    for grade in np.unique(label[known & (label >= rel)]).tolist():
        reached = label[among] >= grade
        if len(reached) < FEWEST or reached.all():
            steps.append(Step(grade, None, float(reached.mean())))
        else:
            steps.append(Step(grade, fit(pairs.features.rows(among), pairs.topic[among], reached, topics)))
        among, fit = known & (label >= grade), fit_priors
    return steps


def drawn_labels(
    scoring: Scoring, pairs: Unjudged, steps: Sequence[Step], number: int, rng: np.random.Generator
) -> Iterator[Labels]:
    """The labels with drawn ones in the place of those that wait."""
    waiting = pairs.cell[pairs.waits]
    features, topic = pairs.features.rows(pairs.waits), pairs.topic[pairs.waits]
    for _ in range(number):
        drawn, still = np.zeros(len(waiting), np.int16), np.ones(len(waiting), np.bool_)
        for step in steps:
            still &= step.reached(features, topic, rng)
            drawn[still] = step.grade
        label = scoring.labels.label.copy()
        label[waiting] = drawn
        yield Labels(scoring.labels.topic_start, label)
