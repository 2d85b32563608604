"""What pages say of single pairs: rows of the log, and where a pair stands, in a sentence."""

from __future__ import annotations

from workbench.analysis.adjudication.deciding import differ
from workbench.analysis.pairs import LogRow, PairRecord
from workbench.core.wording import counted, listed

KINDS = {
    "grade": "Judged",
    "can't tell": "Judged: can’t tell",
    "cleared": "Judgment cleared",
    "import": "Imported",
    "model": "Label of a model",
    "repeat": "Hidden repeat",
    "norming": "Norming session",
    "adjudication": "Adjudicated",
    "adjudication undone": "Adjudication undone",
    "overruled": "Overruled",
    "judging again": "To be judged again",
    "judging again taken back": "No longer to be judged again",
    "broken document": "Text marked as broken",
    "document not broken": "Text no longer marked as broken",
    "changed texts": "Text replaced",
}
"""What pages call a row of the log, by its kind."""

REASONS = {
    "conflict": "grades differ",
    "near": "near duplicate with another grade",
    "text": "judged on an earlier text",
    "cannot-tell": "can’t tell",
    "top": "not relevant, but at the top of many runs",
    "broken": "broken text",
}
"""Why a pair deserves a second look, in a few words for a table; the words are those of addresses."""


def words_of(row: LogRow) -> str:
    """What a row of the log about a pair says happened."""
    words = KINDS.get(row.kind, row.kind)
    return f"{words} by {listed(row.names)}" if row.names else words


def sentence(found: PairRecord, grade_name: str) -> str:
    """Where a pair stands; `grade_name` is what its label is called, "" without one."""
    if not found.own_judgments and found.adjudication is None and found.label is None:
        return "Not judged yet." if found.pool is not None else "Neither pooled nor judged."
    if found.label is None:
        return "Judged, without a grade: can’t tell."
    counts = f"Counts as {grade_name}, by the label rule {found.rule}"
    if found.adjudication is not None:
        return f"{counts}; adjudicated as of {found.adjudication.received_at[:10]}."
    if differ(found.own_judgments):
        return f"{counts}; {counted(len(found.own_judgments), 'assessor')} gave different grades."
    return f"{counts}."
