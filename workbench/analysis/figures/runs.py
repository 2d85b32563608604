"""Figures of one run."""

from __future__ import annotations

from workbench.analysis.figures.registry import figure
from workbench.analysis.run_profiles.curves import precision_recall
from workbench.analysis.run_profiles.one_run import run_named, topic_lines
from workbench.core.errors import NotThere, UnknownName
from workbench.core.natural_order import natural
from workbench.methods.charts import Chart, runs
from workbench.storage.campaign import Campaign


@figure("topic-scores")
def topic_scores(campaign: Campaign, *, run: str, measure: str = "AP", as_of: int | None = None) -> Chart:
    """A run's score on every topic, with the median and the best of all runs: the figure of evaluation campaigns.

    A withdrawn run is scored as if it took part, but counts for neither the
    median nor the best.
    """
    _check(campaign, run, as_of)
    found, lines = topic_lines(campaign, run, measure, as_of=as_of)
    ordered = sorted(lines, key=lambda line: natural(line.topic_id))
    scores = [runs.TopicScore(line.topic_id, line.score, line.median, line.best) for line in ordered]
    return runs.topic_scores(run, str(found.measure), scores)


@figure("run-recall")
def run_recall(campaign: Campaign, *, run: str, as_of: int | None = None) -> Chart:
    """A run's interpolated precision at eleven levels of recall, with the median and the best of all runs at each.

    Precision is the mean over the judged topics. Median and best are taken at each level separately, so that theirs
    need not be the curve of any run; for a withdrawn run as in `topic-scores`.
    """
    _check(campaign, run, as_of)
    points = precision_recall(campaign, run, as_of=as_of)
    return runs.precision_recall(run, [runs.CurvePoint(*point) for point in points])


def _check(campaign: Campaign, run: str, as_of: int | None) -> None:
    try:
        run_named(campaign, run, as_of)
    except NotThere as error:
        raise UnknownName(str(error)) from None
