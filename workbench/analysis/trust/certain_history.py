"""How many pairs of runs were certain after each row of the log."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from workbench.analysis.trust.certain_pairs import (
    DEFAULT_MEASURE,
    NO_LIMIT,
    PairsFollower,
    PairsRequest,
    differences_in,
    steps_of_all,
)
from workbench.analysis.trust.stability import rows_between
from workbench.core.results import AS_TEXT, Column, shown
from workbench.jobs.processes import OnStep
from workbench.methods.bounds.additive import AdditiveDifferences
from workbench.methods.bounds.pairs import STEPS_OF_A_PAIR
from workbench.methods.measures import BoundMeasure
from workbench.scoring.board.of_round import first_of_interest
from workbench.scoring.board.past_boards import scoring_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log

POINTS = 40
"""About this many rows are looked at."""


class CertainPoint(NamedTuple):
    """What was certain after a row of the log.

    Attributes:
        seq: that row.
        judged, waiting: pairs of topic and document with a grade, and pooled ones without.
        pairs: of the runs that took part.
        certain, tied: how many of these pairs of runs were certain, or tied for certain.
    """

    seq: Annotated[int, Column("Row")]
    judged: int
    waiting: int
    pairs: int
    certain: int
    tied: int

    @property
    @shown(Column())
    def share(self) -> float:
        """The share of pairs that are certain, or tied for certain; 0 without a pair."""
        return (self.certain + self.tied) / self.pairs if self.pairs else 0.0


class CertainHistory(NamedTuple):
    """How many pairs of runs were certain after rows of the log.

    Attributes:
        seq: the row of the log up to which it goes.
        measure: with all its parameters.
        points: the rows that were looked at.
    """

    seq: int
    measure: Annotated[BoundMeasure, AS_TEXT]
    points: tuple[CertainPoint, ...]


def certain_over_log(
    campaign: Campaign,
    measure: str = DEFAULT_MEASURE,
    *,
    most_steps: float = NO_LIMIT,
    on_step: OnStep = lambda done, total, what: None,
) -> list[CertainPoint]:
    """How many pairs were certain from the first judgment on; empty where nothing is judged.

    Each point is of the runs and the pool of its row, so it falls where runs are added or the pool grows. About
    `most_steps` steps of arithmetic are done in all: runs of the lowest means are left out of a point for that.
    UnknownName: a measure that does not exist or of which nothing is known.
    """
    rows = _rows(campaign)
    follower = PairsFollower()
    found = []
    for done, seq in enumerate(rows):
        on_step(done, len(rows), f"Log row {seq:,}")
        then = follower.answer(
            campaign.at(seq), PairsRequest(measure, most_steps=most_steps / max(len(rows), 1))
        )
        certain, tied = then.number("certain"), then.number("tied for certain")
        pairs = certain + tied + then.number("open")
        found.append(CertainPoint(seq, then.n_judged, then.n_waiting, pairs, certain, tied))
    return found


def _rows(campaign: Campaign) -> list[int]:
    """The rows of the log that are looked at."""
    last = log.head(campaign).seq
    first = first_of_interest(campaign)
    return [] if first is None or first > last else list(rows_between(first, last, POINTS))


def steps_of_history(campaign: Campaign, measure: str) -> float:
    """About how many steps of arithmetic `certain_over_log` takes without a limit."""
    scoring = scoring_of(campaign)
    kind = differences_in(scoring, measure)
    once = steps_of_all(scoring, kind)
    if not isinstance(kind, AdditiveDifferences):
        return once * len(_rows(campaign))
    return once + STEPS_OF_A_PAIR * float(scoring.num_judged.sum()) * len(scoring.runs) ** 2
