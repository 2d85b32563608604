"""How the order of the runs settles while judgments come in: rank correlations between moments of the log."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from workbench.methods.statistics.rank_correlation import tau_ap_b, tau_b
from workbench.scoring.board.of_round import first_of_interest
from workbench.scoring.board.past_boards import board_history_of
from workbench.scoring.board.table import ScoreTable
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log

POINTS = 40
"""About this many moments are looked at."""


class Agreement(NamedTuple):
    """How alike two moments order the runs that both have: Kendall's tau_b, and tau_AP,b.

    Both are 1 for the same order, with ties too, and None where one of the moments ties all runs.
    """

    runs: int
    tau_b: float | None
    tau_ap_b: float | None


class Point(NamedTuple):
    """A moment of the log: how many pairs were judged, and how its order agrees with that of the last moment."""

    seq: int
    judgments: int
    agreement: Agreement


def agreement(now: ScoreTable, then: ScoreTable) -> Agreement:
    """How the order by the first measure of one table agrees with that of another."""
    sign = now.measures[0].sign
    before = {row.tag: sign * row.values[0] for row in then.rows}
    both = [(sign * row.values[0], before[row.tag]) for row in now.rows if row.tag in before]
    if len(both) < 2:
        return Agreement(len(both), None, None)
    truth, estimate = zip(*both, strict=True)
    return Agreement(len(both), tau_b(truth, estimate), tau_ap_b(truth, estimate))


def stability(campaign: Campaign, name: str, *, points: int = POINTS) -> list[Point]:
    """How the order by a measure agrees with the last one, from the first judgment on, at about `points` rows.

    These are round numbers, the same when the log has grown a little.
    """
    past, last = board_history_of(campaign), log.head(campaign).seq
    first = first_of_interest(campaign)
    if first is None or first > last:
        return []
    final = past.table(campaign, [name], last)
    found = []
    for seq in rows_between(first, last, points):
        then = past.table(campaign, [name], seq)
        found.append(Point(seq, then.judgments, agreement(final, then)))
    return found


def rows_between(first: int, last: int, points: int) -> Sequence[int]:
    """The first and last row, and between them multiples of 1, 2 or 5 times a power of ten, about `points`."""
    round_numbers = (each * 10**power for power in count() for each in (1, 2, 5))
    step = next(each for each in round_numbers if last - first <= each * points)
    between = range(first - first % step + step, last, step)
    return list(dict.fromkeys([first, *between, last]))
