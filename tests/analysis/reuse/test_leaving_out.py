"""Scores without some judgments, scored again only where they can change."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from workbench.analysis.reuse.leaving_out import Rescoring
from workbench.core.errors import UnknownName
from workbench.core.ranking import POOLED, UNJUDGED, Labels
from workbench.methods.measures import MEASURES, parse_measure
from workbench.scoring.board import Scoring
from workbench.scoring.board.loading import load_scoring
from workbench.storage.campaign import Campaign

GRADES = [UNJUDGED, POOLED, -1, 0, 0, 1, 1, 2]
FURTHER = [
    "AP(judged_only=true)",
    "AP(mean=micro)",
    "AP(mean=geometric)",
    "P(bound=upper)@2",
    "nDCG(gains={0:1,1:2})@3",
]


def measures() -> list[str]:
    """Every measure that runs are ranked by, with a cutoff where it needs one; and modifiers that look further."""
    found = list(FURTHER)
    for name in MEASURES:
        for written in (name, f"{name}@3"):
            try:
                measure = parse_measure(written)
            except UnknownName:
                continue
            of = measure.measure
            if measure.best != "none" and of.of == "judgments" and not of.takes_as_sample:
                found.append(written)
    return found


def labelled(scoring: Scoring, labels: Labels) -> Scoring:
    waiting = labels.count(labels.label == POOLED)
    return replace(scoring, labels=labels, num_judged=labels.num_judged(), num_waiting=waiting)


@pytest.mark.parametrize("name", measures())
def test_only_topics_that_can_change_are_scored_again(small: Campaign, name: str) -> None:
    rng, whole = np.random.default_rng(7), load_scoring(small)
    start, size = whole.labels.topic_start, len(whole.labels.label)
    for _ in range(30):
        scoring = labelled(whole, Labels(start, rng.choice(GRADES, size).astype(np.int16)))
        judged = np.flatnonzero(scoring.labels.label > POOLED)
        cells = judged[rng.random(len(judged)) < 0.4]
        measure = parse_measure(name)
        rescoring = Rescoring(scoring, measure)
        found = rescoring.without(cells)
        label = scoring.labels.label.copy()
        label[cells] = UNJUDGED
        settled = scoring.settled(measure)
        again = replace(scoring, labels=Labels(start, label)).values_of([settled])[settled]
        assert found.values.tolist() == again.tolist()


def test_what_was_not_relevant_is_not_scored_again(small: Campaign) -> None:
    whole = load_scoring(small)
    label = np.zeros(len(whole.labels.label), np.int16)
    label[0] = 1
    scoring = labelled(whole, Labels(whole.labels.topic_start, label))
    cells = np.arange(len(label))
    assert Rescoring(scoring, parse_measure("AP")).topics_of(cells).tolist() == [0]
    assert Rescoring(scoring, parse_measure("Bpref")).topics_of(cells).tolist() == [0, 1, 2]


def test_the_topics_that_count_stay_the_same(small: Campaign) -> None:
    whole = load_scoring(small)
    label = np.full(len(whole.labels.label), UNJUDGED, np.int16)
    label[whole.labels.topic_start[:-1]] = 1
    scoring = labelled(whole, Labels(whole.labels.topic_start, label))
    rescoring = Rescoring(scoring, parse_measure("P@1"))
    # Of the first topic nothing is left: it counts as 0, and the mean is still over three topics.
    found = rescoring.without(np.array([0]))
    assert np.allclose(found.scores, rescoring.now.scores - rescoring.now.values[0] / 3)
