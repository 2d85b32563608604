"""Have we found nearly all? How many relevant documents a topic can still have, by what a random part of it showed.

Of the N documents of a stratum n were drawn, each n of them as likely as any other, and k turned out relevant. The
upper limit is the largest K with P(at most k relevant in n | K relevant in N) > alpha: if more were relevant, so few
would be found with at most the probability alpha. It is exact for every N, n and K, and holds for one look, when all
that was drawn of the topic is judged.

Source: C. Clopper and E. Pearson, Biometrika 26 (1934), with the hypergeometric distribution of a finite population;
J. Wright, Exact Confidence Bounds when Sampling from Small Finite Universes, Springer (1991).
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from workbench.core.ranking import POOLED, UNJUDGED
from workbench.core.results import Column, shown
from workbench.methods.measures.sampled_rankings import OUTSIDE, SampleLabels
from workbench.methods.statistics.intervals import most_in_population
from workbench.scoring.board import Scoring
from workbench.scoring.board.past_boards import scoring_of
from workbench.storage.campaign import Campaign


class TopicFound(NamedTuple):
    """What is found of a topic, and what can be missing.

    Attributes:
        topic_id: which topic.
        found: how many relevant documents are known.
        drawn, of: how many documents were drawn at random, of how many.
        waiting: how many of those drawn wait for a judgment; while there are any, there is no limit.
        missing: with at most the risk alpha no more relevant documents of the pool are unknown; None while some wait.
    """

    topic_id: Annotated[str, Column("Topic")]
    found: Annotated[int, Column("Relevant")]
    drawn: int
    of: int
    waiting: int
    missing: Annotated[int | None, Column("Missing at most")]

    @property
    @shown(Column("Recall at least"))
    def recall(self) -> float | None:
        """At least this share is found; None without a limit, or where there may be nothing to find."""
        if self.missing is None or not self.found + self.missing:
            return None
        return self.found / (self.found + self.missing)


def found_of(campaign: Campaign, *, alpha: float) -> list[TopicFound] | None:
    """Each topic of which a part was drawn uniformly at random, in byte order; None where the pools are no such sample.

    `alpha` is the risk of each topic's limit.
    """
    scoring = scoring_of(campaign.whole)
    sample = scoring.sample
    if sample is None or not sample.has_strata:
        return None
    found = (_of_topic(scoring, sample, topic, alpha) for topic in range(len(scoring.topic_ids)))
    return [each for each in found if each is not None]


def _of_topic(scoring: Scoring, sample: SampleLabels, topic: int, alpha: float) -> TopicFound | None:
    here = slice(int(sample.topic_start[topic]), int(sample.topic_start[topic + 1]))
    stratum, drawn = sample.stratum[here], sample.drawn[here]
    known = scoring.labels.of_topic(topic).label
    label = np.full(len(stratum), UNJUDGED, np.int16)
    label[: len(known)] = known[: len(stratum)]
    relevant = label >= scoring.relevant_from
    unsure = _unsure(scoring, topic, len(stratum))
    waiting = int((drawn & (label <= POOLED) & ~unsure).sum())
    parts = [each for each in np.unique(stratum[stratum != OUTSIDE]) if not drawn[stratum == each].all()]
    if not parts:
        return None
    sampled = np.isin(stratum, parts)
    missing = 0
    for each in parts:
        there = stratum == each
        # A document without a grade ("can't tell") may be relevant.
        seen = int((there & drawn & (relevant | unsure)).sum())
        most = most_in_population(int(there.sum()), int((there & drawn).sum()), seen, alpha / len(parts))
        missing += max(0, most - int((there & relevant).sum()))
    return TopicFound(
        scoring.topic_ids[topic],
        int((known >= scoring.relevant_from).sum()),
        int((sampled & drawn).sum()),
        int(sampled.sum()),
        waiting,
        None if waiting else missing,
    )


def _unsure(scoring: Scoring, topic: int, size: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which documents of a topic were judged without a grade, bool (size)."""
    topic_id = scoring.topic_ids[topic]
    unsure = np.zeros(size, np.bool_)
    numbers = scoring.numbers.get(topic_id, {})
    for number in (numbers.get(id_) for other, id_ in scoring.without_grade if other == topic_id):
        if number is not None and number < size:
            unsure[number] = True
    return unsure
