"""What bounds, decisions and the recommendation say, as programs read it."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from workbench.analysis.trust.certain_history import CertainPoint
from workbench.analysis.trust.decisions import Decisions
from workbench.analysis.trust.found import TopicFound
from workbench.analysis.trust.recommendation import Recommendation
from workbench.core.results import AS_TEXT
from workbench.methods.measures import BoundMeasure


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


class Stopping(NamedTuple):
    """Whether judging can stop, and what was drawn at random that says so.

    Attributes:
        recommendation: the answer.
        decisions: about pairs of runs; null where no pool was drawn in a random order, or it says nothing.
        topics: what each can still have; null where no part of a pool was drawn uniformly.
    """

    recommendation: Recommendation
    decisions: Decisions | None
    topics: tuple[TopicFound, ...] | None
