"""Differences by additive measures: exact, and fast.

The difference of two runs is Σ g_d a_d over documents d with the gain g_d, where a_d is the difference of the two
weights of d. Each undecided document can be judged on its own, so the highest difference is reached where each with
a_d > 0 is worth the most, and each with a_d < 0 the least. Σ max(0, a_d) is what the first run's undecided documents
weigh, less the lesser of the two weights of each: so all pairs need only one matrix of shared weights, from which a
judged document is subtracted.
"""

from __future__ import annotations

import numpy as np

from workbench.core.ranking import FloatArray
from workbench.methods.bounds.registry import Completion, Differences, differences_of
from workbench.methods.bounds.topic_runs import TopicRuns, pairwise_least
from workbench.methods.measures.additive import ADDITIVE, Additive, additive_form


class AdditiveDifferences(Differences):
    """Of measures that are a sum over documents of gain times weight."""

    def form(self, topic: TopicRuns) -> Additive:
        """The weights by rank, down to the end of the longest ranking."""
        return form_of(self, int(topic.rankings.lengths.max(initial=0)))

    def highest(self, topic: TopicRuns) -> FloatArray:
        """As in `Differences`."""
        form = self.form(topic)
        weight = undecided_weights(topic, form)
        values = self.values(topic)
        return highest_differences(form, values, weight.sum(axis=0), pairwise_least(weight))

    def best_for(self, topic: TopicRuns) -> Completion:
        """As in `Differences`."""
        form = self.form(topic)
        undecided = topic.undecided(len(form.weight))
        weight = form.weights_at(undecided.rank)
        ahead = weight[:, 0] - weight[:, 1]
        grade = np.where(ahead > 0, form.best_grade, form.worst_grade)
        return Completion(undecided.document, grade.astype(np.int16))

    def cost(self, topic: TopicRuns) -> float:
        """As in `Differences`."""
        near = np.minimum(topic.rankings.lengths, len(self.form(topic).weight))
        return float(len(topic) * np.minimum(near, len(topic.waiting)).sum())


for name in ADDITIVE:
    differences_of(name)(AdditiveDifferences)


def form_of(kind: Differences, ranks: int) -> Additive:
    """The form of the measure for rankings of at most `ranks` ranks; ValueError if it is not additive."""
    form = additive_form(kind.measure, ranks=ranks, top_grade=kind.top_grade, least_grade=kind.least_grade)
    if form is None:
        raise ValueError(f"{kind.measure} is not additive")
    return form


def undecided_weights(topic: TopicRuns, form: Additive) -> FloatArray:
    """What the topic's undecided documents weigh in each run, float64 (n, S); none that weighs nothing in all runs."""
    return form.weights_at(topic.undecided(len(form.weight)).rank)


def highest_differences(
    form: Additive, values: FloatArray, weight: FloatArray, shared: FloatArray
) -> FloatArray:
    """The highest value of each run less each other one, float64 (S, S).

    Values (S) are what judged documents add up to, weights (S) what undecided ones weigh in each run, and `shared`
    (S, S) what they weigh in both runs, the lesser of the two weights of each document.
    """
    ahead = weight[:, None] - shared
    highest: FloatArray = values[:, None] - values + form.most * ahead - form.least * ahead.T
    return highest
