"""What is certain of pairs of runs, as programs read it, and as sentences."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from workbench.analysis.trust.certain_history import CertaintyPoint
from workbench.analysis.trust.certain_pairs import CertainPairs, PairState
from workbench.core.results import AS_TEXT
from workbench.core.wording import counted
from workbench.methods.bounds.pairs import SMALLEST
from workbench.methods.measures import BoundMeasure


class RunMean(NamedTuple):
    """A run, and its mean over all topics of which something is judged or pooled."""

    run: str
    mean: float


class CertainList(NamedTuple):
    """What is certain of pairs of runs by one measure.

    Attributes:
        seq: the row of the log that it is as of.
        measure: with all its parameters.
        exact: whether some way to judge the rest reaches each bound.
        topics: how many topics the means are over.
        judged: how many pairs of topic and document have a grade.
        waiting: how many pooled ones have none.
        runs: those that are compared, the highest mean first.
        left_out: runs that are not compared: it would take too long.
        certain, tied, open: how many pairs are so.
        unlisted: runs that count, whose pairs are not listed: name them.
        pairs: those of the runs that are listed.
    """

    seq: int
    measure: Annotated[BoundMeasure, AS_TEXT]
    exact: bool
    topics: int
    judged: int
    waiting: int
    runs: tuple[RunMean, ...]
    left_out: tuple[str, ...]
    certain: int
    tied: int
    open: int
    unlisted: tuple[str, ...]
    pairs: tuple[PairState, ...]


class CertainCount(NamedTuple):
    """How many pairs of runs are certain.

    Attributes:
        seq: the row of the log that it is as of.
        measure: with all its parameters.
        certain, tied, open: how many pairs are so.
        left_out: runs that are not compared: it would take too long.
        text: the same in a sentence.
    """

    seq: int
    measure: Annotated[BoundMeasure, AS_TEXT]
    certain: int
    tied: int
    open: int
    left_out: int
    text: str


class CertaintyHistory(NamedTuple):
    """How many pairs of runs were certain after rows of the log.

    Attributes:
        seq: the row of the log up to which it goes.
        measure: with all its parameters.
        points: the rows that were looked at.
    """

    seq: int
    measure: Annotated[BoundMeasure, AS_TEXT]
    points: tuple[CertaintyPoint, ...]


def certain_list(found: CertainPairs, *, most_runs: int | None = None) -> CertainList:
    """All of it, for programs; the pairs of the best `most_runs` runs alone where a number is given."""
    listed = found if most_runs is None else found.among(found.tags[:most_runs])
    return CertainList(
        found.head.seq,
        found.measure,
        found.exact,
        found.n_topics,
        found.n_judged,
        found.n_waiting,
        tuple(map(RunMean, found.tags, found.means)),
        found.left_out,
        *_counts(found),
        unlisted=found.tags[len(listed.tags) :],
        pairs=tuple(listed.rows()),
    )


def certain_count(found: CertainPairs) -> CertainCount:
    """How many pairs are certain, for programs."""
    text = certain_sentence(found)
    return CertainCount(found.head.seq, found.measure, *_counts(found), len(found.left_out), text)


def _counts(found: CertainPairs) -> tuple[int, int, int]:
    return found.number("certain"), found.number("tied for certain"), found.number("open")


def certain_sentence(found: CertainPairs) -> str:
    """How many pairs are certain, by which measure."""
    numbers = {state: found.number(state) for state in ("certain", "tied for certain", "open")}
    pairs = sum(numbers.values())
    if not pairs:
        return "There are fewer than two runs to compare."
    tied = numbers["tied for certain"]
    also = f", {tied:,} tied for certain" if tied else ""
    return f"{numbers['certain']:,} of {counted(pairs, 'pair')} of runs certain{also} by {found.measure}."


def what_can_become(found: CertainPairs, row: PairState) -> str:
    """What can become of a pair, in a word or three."""
    if row.state != "open":
        return row.state
    if not found.exact:
        return "open"
    return "can swap" if row.lower < -SMALLEST and row.upper > SMALLEST else "can become level"


def notes_on_certain(found: CertainPairs) -> list[str]:
    """What holds for these bounds."""
    notes = [
        f"Bounds of the difference of means over {counted(found.n_topics, 'topic')}, whatever the "
        f"{counted(found.n_waiting, 'pooled pair')} without a grade turn out to be; as of log row {found.head.seq:,}."
    ]
    if not found.exact:
        notes.append(
            f"The bounds of {found.measure.name} are outer bounds: a pair that is certain is so, and one that is open "
            "may be certain too."
        )
    if found.left_out:
        notes.append(
            f"Left out, since comparing all runs would take too long: {counted(len(found.left_out), 'run')} of lower "
            "means. Name runs to compare these."
        )
    return notes
