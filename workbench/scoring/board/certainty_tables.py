"""What is certain of pairs of runs, as sheets, as JSON and as sentences."""

from __future__ import annotations

from typing import Any

from workbench.core.wording import counted
from workbench.formats.tables.sheets import Column, Sheet
from workbench.methods.certainty.pairs import SMALLEST
from workbench.scoring.board.certain_pairs import CertainPairs, PairState
from workbench.scoring.board.certainty_history import CertaintyPoint
from workbench.scoring.board.witness import Witness

PAIRS = (
    Column("Run A", "run_a", "text"),
    Column("Run B", "run_b", "text"),
    Column("Difference", "difference", "signed"),
    Column("Lower", "lower", "signed"),
    Column("Upper", "upper", "signed"),
    Column("State", "state", "text"),
)
DOCUMENTS = (
    Column("Topic", "topic_id", "text"),
    Column("Document", "document_id", "text"),
    Column("Grade", "grade", "count"),
    Column("Rank behind", "rank_behind", "count"),
    Column("Rank ahead", "rank_ahead", "count"),
)
HISTORY = (
    Column("Row", "row", "count"),
    Column("Judged", "judged", "count"),
    Column("Waiting", "waiting", "count"),
    Column("Pairs", "pairs", "count"),
    Column("Certain", "certain", "count"),
    Column("Tied", "tied", "count"),
    Column("Share", "share", "value"),
)


def sheet_of_certain(found: CertainPairs) -> Sheet:
    """One row for each pair of runs."""
    return Sheet(PAIRS, tuple(tuple(row) for row in found.rows()))


def sheet_of_witness(found: Witness) -> Sheet:
    """One row for each document."""
    return Sheet(DOCUMENTS, tuple(tuple(document) for document in found.documents))


def sheet_of_history(points: list[CertaintyPoint]) -> Sheet:
    """One row for each row of the log that was looked at."""
    return Sheet(HISTORY, tuple((*point, point.share) for point in points))


def certain_content(found: CertainPairs, *, most_runs: int | None = None) -> dict[str, Any]:
    """All of it, for programs; the pairs of the best `most_runs` runs alone where a number is given."""
    listed = found if most_runs is None else found.among(found.tags[:most_runs])
    return {
        "seq": found.head.seq,
        "measure": str(found.measure),
        "exact": found.exact,
        "topics": found.n_topics,
        "judged": found.n_judged,
        "waiting": found.n_waiting,
        "runs": [{"run": tag, "mean": mean} for tag, mean in zip(found.tags, found.means, strict=True)],
        "left_out": list(found.left_out),
        **_counts(found),
        "unlisted": list(found.tags[len(listed.tags) :]),
        "pairs": [row._asdict() for row in listed.rows()],
    }


def count_content(found: CertainPairs) -> dict[str, Any]:
    """How many pairs are certain, for programs."""
    return {
        "seq": found.head.seq,
        "measure": str(found.measure),
        **_counts(found),
        "left_out": len(found.left_out),
        "text": certain_sentence(found),
    }


def _counts(found: CertainPairs) -> dict[str, int]:
    return {
        "certain": found.number("certain"),
        "tied": found.number("tied for certain"),
        "open": found.number("open"),
    }


def witness_content(found: Witness) -> dict[str, Any]:
    """All of it, for programs."""
    return found._asdict() | {"documents": [document._asdict() for document in found.documents]}


def history_content(points: list[CertaintyPoint]) -> list[dict[str, Any]]:
    """The points, for programs."""
    return [point._asdict() | {"share": point.share} for point in points]


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
