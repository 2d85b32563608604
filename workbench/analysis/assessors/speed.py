"""How fast an assessor judges."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, NamedTuple

import numpy as np

from workbench.core.results import HIDDEN, Column, shown
from workbench.methods.statistics.intervals import Interval, t_interval
from workbench.storage.campaign.counts.assessor_activity import Timed

FASTER, SLOWER = 0.5, 2.0
"""An assessor needs attention whose pace is surely below half, or above twice, that of the other assessors."""

LEVEL = 0.99
"""Of the interval of the typical pace over topics."""


class Pace(NamedTuple):
    """Active seconds for a judgment on the screen: how many judgments say them, all of them in hours, the median, the
    quartiles around it, how many judgments an hour holds, and the 99 % interval of the geometric mean over topics of
    their medians; None where not known.
    """

    timed: Annotated[int, HIDDEN]
    hours: Annotated[float, HIDDEN]
    median: Annotated[float | None, Column("Seconds", "median_seconds", "size")]
    low: Annotated[float | None, HIDDEN]
    high: Annotated[float | None, HIDDEN]
    per_hour: Annotated[float | None, HIDDEN]
    interval: Annotated[Interval | None, HIDDEN] = None

    @property
    @shown(Column("Hours", "hours", "size"))
    def known_hours(self) -> float | None:
        """Active hours; None where no judgment has a time."""
        return self.hours if self.timed else None


def paces_of(rows: Iterable[Timed]) -> defaultdict[str, Pace]:
    """The pace of each assessor who has timed judgments; of all others it is not known."""
    seconds: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        seconds.setdefault(row.assessor, {}).setdefault(row.topic_id, []).append(row.seconds)
    return defaultdict(lambda: pace_of({}), {name: pace_of(by_topic) for name, by_topic in seconds.items()})


def pace_of(by_topic: Mapping[str, Sequence[float]]) -> Pace:
    """The pace by the active seconds, above 0, of the judgments of each topic."""
    if not by_topic:
        return Pace(0, 0.0, None, None, None, None)
    seconds = np.concatenate([np.asarray(some, np.float64) for some in by_topic.values()])
    low, median, high = np.percentile(seconds, [25, 50, 75]).tolist()
    total = float(seconds.sum())
    return Pace(
        len(seconds), total / 3600, median, low, high, 3600 * len(seconds) / total, _over_topics(by_topic)
    )


def _over_topics(by_topic: Mapping[str, Sequence[float]]) -> Interval | None:
    """Student's t over topics, on the logarithms: documents of one topic take long together. None with too few."""
    found = t_interval(np.log([float(np.median(some)) for some in by_topic.values()]), level=LEVEL)
    return None if found is None else Interval(math.exp(found.low), math.exp(found.high))


def is_unusual(pace: Pace, others: Sequence[Pace]) -> str:
    """Whether an assessor is much `faster` or `slower` than the others; "" when not, or when too little is known.

    The intervals over topics are taken at their ends that are nearer to each other.
    """
    known = [each.interval for each in others if each.interval is not None]
    if pace.interval is None or not known:
        return ""
    lows, highs = zip(*known, strict=True)
    if pace.interval.high < FASTER * float(np.median(lows)):
        return "faster"
    return "slower" if pace.interval.low > SLOWER * float(np.median(highs)) else ""
