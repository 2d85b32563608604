"""Figures of what is certain about pairs of runs."""

from __future__ import annotations

from workbench.analysis.figures.registry import figure
from workbench.analysis.trust.certain_history import cached_history
from workbench.analysis.trust.certain_jobs import (
    IN_A_HISTORY,
    IN_A_JOB,
    history_takes_long,
    pairs_take_long,
)
from workbench.analysis.trust.certain_pairs import DEFAULT_MEASURE, PairsRequest, certain_pairs
from workbench.core.errors import UnknownName
from workbench.methods.charts import Chart
from workbench.methods.charts.decisions import CertainPair, HistoryPoint, certain_matrix, certainty_history
from workbench.methods.measures import parse_measure
from workbench.storage.campaign import Campaign

MOST_RUNS = 200


def _pairs_take_long(campaign: Campaign, *, measure: str = DEFAULT_MEASURE, as_of: int | None = None) -> bool:
    return pairs_take_long(campaign, PairsRequest(measure, as_of=as_of, most_steps=IN_A_JOB))


def _history_takes_long(
    campaign: Campaign, *, measure: str = DEFAULT_MEASURE, as_of: int | None = None
) -> bool:
    return history_takes_long(campaign, measure, as_of)


@figure("certain-pairs", takes_long=_pairs_take_long)
def all_certain_pairs(
    campaign: Campaign, *, measure: str = DEFAULT_MEASURE, as_of: int | None = None
) -> Chart:
    """Every pair of runs: whether its better run is certain, whatever the rest of the pool turns out to be.

    Of more than 200 runs those with the highest means are drawn.
    """
    found = certain_pairs(campaign, measure, as_of=as_of, most_steps=IN_A_JOB)
    found = found.among(found.tags[:MOST_RUNS])
    if len(found.tags) < 2:
        message = f"{campaign.name} has fewer than two runs, so there are no pairs to draw"
        raise UnknownName(message)
    pairs = [CertainPair(*row) for row in found.rows()]
    return certain_matrix(str(found.measure), found.tags, pairs)


@figure("certainty-history", takes_long=_history_takes_long)
def history_of_certainty(
    campaign: Campaign, *, measure: str = DEFAULT_MEASURE, as_of: int | None = None
) -> Chart:
    """How many pairs of runs were certain after each row of the log."""
    points = cached_history(campaign, measure, as_of=as_of, most_steps=IN_A_HISTORY)
    if not points:
        message = f"nothing is judged yet in {campaign.name}, so nothing could become certain"
        raise UnknownName(message)
    moments = [HistoryPoint(one.seq, one.judged, one.pairs, one.certain + one.tied) for one in points]
    return certainty_history(str(parse_measure(measure)), moments)
