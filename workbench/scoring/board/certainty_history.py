"""How many pairs of runs were certain after each row of the log."""

from __future__ import annotations

from typing import NamedTuple

from workbench.scoring.board.certain_pairs import DEFAULT_MEASURE, MOST_STEPS, CertaintyFollower
from workbench.scoring.board.stability import rows_between
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades import log_history
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Cache

POINTS = 40
"""About so many rows are looked at."""


class CertaintyPoint(NamedTuple):
    """A row of the log: how many pairs of topic and document were judged and waited, and what was known of runs.

    `certain` and `tied` are counts of the `pairs` of runs that took part.
    """

    seq: int
    judged: int
    waiting: int
    pairs: int
    certain: int
    tied: int

    @property
    def share(self) -> float:
        """The share of pairs that are certain, or tied for certain; 0 without a pair."""
        return (self.certain + self.tied) / self.pairs if self.pairs else 0.0


def certainty_over_log(
    campaign: Campaign,
    measure: str = DEFAULT_MEASURE,
    *,
    as_of: int | None = None,
    points: int = POINTS,
    most_steps: float = MOST_STEPS,
) -> list[CertaintyPoint]:
    """The course of certainty from the first judgment to `as_of` (None: to now); empty where nothing is judged.

    Each point is of the runs and the pool of its row, so it falls where runs are added or the pool grows.

    Raises:
        UnknownName: a measure that does not exist or of which nothing is known.
    """
    last = log.head_at(campaign, as_of).seq
    first = log_history.first_judgment(campaign)
    if first is None or first > last:
        return []
    follower = CertaintyFollower()
    found = []
    for seq in rows_between(first, last, points):
        then = follower.answer(campaign, measure, (), seq, most_steps / points)
        certain, tied = then.number("certain"), then.number("tied for certain")
        pairs = certain + tied + then.number("open")
        found.append(CertaintyPoint(seq, then.n_judged, then.n_waiting, pairs, certain, tied))
    return found


_courses: Cache[list[CertaintyPoint]] = Cache(of_one=8)


def cached_course(campaign: Campaign, measure: str, *, as_of: int | None = None) -> list[CertaintyPoint]:
    """The same, cached for the row of the log."""
    return _courses.at(
        campaign,
        log.head_at(campaign, as_of),
        measure,
        lambda: certainty_over_log(campaign, measure, as_of=as_of),
    )
