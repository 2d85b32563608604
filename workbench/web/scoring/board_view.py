"""The leaderboard as pages and programs see it: words, columns, and cells with their digits.

`core.results` makes JSON and schemas of the records.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isnan
from typing import Any, NamedTuple

from workbench.analysis.trust.intervals import BoardIntervals, MeasureIntervals, describe_test, is_level
from workbench.analysis.trust.stability import Agreement
from workbench.core.wording import counted, listed, moment
from workbench.methods.measures import MEASURES, BoundMeasure
from workbench.scoring.board import ScoreTable
from workbench.scoring.board.table import at_the_top, names, printed, printer

USUAL_CUTOFF = 10
"""The cutoff of measures that need one, where none is given."""


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
        value: None in JSON where a plugin's measure failed.
        estimate: what the whole pool would give, estimated from the sample; empty without one.
        intervals: how sure it is; None where this is another answer.
    """

    value: float | None
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


JUDGED = "Judged"
NAMES = ("Run", "Team")
"""The columns that hold no scores."""

Shares = Mapping[str, Sequence[float]]
"""For each measure of judged shares its value for every run, in the order of the table's rows."""


def sentence(table: ScoreTable, pooled: int, withdrawn: int = 0) -> str:
    """Where the campaign stands, in one sentence, with the numbers of pooled pairs and of runs that are withdrawn."""
    if not table.rows:
        return "All runs are withdrawn; withdrawn runs have no scores." if withdrawn else "No runs yet."
    if table.judgments == 0:
        still = pooled - table.without_grade
        waiting = f" {still:,} documents not yet judged." if still > 0 else ""
        nothing = "No grades yet, only “can’t tell”" if table.without_grade else "No judgments yet"
        return f"{nothing}, so every score is 0.{waiting}"
    graded = pooled - table.waiting
    judged, beyond = graded + table.without_grade, table.judgments - graded
    done = f"{judged:,} of {pooled:,} pooled pairs judged" if pooled else f"{table.judgments:,} pairs judged"
    if pooled and beyond:
        done += f" and {beyond:,} beyond the pool"
    if table.without_grade:
        done += f", {table.without_grade:,} of them without a grade"
    if table.only_finished and not table.topics:
        return f"{done}; no topic is fully judged yet, so every score is 0."
    over = f"the {table.over} that are fully judged" if table.only_finished else table.over
    return f"{done}, scores over {over}; {_best(table)}.{_failed(table)}"


def _failed(table: ScoreTable) -> str:
    """Which measures of plugins have no values."""
    values = zip(table.measures, table.rows[0].values, strict=True)
    lacking = [str(each) for each, value in values if isnan(value) and MEASURES.plugin_of(each.name)]
    return f" Plugins gave no values of {listed(lacking)}; the dashboard says why." if lacking else ""


def topics(table: ScoreTable) -> BoardTopics:
    """How many topics the scores are over, and what there is to choose from, in numbers and words."""
    counts = table.topic_counts
    text = f"{counts.finished:,} of {counted(counts.in_the_end, 'topic')} fully judged"
    return BoardTopics(table.topics, *counts, table.only_finished, text)


def as_of_words(seq: int, newest: int, at: str | None) -> str:
    """Which moment of the log a board is of: its row, and when that row was written."""
    when = "" if at is None else f", written {moment(at)}"
    return f"As of row {seq:,} of {newest:,}{when}."


def agreement_words(found: Agreement, measure: BoundMeasure) -> str:
    """How the order of the runs then agrees with the present one, in a sentence."""
    if found.runs < 2:
        return "Fewer than two runs are on both leaderboards, so their orders cannot be compared."
    if found.tau_b is None or found.tau_ap_b is None:
        return (
            f"By {measure} all {found.runs} runs were tied, so their order cannot be compared with today’s."
        )
    return (
        f"The order of {found.runs} runs by {measure} agrees with today’s at Kendall’s tau_b "
        f"{_signed(found.tau_b)}, and tau_AP,b {_signed(found.tau_ap_b)}, which gives the top more weight."
    )


class Estimated(NamedTuple):
    """A column's estimates from the sample: the measure, and a text for each run in the order of the table's rows."""

    measure: str
    texts: tuple[str, ...]


def estimated_by(measure: BoundMeasure, values: Sequence[float]) -> Estimated:
    """The estimates by this measure, with their digits."""
    return Estimated(str(measure), tuple(printed(measure, value) for value in values))


def columns(table: ScoreTable, estimates: Sequence[Estimated | None]) -> tuple[Column, ...]:
    """What a page has to know about each measure."""
    return tuple(
        Column(
            name=str(measure),
            summary=measure.measure.summary,
            judged=judged_beside(measure),
            estimate=None if estimate is None else estimate.measure,
            low=measure.measure.lowest,
            high=None if measure.is_count else measure.measure.highest,
            best=measure.best,
            topics=table.topic_counts.in_the_end if measure.modifier("bound") else table.topics,
        )
        for measure, estimate in zip(table.measures, estimates, strict=True)
    )


