"""The scores that comparisons start from: one measure of every run by topic, at one place of the log."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import NamedTuple

import numpy as np

from workbench.campaign import Campaign
from workbench.errors import NotThere
from workbench.measures import BoundMeasure, mean_over_topics, parse_measure
from workbench.measures.judged import FloatArray
from workbench.scoring import TopicScores, board_of
from workbench.scoring.past import past_of
from workbench.scoring.table import by_topic

SEED = 1
"""Where nobody gives a seed: the same question always has the same answer."""

SHOWN_NAMES = 5


class Scored(NamedTuple):
    """One measure by topic as of row `seq` of the log: `values` float64 (topics, runs), for the judged topics.

    `means` float64 (runs,) are the leaderboard's for measures that are averaged over topics; for counts, and
    for measures with another mean, it is the arithmetic one too, since differences per topic are what is compared.
    """

    seq: int
    measure: BoundMeasure
    topic_ids: tuple[str, ...]
    tags: tuple[str, ...]
    values: FloatArray
    means: FloatArray

    def of_runs(self, tags: Sequence[str]) -> Scored:
        """The scores of these runs alone, in this order.

        Raises:
            NotThere: a run that takes no part as of this place; the message names the nearest.
        """
        columns = [self.column(tag) for tag in tags]
        chosen = np.asarray(columns, np.int64)
        return self._replace(tags=tuple(tags), values=self.values[:, chosen], means=self.means[chosen])

    def column(self, tag: str) -> int:
        """The place of a run; raises as `of_runs`."""
        if tag not in self.tags:
            raise NotThere(_no_such_run(tag, self.tags))
        return self.tags.index(tag)


def scores_of(campaign: Campaign, measure: str = "AP", *, as_of: int | None = None) -> Scored:
    """One measure of all runs by topic, now (from the live board) or as of a row of the log.

    Raises:
        UnknownName: a measure that does not exist.
    """
    with campaign.snapshot():
        if as_of is None:
            board = board_of(campaign)
            seq, found = board.catch_up(campaign), board.topic_scores(campaign, measure)
        else:
            seq, found = as_of, _then(campaign, measure, as_of)
    means = mean_over_topics(found.values)
    return Scored(seq, found.measure, found.topic_ids, found.tags, found.values, means)


def _then(campaign: Campaign, name: str, seq: int) -> TopicScores:
    """One measure by topic as of a row of the log, from rankings that stay in memory."""
    moment = past_of(campaign).moment(campaign, seq)
    measure = parse_measure(name, defaults={"rel": moment.scoring.relevant_from})
    settled = moment.scoring.settled(measure)
    return by_topic(moment.then, measure, moment.values_of([settled])[settled])


def _no_such_run(tag: str, tags: Sequence[str]) -> str:
    if not tags:
        return f"there is no run called {tag!r}: no run takes part yet"
    near = get_close_matches(tag, tags, SHOWN_NAMES, 0.5) or list(tags[:SHOWN_NAMES])
    more = ", ..." * (len(near) < len(tags))
    return f"there is no run called {tag!r}; there are {', '.join(near)}{more}"
