"""Precision over recall of one run, beside the runs that take part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from workbench.analysis.run_profiles.one_run import alone, run_named
from workbench.analysis.run_profiles.table import scoring_of
from workbench.methods.measures import over_topics
from workbench.methods.measures.recall_levels import ELEVEN_POINTS
from workbench.scoring.board import board_of, score_campaign
from workbench.scoring.board.table import choose
from workbench.storage.campaign import Campaign


class CurvePoint(NamedTuple):
    """Interpolated precision at one level of recall, mean over the judged topics: the run's, and the median and the
    best of the runs that take part.
    """

    recall: float
    precision: float
    median: float
    best: float


NAMES = tuple(f"IPrec@{level}" for level in ELEVEN_POINTS.shares)


def precision_recall(campaign: Campaign, tag: str) -> list[CurvePoint]:
    """A run's curve at the eleven levels of recall from 0 to 1; arguments and errors as in `topic_lines`.

    At each level the median and the best are taken separately, so that theirs need not be the curve of any run.
    """
    run = run_named(campaign, tag)
    live = campaign.as_of is None
    table = board_of(campaign).table(campaign, NAMES) if live else score_campaign(campaign, NAMES)
    values = {row.tag: row.values for row in table.rows}
    own = values[tag] if run.withdrawn is None else _alone(campaign, tag)
    every = np.array([*values.values()] or [tuple(own)])
    columns = (own, np.median(every, axis=0).tolist(), every.max(axis=0).tolist())
    return [CurvePoint(*point) for point in zip(ELEVEN_POINTS.shares, *columns, strict=True)]


def _alone(campaign: Campaign, tag: str) -> Sequence[float]:
    scoring = alone(campaign.now, scoring_of(campaign), run_named(campaign, tag))
    measures = [measure for _, measure in choose(NAMES, scoring.relevant_from)]
    values, counted = scoring.values_of(measures), scoring.num_judged > 0
    return [float(over_topics(measure, values[measure], scoring.labels, counted)[0]) for measure in measures]