def judged_columns(columns: Sequence[Column]) -> list[tuple[str, int]]:
    """Each measure of judged shares once, with the place of the first measure that it is shown beside."""
    first: dict[str, int] = {}
    for place, column in enumerate(columns):
        if column.judged:
            first.setdefault(column.judged, place)
    return list(first.items())


def rows(
    table: ScoreTable,
    shares: Shares,
    estimates: Sequence[Estimated | None],
    address_of: Callable[[str], str | None],
) -> tuple[Row, ...]:
    """Each run with a cell for each measure; `shares` and `estimates` have the table's runs in their order."""
    columns_of = [
        (printer(measure), judged_beside(measure), estimate)
        for measure, estimate in zip(table.measures, estimates, strict=True)
    ]
    return tuple(
        Row(
            row.tag,
            row.team,
            address_of(row.tag),
            tuple(
                _cell(
                    value,
                    show(value),
                    shares[name][index] if name else None,
                    estimate.texts[index] if estimate else "",
                )
                for value, (show, name, estimate) in zip(row.values, columns_of, strict=True)
            ),
        )
        for index, row in enumerate(table.rows)
    )


class SortedBy(NamedTuple):
    """The column that rows are sorted by, and "ascending" or "descending"."""

    name: str
    order: str


def sorting(measures: Sequence[BoundMeasure], name: str, order: str) -> SortedBy:
    """The order that was asked for: the first measure's, its best first, if there is no column of that name.

    Without a word for the order scores begin with the best, the highest where no value is a merit, and names with A.
    """
    by_name = {str(measure): measure for measure in measures}
    if name not in by_name and name not in NAMES:
        name, order = next(iter(by_name), NAMES[0]), ""
    naturally = "ascending" if name in NAMES or by_name[name].best == "lowest" else "descending"
    return SortedBy(name, order if order in ("ascending", "descending") else naturally)


def in_order(table_rows: Sequence[Row], measures: Sequence[BoundMeasure], by: SortedBy) -> list[Row]:
    """The rows in this order; equal ones go by the names of the runs."""
    names = [str(measure) for measure in measures]

    def key(row: Row) -> Any:
        return getattr(row, by.name.lower()) if by.name in NAMES else row.cells[names.index(by.name)].value

    ordered = sorted(table_rows, key=lambda row: row.run)
    return sorted(ordered, key=key, reverse=by.order == "descending")


def judged_beside(measure: BoundMeasure) -> str | None:
    """The measure that says how much of a score rests on judged documents: Judged at the score's own cutoff.

    Without a cutoff it is Judged@10, of answers Judged of all units; counts, and Judged itself, have none.
    """
    if measure.is_count or measure.name == JUDGED:
        return None
    if measure.measure.of_answers:
        return JUDGED
    return f"{JUDGED}@{dict(measure.values).get('cutoff') or USUAL_CUTOFF}"


def interval_cells(found: BoardIntervals) -> dict[str, tuple[IntervalCell, ...]]:
    """For each run a cell for each measure: its bounds, its interval, and whether it is level with the best."""
    shown = [(each, printer(each.measure)) for each in found.measures]
    return {
        tag: tuple(_interval_cell(each, show, index) for each, show in shown)
        for index, tag in enumerate(found.tags)
    }


def percent(share: float) -> str:
    """A share as whole percent; only nothing is 0 %, and only all is 100 %."""
    if 0 < share < 1:
        share = min(max(share, 0.01), 0.99)
    return f"{100 * share:.0f} %"


def _best(table: ScoreTable) -> str:
    measure = table.measures[0]
    values = [row.values[0] for row in table.rows]
    value = min(values) if measure.best == "lowest" else max(values)
    top = names(at_the_top(measure, values, [row.tag for row in table.rows]))
    word = "highest" if measure.best == "none" else "best"
    return f"{word} {measure} so far: {printed(measure, value)} ({top})"


def _signed(value: float) -> str:
    return f"{value:.3f}".replace("-", "−")


def _cell(value: float, text: str, judged: float | None, estimate: str) -> Cell:
    return Cell(value, text, judged, "" if judged is None else percent(judged), estimate)


def _interval_cell(found: MeasureIntervals, show: Callable[[float], str], index: int) -> IntervalCell:
    def reach(low: float, high: float) -> Reach:
        return Reach(low, high, f"{show(low)} to {show(high)}")

    bounds, intervals, p_values = found.bounds, found.intervals, found.p_values
    why_none = found.why_none[index]
    p = None if p_values is None else float(p_values[index])
    return IntervalCell(
        open=None if bounds is None else reach(float(bounds.lower[index]), float(bounds.upper[index])),
        interval=None if intervals is None or why_none else reach(*map(float, intervals[index])),
        why_none=why_none,
        level=None if p is None else is_level(p),
        p=None if p is None else f"{p:.4f}",
        test="" if p_values is None else describe_test(len(p_values)),
    )
