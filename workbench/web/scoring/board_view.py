"""The leaderboard as pages and programs see it; `core.results` makes JSON and schemas of these records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Reach(NamedTuple):
    """A range of scores."""

    low: float
    high: float
    text: str


class IntervalCell(NamedTuple):
    """How sure a run's score is.

    Attributes:
        open: the lowest and the highest score over all topics once every pooled pair has a grade, as long as the
            grades that are given stay.
        why_none: why there is no interval; empty where there is one.
        level: whether the run is not significantly different from the best.
    """

    open: Reach | None
    interval: Reach | None
    why_none: str
    level: bool | None
    p: str | None
    test: str


class Cell(NamedTuple):
    """A run's score.

    Attributes:
        estimate: what the whole pool would give, estimated from the sample; empty without one.
        intervals: how sure it is; None where this is another answer.
    """

    value: float
    text: str
    judged: float | None
    judged_text: str
    estimate: str
    intervals: IntervalCell | None = None


class Row(NamedTuple):
    """A run with a cell for each measure.

    Attributes:
        address: its page; None for those who read the board alone.
    """

    run: str
    team: str
    address: str | None
    cells: tuple[Cell, ...]


class Column(NamedTuple):
    """What a page has to know about a measure.

    Attributes:
        estimate: the measure of the estimates.
        topics: how many topics the scores are over.
    """

    name: str
    summary: str
    judged: str | None
    estimate: str | None
    low: float | None
    high: float | None
    best: str
    topics: int


class BoardTopics(NamedTuple):
    """The topics of the campaign.

    Attributes:
        shown: how many topics the scores are over; those of bounds are over in_the_end.
        judged: topics with a judgment.
        finished: topics with a judgment and no pooled pair that waits for one.
        in_the_end: topics that count once every pooled pair has a grade.
        only_finished: whether scores are over the finished topics alone.
    """

    shown: int
    judged: int
    finished: int
    in_the_end: int
    only_finished: bool
    text: str


class Board(NamedTuple):
    """The leaderboard.

    Attributes:
        seq: the row of the log that the board is as of.
    """

    seq: int
    newest: int
    hash: str
    first: int | None
    live: bool
    moment: str
    compared: str | None
    sentence: str
    pooled: int
    topics: BoardTopics
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


class CertainLine(NamedTuple):
    """How many pairs of the board's runs are certain, and where the pairs are."""

    text: str
    address: str | None


class IntervalsOfBoard(NamedTuple):
    """How sure a board is.

    Attributes:
        open_topics: how many topics the open values are over.
        rows: for each run a cell for each measure.
    """

    seq: int
    open_topics: int
    columns: tuple[str, ...]
    certain: CertainLine | None
    rows: Mapping[str, tuple[IntervalCell, ...]]
