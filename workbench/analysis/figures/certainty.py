"""Figures of what is certain about pairs of runs."""

from __future__ import annotations

from workbench.analysis.figures.registry import figure
from workbench.core.errors import UnknownName
from workbench.methods.charts import Chart
from workbench.methods.charts.certainty import CertainPair, CoursePoint, certain_matrix, certainty_course
from workbench.methods.measures import parse_measure
from workbench.scoring.board.certain_pairs import DEFAULT_MEASURE, certain_pairs
from workbench.scoring.board.certainty_history import cached_course
from workbench.storage.campaign import Campaign


@figure("certain-pairs")
def all_certain_pairs(
    campaign: Campaign, *, measure: str = DEFAULT_MEASURE, as_of: int | None = None
) -> Chart:
    """Every pair of runs: whether its better run is certain, whatever the rest of the pool turns out to be."""
    found = certain_pairs(campaign, measure, as_of=as_of)
    if len(found.tags) < 2:
        message = f"{campaign.name} has fewer than two runs, so there are no pairs to draw"
        raise UnknownName(message)
    pairs = [CertainPair(*row) for row in found.rows()]
    return certain_matrix(str(found.measure), found.tags, pairs)


@figure("certainty-course")
def course_of_certainty(
    campaign: Campaign, *, measure: str = DEFAULT_MEASURE, as_of: int | None = None
) -> Chart:
    """How many pairs of runs were certain after each row of the log."""
    points = cached_course(campaign, measure, as_of=as_of)
    if not points:
        message = f"nothing is judged yet in {campaign.name}, so nothing could become certain"
        raise UnknownName(message)
    moments = [CoursePoint(one.seq, one.judged, one.pairs, one.certain + one.tied) for one in points]
    return certainty_course(str(parse_measure(measure)), moments)
