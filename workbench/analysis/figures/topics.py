"""Figures of topics and of runs: how hard a topic is, who ranks what where, how one run does on each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workbench.analysis.figures.registry import Depth, figure
from workbench.analysis.run_profiles.one_run import precision_recall, topic_lines
from workbench.analysis.topic_profiles import MAP_DEPTH, Found, history_of, rank_map, topic_table
from workbench.core.errors import UnknownName
from workbench.core.natural_order import natural
from workbench.core.wording import none_such
from workbench.methods.charts import Chart, Row, runs
from workbench.methods.charts.topics import UNJUDGED_NAME, MapStretch, colours_of
from workbench.methods.charts.topics import history as chart_history
from workbench.methods.charts.topics import topic_map as chart_map
from workbench.methods.charts.topics import topic_spreads as chart_spreads
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.organising import settings

MOST_POINTS = 2000
"""A line on the screen has hardly more points than this; with more judgments only some are drawn."""


@figure("topics")
def all_topics(campaign: Campaign, *, measure: str = "AP") -> Chart:
    """The scores of all runs on every topic, from the hardest topic to the easiest."""
    table = topic_table(campaign, measure)
    spreads: list[Row] = [
        {"topic": row.topic_id, "lowest": hard.lowest, "median": hard.median, "highest": hard.highest}
        for row in table.hardest_first()
        if (hard := row.difficulty) is not None
    ]
    return chart_spreads(str(table.measure), table.runs, spreads)


@figure("topic-map")
def topic_map(campaign: Campaign, *, topic: str, depth: Depth = MAP_DEPTH, measure: str = "AP") -> Chart:
    """The first documents of every run on a topic, coloured by grade; the run with the highest score on top."""
    tags, found = rank_map(campaign, topic, depth=depth, measure=measure)
    rules = settings.read(campaign)
    names = {grade.grade: grade.name for grade in rules.grades}
    seen = {one.grade for one in found if one.grade is not None}
    names |= {grade: f"Grade {grade}" for grade in sorted(seen - names.keys())}
    colours = colours_of(names, rules.relevant_from)
    stretches = [
        MapStretch(tag, first, last, UNJUDGED_NAME if grade is None else names[grade])
        for tag, first, last, grade in found
    ]
    return chart_map(topic, tags, colours, stretches)


@figure("topic-history", scores=False)
def topic_history(campaign: Campaign, *, topic: str) -> Chart:
    """How many relevant documents of a topic were found, judgment by judgment."""
    if topics.find(campaign, topic) is None:
        raise UnknownName(none_such("topic", topic, topics.topic_ids(campaign), of=campaign.name))
    rows = [
        {"judgments": one.judgments, "judged": one.judged, "relevant": one.relevant}
        for one in (Found(0, 0, 0, 0), *thinned(history_of(campaign, topic)))
    ]
    return chart_history(topic, rows)


def thinned(history: Sequence[Found]) -> Iterator[Found]:
    """The history with at most MOST_POINTS points, and always its last."""
    step = -(-len(history) // MOST_POINTS) or 1
    return (one for place, one in enumerate(history) if (len(history) - 1 - place) % step == 0)


@figure("topic-scores")
def topic_scores(campaign: Campaign, *, run: str, measure: str = "AP") -> Chart:
    """A run's score on every topic, with the median and the best of all runs: the figure of evaluation campaigns.

    A withdrawn run is scored as if it took part, but counts for neither the
    median nor the best.
    """
    found, lines = topic_lines(campaign, run, measure)
    measured = str(found.measure)
    rows: list[Row] = [
        {"topic": line.topic_id, measured: line.score, "median": line.median, "best": line.best}
        for line in sorted(lines, key=lambda line: natural(line.topic_id))
    ]
    return runs.topic_scores(run, measured, rows)


@figure("run-recall")
def run_recall(campaign: Campaign, *, run: str) -> Chart:
    """A run's interpolated precision at eleven levels of recall, with the median and the best of all runs at each.

    Precision is the mean over the judged topics. Median and best are taken at each level separately, so that theirs
    need not be the curve of any run; for a withdrawn run as in `topic-scores`.
    """
    names = ("recall", "precision", "median", "best")
    points = precision_recall(campaign, run)
    return runs.precision_recall(run, [dict(zip(names, point, strict=True)) for point in points])
